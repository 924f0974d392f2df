// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The lanes of one kind that are not empty, among those of the queues of a group, so that a decision in
 * one queue does not walk along the queues in which nobody waits. A lane is referenced weakly: it may
 * belong to an ordering that was replaced without notice.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class GroupIndex<T> {

  /** The reference by which a lane is known here. */
  static final class LaneReference<T> extends WeakReference<AttemptLane<T>> {
    private final long number;

    private LaneReference(AttemptLane<T> lane, ReferenceQueue<AttemptLane<T>> collected, long number) {
      super(lane, collected);
      this.number = number;
    }
  }

  /**
   * In the order in which the lanes were made. Which attempt is found depends on the order, so it must be
   * the same in every process, or the same events would lead to other decisions.
   */
  private final Set<LaneReference<T>> lanes =
      new ConcurrentSkipListSet<>(Comparator.comparingLong((LaneReference<T> lane) -> lane.number));
  private final ReferenceQueue<AttemptLane<T>> collected = new ReferenceQueue<>();
  private final AtomicLong numbers = new AtomicLong();

  LaneReference<T> reference(AttemptLane<T> lane) {
    return new LaneReference<>(lane, collected, numbers.incrementAndGet());
  }

  /** An attempt was added to the lane. */
  void added(LaneReference<T> lane) {
    if (!lanes.contains(lane)) {
      for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
        lanes.remove(gone);
      }
      lanes.add(lane);
    }
  }

  /** An attempt was removed from the lane. */
  void removed(LaneReference<T> reference, AttemptLane<T> lane) {
    if (lane.isEmpty() && lanes.remove(reference) && !lane.isEmpty()) {
      // Another attempt was added meanwhile.
      lanes.add(reference);
    }
  }

  /** Whether a lane other than this one has such an attempt. */
  boolean isAnyBeside(AttemptLane<T> own, Predicate<QueuedAttempt<T>> isSought) {
    return find(own, isSought) != null;
  }

  /** One of the attempts sought; null if there is none. */
  QueuedAttempt<T> find(Predicate<QueuedAttempt<T>> isSought) {
    return find(null, isSought);
  }

  private QueuedAttempt<T> find(AttemptLane<T> except, Predicate<QueuedAttempt<T>> isSought) {
    for (LaneReference<T> reference : lanes) {
      AttemptLane<T> lane = reference.get();
      QueuedAttempt<T> found = lane == null || lane == except ? null : find(lane, reference, isSought);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private QueuedAttempt<T> find(
      AttemptLane<T> lane, LaneReference<T> reference, Predicate<QueuedAttempt<T>> isSought) {
    boolean managed = false;
    for (QueuedAttempt<T> attempt : lane.attempts()) {
      if (attempt.isManaged()) {
        managed = true;
        if (isSought.test(attempt)) {
          return attempt;
        }
      }
    }
    if (!managed) {
      removeReplaced(lane, reference);
    }
    return null;
  }

  /** The first attempt of each lane that does not wait because it was taken back. */
  List<QueuedAttempt<T>> heads(long now) {
    List<QueuedAttempt<T>> heads = new ArrayList<>();
    for (LaneReference<T> reference : lanes) {
      AttemptLane<T> lane = reference.get();
      QueuedAttempt<T> head = lane == null ? null : lane.next(now);
      if (head != null && head.isManaged()) {
        heads.add(head);
      }
    }
    return heads;
  }

  /** Removes a lane whose ordering was replaced, unless an attempt was added meanwhile. */
  private void removeReplaced(AttemptLane<T> lane, LaneReference<T> reference) {
    if (lanes.remove(reference)) {
      for (QueuedAttempt<T> attempt : lane.attempts()) {
        if (attempt.isManaged()) {
          lanes.add(reference);
          return;
        }
      }
    }
  }

  /** The number of lanes that are known. */
  int size() {
    return lanes.size();
  }
}
