// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.ActivePlan;
import io.github.dripfeed.core.plan.WaitReason;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a plan says of one line. Attempts with a <em>pass</em> may start although no slot is free; the
 * starting ones in front are served before all others of their priority. Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class LinePlan<T> {

  /** Null if there is no plan. */
  private final ActivePlan plan;
  private final ConcurrentNavigableMap<OrderKey, QueuedAttempt<T>> passes = new ConcurrentSkipListMap<>();
  private final List<QueuedAttempt<T>> front;
  private final WaitReason reason;

  /** No plan. */
  LinePlan() {
    this(null, Collections.emptyList(), Collections.emptyList(), null);
  }

  /**
   * @param passes the attempts that may start
   * @param front the starting attempts that come first, in order
   * @param reason why the first attempt that may not start waits; null if all may
   */
  LinePlan(ActivePlan plan, Collection<QueuedAttempt<T>> passes, List<QueuedAttempt<T>> front,
      WaitReason reason) {
    this.plan = plan;
    this.front = new CopyOnWriteArrayList<>(front);
    this.reason = reason;
    passes.forEach(attempt -> this.passes.put(attempt.submitted, attempt));
  }

  /** Puts its attempts in front, and those of the plan before where they would be without one. */
  void takeOver(LinePlan<T> before) {
    before.passes.values().forEach(attempt -> attempt.offeredAt = attempt.submitted);
    passes.values().forEach(attempt -> attempt.offeredAt = attempt.submitted.inFront(1));
    front.forEach(attempt -> attempt.offeredAt = attempt.submitted.inFront(0));
  }

  /** Whether any attempt may start by the plan. */
  boolean isActive(long now) {
    return !passes.isEmpty() && plan.isValid(now);
  }

  /** Whether the attempt has a pass, in effect or not. */
  boolean has(QueuedAttempt<T> attempt) {
    return passes.get(attempt.submitted) == attempt;
  }

  /** Whether the attempt may start by the plan. */
  boolean mayStart(QueuedAttempt<T> attempt, long now) {
    return has(attempt) && plan.isValid(now);
  }

  /** The attempts with a pass behind this place, in order; null for all. */
  Collection<QueuedAttempt<T>> behind(OrderKey place) {
    return place == null ? passes.values() : passes.tailMap(place, false).values();
  }

  /** The attempt waits no more, or is starting no more. */
  void remove(QueuedAttempt<T> attempt) {
    passes.remove(attempt.submitted, attempt);
    front.remove(attempt);
  }

  /** Removes those that were withdrawn from the plan before while this one was made. */
  void removeGone() {
    passes.values().removeIf(attempt -> attempt.gone);
    front.removeIf(attempt -> attempt.gone);
  }

  /** The starting attempts that come first, in order. */
  List<QueuedAttempt<T>> front(long now) {
    return front.isEmpty() || !plan.isValid(now) ? Collections.emptyList() : front;
  }

  /** Why the first attempt that may not start waits; null if there is no plan, or no such attempt. */
  WaitReason reason(long now) {
    return plan == null || !plan.isValid(now) ? null : reason;
  }
}
