// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.ActivePlan;
import io.github.dripfeed.core.plan.WaitReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * What a plan says of one line. Attempts with a <em>pass</em> may start although no slot is free; the
 * starting ones in front are served before all others of their priority. Used with the lock of the group,
 * but for {@link #isValid} and {@link #front}.
 */
final class LinePlan<T> {

  /** Nothing is ever added to it. */
  private static final LinePlan<?> NONE =
      new LinePlan<>(null, Collections.emptyList(), Collections.emptyList(), null);

  /** Null if there is no plan. */
  private final ActivePlan plan;
  /** The attempts with a pass. */
  final AttemptLane<T> passes = new AttemptLane<>();
  /** The starting attempts that come first, in order; replaced as a whole, and read without the lock. */
  volatile List<QueuedAttempt<T>> front;
  /** Why the first attempt that may not start waits; null if there is no plan, or no such attempt. */
  final WaitReason reason;

  /** No plan. */
  @SuppressWarnings("unchecked")
  static <T> LinePlan<T> none() {
    return (LinePlan<T>) NONE;
  }

  LinePlan(ActivePlan plan, Collection<QueuedAttempt<T>> passes, List<QueuedAttempt<T>> front,
      WaitReason reason) {
    this.plan = plan;
    this.front = new ArrayList<>(front);
    this.reason = reason;
    passes.forEach(this.passes::add);
  }

  /** Puts its attempts in front, and those of the plan before where they would be without one. */
  void takeOver(LinePlan<T> before) {
    before.passes.all().forEach(attempt -> attempt.offeredAt = attempt.submitted);
    passes.all().forEach(attempt -> attempt.offeredAt = attempt.submitted.inFront(1));
    front.forEach(attempt -> attempt.offeredAt = attempt.submitted.inFront(0));
  }

  /** Whether the plan is in effect. It may ask the scheduler, so it is called without the lock. */
  boolean isValid(long now) {
    return plan != null && plan.isValid(now);
  }

  /** Whether the attempt has a pass. */
  boolean has(QueuedAttempt<T> attempt) {
    return passes.contains(attempt);
  }

  /** The attempt waits no more, or is starting no more. */
  void remove(QueuedAttempt<T> attempt) {
    passes.remove(attempt);
    if (front.contains(attempt)) {
      List<QueuedAttempt<T>> others = new ArrayList<>(front);
      others.remove(attempt);
      front = others;
    }
  }
}
