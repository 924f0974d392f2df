// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Stores the attempts of one queue by their state: the admitted ones, and the lanes of each partition.
 * Every move between lanes happens here, under the lock of the attempt that moves; the scheduler is never
 * called under that lock.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class AdmissionLanes<T> {

  private final AdmittedAttempts<T> admitted = new AdmittedAttempts<>();
  private final ConcurrentMap<String, PartitionLanes<T>> byPartition = new ConcurrentSkipListMap<>();
  /**
   * The same lanes, ordered by partition name; replaced as a whole, and not wrapped, because every decision
   * reads it.
   */
  private volatile List<PartitionLanes<T>> partitions = Collections.emptyList();
  private final QueueChanges changes = new QueueChanges();
  /** Set before the first attempt is added. */
  private volatile StartingGroup<T> group = StartingGroup.ofOne(false);
  /** Set before the first attempt is added. */
  private volatile boolean replacesAnother;

  StartingGroup<T> group() {
    return group;
  }

  void setGroup(StartingGroup<T> joined) {
    group = joined;
  }

  /** The ordering takes over the attempts of another one of the same queue. */
  void setReplacesAnother() {
    replacesAnother = true;
  }

  AdmittedAttempts<T> admitted() {
    return admitted;
  }

  /** Counts the changes of the lanes; a removal is counted by the caller. */
  QueueChanges changes() {
    return changes;
  }

  /** Whether no attempt waits, stalled or not. */
  boolean isNoneWaiting() {
    for (PartitionLanes<T> lanes : partitions) {
      if (lanes.size() > 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Every attempt with its order key, in order; exact if nothing changes meanwhile.
   *
   * @param expected the number of attempts, about
   */
  List<Map.Entry<OrderKey, T>> places(int expected) {
    List<Map.Entry<OrderKey, T>> places = new ArrayList<>(expected);
    admitted.addPlaces(places);
    boolean inOrder = true;
    for (PartitionLanes<T> lanes : partitions) {
      // The stalled ones first: they were the heads of the others.
      inOrder &= append(lanes.stalled, places);
      inOrder &= append(lanes.waiting, places);
    }
    if (!inOrder) {
      // Takes linear time: each lane is in order already.
      places.sort(Map.Entry.comparingByKey());
    }
    return places;
  }

  /**
   * Appends the lane.
   *
   * @return whether it comes behind all that was there
   */
  private static <T> boolean append(AttemptLane<T> lane, List<Map.Entry<OrderKey, T>> places) {
    int before = places.size();
    lane.addPlaces(places);
    return before == 0 || before == places.size()
        || places.get(before - 1).getKey().compareTo(places.get(before).getKey()) < 0;
  }

  /** The lanes of each partition; a single element unless node labels are used. */
  List<PartitionLanes<T>> partitions() {
    return partitions;
  }

  /** The lanes of the attempt's partition. */
  PartitionLanes<T> of(QueuedAttempt<T> attempt) {
    List<PartitionLanes<T>> present = partitions;
    return present.size() == 1 ? present.get(0) : byPartition.get(attempt.partition());
  }

  private PartitionLanes<T> of(String partition) {
    // Among those that every thread sees: no attempt may be in a partition that others do not know yet.
    for (PartitionLanes<T> lanes : partitions) {
      if (lanes.partition().equals(partition)) {
        return lanes;
      }
    }
    return add(partition);
  }

  private synchronized PartitionLanes<T> add(String partition) {
    PartitionLanes<T> lanes = byPartition.computeIfAbsent(partition,
        p -> new PartitionLanes<>(p, group.lane(p), !replacesAnother));
    partitions = new ArrayList<>(byPartition.values());
    return lanes;
  }

  /** Sets the partition of a new attempt, before any other thread can find the attempt. */
  void assign(QueuedAttempt<T> attempt, String partition) {
    of(partition);
    attempt.setPartition(partition);
  }

  /**
   * Moves the attempt to the lanes of its state.
   *
   * @return the state in whose lanes the attempt is now. Callers use this one: with a newer state that
   *     its lanes do not show yet, the attempt could be counted nowhere
   */
  State settle(QueuedAttempt<T> attempt, long now) {
    State seen = attempt.history.state();
    if (attempt.lane == seen) {
      return seen;
    }
    synchronized (attempt) {
      State state = attempt.history.state();
      if (!attempt.gone && attempt.lane != state) {
        changes.begin();
        try {
          settle(attempt, state, now);
        } finally {
          changes.end();
        }
      }
      return state;
    }
  }

  private void settle(QueuedAttempt<T> attempt, State state, long now) {
    PartitionLanes<T> lanes = of(attempt);
    // In this order: a thread that sees its slot taken also sees it admitted, and a thread that no longer
    // sees it waiting sees its slot taken.
    if (state == State.ACCEPTED) {
      lanes.startWaiting(attempt, now);
    } else {
      admitted.put(attempt.admittedAt, attempt.item);
      if (state == State.STARTING) {
        lanes.addStarting(attempt);
      } else {
        lanes.removeStarting(attempt);
      }
      lanes.stopWaiting(attempt);
    }
    attempt.lane = state;
  }

  /**
   * Marks the attempt as stalled, so that it no longer holds back others, if it is still waiting.
   *
   * @return whether it was not stalled before
   */
  boolean stall(QueuedAttempt<T> attempt, long now) {
    synchronized (attempt) {
      if (attempt.gone || attempt.lane != State.ACCEPTED) {
        return false;
      }
      attempt.history.setStalled();
      changes.begin();
      try {
        return of(attempt).moveToStalled(attempt, now);
      } finally {
        changes.end();
      }
    }
  }

  /** Adds the attempt to those that may have a reserved driver, if it is still waiting. */
  void watchReservation(QueuedAttempt<T> attempt) {
    synchronized (attempt) {
      if (!attempt.gone && attempt.lane == State.ACCEPTED) {
        of(attempt).addReserved(attempt);
      }
    }
  }

  /** Updates the order key of the attempt. It takes effect once the attempt has its driver. */
  void reposition(QueuedAttempt<T> attempt, OrderKey place) {
    synchronized (attempt) {
      OrderKey before = attempt.admittedAt;
      attempt.admittedAt = place;
      boolean isAdmitted = attempt.lane != State.ACCEPTED && attempt.lane != null;
      if (isAdmitted && !attempt.gone && !place.equals(before)) {
        changes.begin();
        try {
          admitted.put(place, attempt.item);
          admitted.remove(before);
        } finally {
          changes.end();
        }
      }
    }
  }

  /** Moves the attempt to the lanes of another partition, where it competes for slots from now on. */
  void changePartition(QueuedAttempt<T> attempt, String partition, long now) {
    PartitionLanes<T> other = of(partition);
    synchronized (attempt) {
      PartitionLanes<T> before = of(attempt);
      attempt.setPartition(partition);
      if (attempt.gone || before == other) {
        return;
      }
      changes.begin();
      try {
        move(attempt, before, other, now);
      } finally {
        changes.end();
      }
    }
  }

  /** The attempt is added there before it is removed here, so that it is counted at every moment. */
  private static <T> void move(
      QueuedAttempt<T> attempt, PartitionLanes<T> before, PartitionLanes<T> other, long now) {
    if (attempt.lane == State.STARTING) {
      other.addStarting(attempt);
      before.removeStarting(attempt);
    } else if (attempt.lane == State.ACCEPTED) {
      attempt.history.setLine(null);
      other.startWaiting(attempt, now);
      if (before.reserved.contains(attempt)) {
        other.addReserved(attempt);
      }
      before.stopWaiting(attempt);
    }
  }

  /** Removes the attempt from every lane for good. */
  void withdraw(QueuedAttempt<T> attempt) {
    synchronized (attempt) {
      attempt.gone = true;
      PartitionLanes<T> lanes = of(attempt);
      if (attempt.isExhausted()) {
        // The resources that it releases allow a new walk along the stalled attempts from the start.
        lanes.memory().lastPosition().reset();
      }
      // Also if it waits no more: it may have been chosen for the offer a moment before it started.
      lanes.stopWaiting(attempt);
      if (attempt.lane != State.ACCEPTED) {
        lanes.withdraw(attempt);
        admitted.remove(attempt.admittedAt);
      }
    }
  }
}
