// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Stores the attempts of one queue by their state: the admitted ones, and the line of each partition. Every
 * move between lanes happens here, with the lock of the group.
 *
 * <p>Safe for use by any thread.
 */
final class QueueLanes<T> {

  final QueueSettings settings;
  private final QueuedAttempt.Owner<T> owner;
  final AdmittedAttempts<T> admitted = new AdmittedAttempts<>();
  /** Ordered by partition name; replaced as a whole, and not wrapped, because every decision reads it. */
  private volatile List<Line<T>> lines = Collections.emptyList();
  /** The number of attempts that are not running yet; every walk asks whether there is any. */
  private volatile int early;
  /** The number of those that are accepted. */
  private volatile int waiting;
  /** The number of changes: an attempt has come or gone, or has moved to another place. */
  private long changes;
  /** Set before the first attempt is added. */
  private volatile StartingGroup<T> group = StartingGroup.ofOne(false);
  private volatile boolean replaced;

  QueueLanes(QueueSettings settings, QueuedAttempt.Owner<T> owner) {
    this.settings = settings;
    this.owner = owner;
  }

  StartingGroup<T> group() {
    return group;
  }

  GroupLock lock() {
    return group.lock;
  }

  void setGroup(StartingGroup<T> joined) {
    group = joined;
  }

  /**
   * Whether another ordering of the same queue takes over the attempts. Threads may still walk along this
   * one, which lets nobody start any more: it does not know what starts there.
   */
  boolean isReplaced() {
    return replaced;
  }

  /** The line of each partition; a single element unless node labels are used. Never removed from. */
  List<Line<T>> lines() {
    return lines;
  }

  /** Whether no attempt is waiting, stalled or starting. */
  boolean areAllRunning() {
    return early == 0;
  }

  /** Whether any attempt waits, stalled or not. */
  boolean isAnyWaiting() {
    return waiting > 0;
  }

  /** The number of changes so far; used with the lock of the group. */
  long changes() {
    return changes;
  }

  /** Every attempt in order; used with the lock of the group. */
  List<T> inOrder() {
    List<Map.Entry<OrderKey, T>> places = new ArrayList<>();
    admitted.addPlaces(places);
    for (Line<T> line : lines) {
      add(line.waiting.stalled, places);
      add(line.waiting.inLine, places);
    }
    // Takes linear time: each part is in order already.
    places.sort(Map.Entry.comparingByKey());
    List<T> items = new ArrayList<>(places.size());
    places.forEach(place -> items.add(place.getValue()));
    return items;
  }

  private static <T> void add(AttemptLane<T> lane, List<Map.Entry<OrderKey, T>> places) {
    lane.all().forEach(attempt ->
        places.add(new AbstractMap.SimpleImmutableEntry<>(attempt.submitted, attempt.item)));
  }

  /** The line of the attempt. */
  Line<T> of(QueuedAttempt<T> attempt) {
    List<Line<T>> present = lines;
    return present.size() == 1 ? present.get(0) : of(attempt.partition);
  }

  private Line<T> of(String partition) {
    for (Line<T> line : lines) {
      if (line.partition.equals(partition)) {
        return line;
      }
    }
    Line<T> line = new Line<>(partition, settings, owner, group.pool(partition));
    line.replaced = replaced;
    List<Line<T>> more = new ArrayList<>(lines);
    more.add(line);
    more.sort((one, other) -> one.partition.compareTo(other.partition));
    lines = more;
    return line;
  }

  /** Sets the partition of a new attempt, before any other thread can find the attempt. */
  void assign(QueuedAttempt<T> attempt, String partition) {
    synchronized (group.lock) {
      of(partition);
      attempt.partition = partition;
    }
  }

  /**
   * Moves the attempt to the lanes of its state.
   *
   * @return the state in whose lanes the attempt is now
   */
  State settle(QueuedAttempt<T> attempt, long now) {
    if (attempt.lane == attempt.history.state()) {
      return attempt.lane;
    }
    synchronized (group.lock) {
      State state = attempt.history.state();
      if (!attempt.gone && attempt.lane != state) {
        settle(attempt, state, now);
      }
      return state;
    }
  }

  private void settle(QueuedAttempt<T> attempt, State state, long now) {
    Line<T> line = of(attempt);
    State before = attempt.lane;
    attempt.lane = state;
    if (state == State.ACCEPTED) {
      line.startWaiting(attempt, now);
    } else {
      admitted.put(attempt.admittedAt, attempt.item);
      if (before == State.ACCEPTED) {
        line.stopWaiting(attempt);
      }
      if (state == State.STARTING) {
        line.addStarting(attempt);
      } else {
        line.removeStarting(attempt);
      }
    }
    changed(before, state);
  }

  private void changed(State left, State entered) {
    changes++;
    waiting += (entered == State.ACCEPTED ? 1 : 0) - (left == State.ACCEPTED ? 1 : 0);
    early += (isEarly(entered) ? 1 : 0) - (isEarly(left) ? 1 : 0);
  }

  private static boolean isEarly(State lane) {
    return lane == State.ACCEPTED || lane == State.STARTING;
  }

  /**
   * Marks the attempt as stalled.
   *
   * @return whether it was not stalled before
   */
  boolean stall(QueuedAttempt<T> attempt, long now) {
    synchronized (group.lock) {
      changes++;
      return of(attempt).stall(attempt, now);
    }
  }

  /** Whether the attempt has a reserved driver, if it is still waiting. */
  void setReserved(QueuedAttempt<T> attempt, boolean reserved) {
    synchronized (group.lock) {
      if (!reserved) {
        of(attempt).pool.removeReserved(attempt);
      } else if (!attempt.gone && attempt.lane == State.ACCEPTED) {
        of(attempt).pool.addReserved(attempt);
      }
    }
  }

  /** Updates the order key of the attempt. It takes effect once the attempt has its driver. */
  void reposition(QueuedAttempt<T> attempt, OrderKey place) {
    synchronized (group.lock) {
      OrderKey before = attempt.admittedAt;
      attempt.admittedAt = place;
      boolean isAdmitted = attempt.lane != State.ACCEPTED && attempt.lane != null;
      if (isAdmitted && !attempt.gone && !place.equals(before)) {
        admitted.put(place, attempt.item);
        admitted.remove(before);
        changes++;
      }
    }
  }

  /** Moves the attempt to the line of another partition, where it competes for slots from now on. */
  void changePartition(QueuedAttempt<T> attempt, String partition, long now) {
    synchronized (group.lock) {
      Line<T> before = of(attempt);
      Line<T> other = of(partition);
      boolean reserved = attempt.reserved;
      if (attempt.gone || before == other) {
        return;
      }
      if (attempt.lane == State.ACCEPTED) {
        before.stopWaiting(attempt);
        attempt.history.setLine(null);
      } else {
        before.removeStarting(attempt);
      }
      attempt.partition = partition;
      if (attempt.lane == State.STARTING) {
        other.addStarting(attempt);
      } else if (attempt.lane == State.ACCEPTED) {
        other.startWaiting(attempt, now);
        if (reserved) {
          other.pool.addReserved(attempt);
        }
      }
      changes++;
    }
  }

  /** Removes the attempt from every lane for good. */
  void withdraw(QueuedAttempt<T> attempt) {
    synchronized (group.lock) {
      if (attempt.gone) {
        return;
      }
      if (attempt.isExhausted()) {
        // The resources that it releases allow a new walk along the stalled attempts from the start.
        of(attempt).memory.lastPosition.reset();
      }
      of(attempt).stopWaiting(attempt);
      forget(attempt);
    }
  }

  /**
   * Another ordering has taken over the attempt.
   *
   * @param ofSameQueue whether it takes over the queue
   */
  void handOver(QueuedAttempt<T> attempt, boolean ofSameQueue) {
    synchronized (group.lock) {
      if (ofSameQueue && !attempt.gone) {
        replaced = true;
        lines.forEach(line -> line.replaced = true);
      }
      forget(attempt);
    }
  }

  private void forget(QueuedAttempt<T> attempt) {
    if (!attempt.gone) {
      attempt.gone = true;
      Line<T> line = of(attempt);
      line.forget(attempt);
      line.removeStarting(attempt);
      line.pool.overdue.attempts.remove(attempt);
      admitted.remove(attempt.admittedAt);
      changed(attempt.lane, null);
    }
  }
}
