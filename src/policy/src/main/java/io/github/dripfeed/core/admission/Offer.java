// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.WaitReason;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The rule. It decides which attempt gets its driver next, among the attempts of one queue whose drivers
 * request the same node partition. Running and starting attempts are always offered. Among accepted
 * attempts:
 *
 * <ol>
 *   <li>{@link #inPlace}: the head, which is the first attempt with a pending request, is offered at its
 *       position only while fewer than {@code max-starting} attempts are starting or have a reserved
 *       driver and, in a group of queues, no starting attempt lacks executors; less urgent ones of its
 *       queue do not count. With {@code max-starting=auto} those that may start by a {@linkplain LinePlan
 *       plan} are offered, too, one after the other, in front, behind the starting ones that lack their
 *       first executors.
 *   <li>{@link #behind}: if the scheduler skips the head because of its user limit, the next
 *       attempt is offered too.
 *   <li>{@link #last}: an attempt that the scheduler has tried to place for {@code accepted-timeout} in
 *       vain has <em>stalled</em>. Stalled attempts are offered after all others. During a {@linkplain
 *       Trials trial} they are offered at their positions; of the other accepted attempts, only those of
 *       an open line and those with a reserved driver are offered then.
 *   <li>Once heads, however many, have held the line in vain for {@code accepted-timeout}, the line is
 *       <em>{@linkplain LineClock#isOpen open}</em> until a driver is allocated: each accepted attempt is
 *       offered once at its position, and all of them after all other attempts. An attempt that is tried
 *       in vain then, or is overtaken by a later one, has stalled.
 *   <li>{@link ReservedDrivers#losers}: an attempt that loses the offer releases the node that is reserved
 *       for its driver, unless no other attempt could use the slot.
 * </ol>
 *
 * <p>Every decision is made with the lock of the group, from facts that were read without; see {@link
 * Questions}. Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class Offer<T> {

  final Line<T> line;
  private final SlotPool<T> pool;
  private final Lifecycle<T> lifecycle;
  private final LineClock<T> clock;
  private final FreeSlots<T> slots;
  /** What the scheduler does with those that are offered. */
  final GivenAttempts<T> given;
  final ReservedDrivers<T> reserved;
  private final TrialOffer<T> trial;

  Offer(Line<T> line, Lifecycle<T> lifecycle) {
    this.line = line;
    this.pool = line.pool;
    this.lifecycle = lifecycle;
    this.clock = lifecycle.clock;
    this.slots = new FreeSlots<>(line, lifecycle);
    this.given = new GivenAttempts<>(line, lifecycle, slots);
    this.reserved = new ReservedDrivers<>(line, lifecycle);
    this.trial = new TrialOffer<>(line, lifecycle);
  }

  // Attempts offered at their positions.

  /**
   * The attempts that may get their drivers now, in order; mostly one. If the rule fails, it is the first
   * waiting one, and other lines decide for themselves.
   *
   * @param walked the partition of the node on which the scheduler is about to place them; null if none
   */
  List<QueuedAttempt<T>> inPlace(String walked, Questions<T> questions) {
    try {
      reserved.look(questions);
      LinePlan<T> plan = slots.validPlan(questions.now);
      List<QueuedAttempt<T>> offer = questions.decide(
          () -> decide(line.isWalked(walked), slots.starting(plan, questions.now), questions),
          Collections.emptyList());
      return plan.front.isEmpty() ? offer : withFront(offer, plan, questions.now);
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      synchronized (lifecycle.lock()) {
        QueuedAttempt<T> next = line.waiting.inLine.first();
        return next == null ? Collections.emptyList() : next.alone();
      }
    }
  }

  private List<QueuedAttempt<T>> decide(boolean walk, LinePlan<T> plan, Questions<T> questions) {
    List<QueuedAttempt<T>> keepers = reserved.keepers(questions);
    boolean slot = slots.isAny(questions);
    boolean onTrial = slot && trial.isOn(walk, questions);
    List<QueuedAttempt<T>> others = onTrial ? trial.offer(questions) : Collections.emptyList();
    boolean otherQueuesTrial =
        onTrial && others.isEmpty() && pool.isAnyStalledPendingBeside(lifecycle, questions);
    if (others.isEmpty() && !otherQueuesTrial) {
      others = heads(slot, walk, plan, questions);
    }
    List<QueuedAttempt<T>> offer = keepers.isEmpty() ? others : Scan.together(keepers, others);
    if (!questions.isOpen()) {
      QueuedAttempt<T> head = offer.isEmpty() ? null : offer.get(0);
      if (line.setOffered(head)) {
        questions.then(() -> lifecycle.offered(head, line.partition));
      }
    }
    return offer;
  }

  /** The first one that has the slot, and the first one that may start by the plan. */
  private List<QueuedAttempt<T>> heads(
      boolean slot, boolean walk, LinePlan<T> plan, Questions<T> questions) {
    QueuedAttempt<T> head =
        (slot || slots.isAnyBeyond(line.waiting.inLine.first(), questions)) && mayOfferHead(walk, questions)
            ? first(line.waiting.inLine, null, Collections.emptySet(), questions) : null;
    // The first one may have no request, and those behind it are less urgent.
    if (head != null && !slots.isAnyFor(head, true, 0, questions)) {
      head = null;
    }
    QueuedAttempt<T> planned = first(plan.passes, null, Collections.emptySet(), questions);
    if (head == null || planned == null || head == planned) {
      return head != null ? head.alone() : planned != null ? planned.alone() : Collections.emptyList();
    }
    return Arrays.asList(planned, head);
  }

  /** The starting attempts that come first, and then the others. */
  private List<QueuedAttempt<T>> withFront(
      List<QueuedAttempt<T>> others, LinePlan<T> plan, long now) {
    List<QueuedAttempt<T>> all = new ArrayList<>(plan.front);
    all.removeIf(attempt -> attempt.gone || attempt.history.state() != State.STARTING
        || attempt.executors(now) >= attempt.settings.minExecutors());
    all.addAll(others);
    return all;
  }

  /**
   * The first waiting attempt that has a pending request for its driver and does not stall now.
   *
   * @param candidates in order
   * @param place the place behind which it is; null for any
   * @param atLimit users that cannot start another one
   */
  private QueuedAttempt<T> first(AttemptLane<T> candidates, OrderKey place, Set<String> atLimit,
      Questions<T> questions) {
    QueuedAttempt<T> attempt = candidates.behind(place, atLimit);
    while (attempt != null && !questions.isFull()) {
      if (!attempt.isLate() && questions.waits(attempt) && !attempt.reserved
          && !clock.isLate(attempt, questions)) {
        return attempt;
      }
      attempt = candidates.behind(attempt.submitted, atLimit);
    }
    return null;
  }

  /**
   * The attempt to offer behind one that the scheduler has not placed in this walk: one of another user, if
   * it was skipped because of its user limit, or the next one that may start by the plan; null if there is
   * none.
   *
   * @param atLimit the users that this walk has found at their limit; that of the attempt may be added
   */
  QueuedAttempt<T> behind(QueuedAttempt<T> tried, Set<String> atLimit, Questions<T> questions) {
    boolean skipped = isOtherUserBehind(tried) && tried.isSkipped(questions.now);
    if (skipped && tried.user() != null && !atLimit.add(tried.user())) {
      // The next one beside another attempt of that user is offered already.
      return null;
    }
    LinePlan<T> plan = slots.plan(questions.now);
    return questions.begin().decide(() -> {
      QueuedAttempt<T> next = skipped ? beside(tried, atLimit, questions) : null;
      return next == null && (skipped || plan.has(tried))
          ? first(plan.passes, tried.submitted, atLimit, questions) : next;
    }, null);
  }

  /** Whether anybody may be offered behind an attempt that the scheduler has not placed. */
  boolean mayOfferBehind(QueuedAttempt<T> tried) {
    synchronized (lifecycle.lock()) {
      return line.plan.has(tried) || isOtherUserBehind(tried);
    }
  }

  private boolean isOtherUserBehind(QueuedAttempt<T> tried) {
    synchronized (lifecycle.lock()) {
      return tried.lane == State.ACCEPTED && !tried.isLate()
          && line.waiting.inLine.isOtherUserBehind(tried);
    }
  }

  private QueuedAttempt<T> beside(QueuedAttempt<T> tried, Set<String> atLimit, Questions<T> questions) {
    if (!slots.isAny(questions) && !slots.isAnyBeyond(tried, questions)
        || !mayOfferHead(false, questions)) {
      return null;
    }
    QueuedAttempt<T> next = first(line.waiting.inLine, tried.submitted, atLimit, questions);
    return next != null && slots.isAnyFor(next, true, 0, questions) ? next : null;
  }

  /** Whether the head of no other queue is next; a trial goes on regardless. */
  private boolean mayOfferHead(boolean walk, Questions<T> questions) {
    return line.trials().isOn(questions.now)
        || pool.overtaken.mayOffer(line.waiting.first(), walk, questions);
  }

  // Attempts offered after all others.

  /** Whether any attempt is offered after all others. */
  boolean hasLast() {
    synchronized (lifecycle.lock()) {
      return clock.hasLast(line);
    }
  }

  /**
   * The attempts offered after all others, in order. They may include an attempt that is also offered at
   * its position. None if the rule fails.
   */
  List<QueuedAttempt<T>> last(Questions<T> questions) {
    try {
      LinePlan<T> plan = slots.plan(questions.now);
      return questions.begin().decide(() -> decideLast(plan, questions), Collections.emptyList());
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return Collections.emptyList();
    }
  }

  private List<QueuedAttempt<T>> decideLast(LinePlan<T> plan, Questions<T> questions) {
    boolean slot = slots.isAny(questions) && mayOfferHead(false, questions);
    if (slot && trial.isOn(false, questions)) {
      return Collections.emptyList();
    }
    if (!slot && plan.passes.isEmpty()) {
      // An attempt with a reservation may get its driver on another node.
      return reserved.late(questions);
    }
    return collectLast(attempt -> mayBeLast(attempt, slot, plan, questions), questions);
  }

  /**
   * The attempts of an open line, then the stalled ones, then those with an exhausted starting time; before
   * them those behind the position of the last walk.
   */
  private List<QueuedAttempt<T>> collectLast(
      Predicate<QueuedAttempt<T>> isOffered, Questions<T> questions) {
    WalkPosition position = line.memory.lastPosition;
    Scan<T> last = new Scan<>(Integer.MAX_VALUE, questions, isOffered);
    OrderKey after = position.scannedTo();
    if (after != null) {
      Scan<T> behind = new Scan<>(
          Scan.MOST, questions, trial.isSmaller(position, questions).and(isOffered));
      alongLast(behind, after);
      if (behind.found().isEmpty() && !questions.isOpen()) {
        position.scanned(behind.end());
      }
      last.add(behind.found());
    }
    alongLast(last, null);
    return last.found();
  }

  /** @param after the position to scan from; null for the first attempt */
  private void alongLast(Scan<T> scan, OrderKey after) {
    QueuedAttempt<T> there = line.waiting.stalled.at(after);
    Predicate<QueuedAttempt<T>> isExhausted = QueuedAttempt::isExhausted;
    if (there == null && clock.isOpen(line)) {
      scan.along(line.waiting.inLine, after);
    }
    if (there == null || !there.isExhausted()) {
      scan.along(line.waiting.stalled, there == null ? null : after, isExhausted.negate());
    }
    scan.along(line.waiting.stalled, there == null || !there.isExhausted() ? null : after, isExhausted);
  }

  private boolean mayBeLast(
      QueuedAttempt<T> attempt, boolean slot, LinePlan<T> plan, Questions<T> questions) {
    return (slot ? !attempt.isExhausted() || slots.isAnyForExhausted(0) : plan.has(attempt))
        && !reserved.isAside(attempt, questions) && !attempt.isBackingOff(questions.now)
        && (attempt.isLate() || questions.waits(attempt));
  }

  // Diagnostics.

  /** The reason why the next attempt in line waits. */
  WaitReason waitsFor(long now) {
    LinePlan<T> plan = slots.validPlan(now);
    Questions<T> questions = new Questions<>(lifecycle.lock(), now);
    return questions.begin().decide(() -> waitsFor(plan, questions), new WaitReason(Wait.SLOT));
  }

  private WaitReason waitsFor(LinePlan<T> plan, Questions<T> questions) {
    long now = questions.now;
    int taken = reserved.beside().size() + pool.starting.takenFrom(line.waiting.first());
    boolean slot = taken < line.slots(lifecycle.settings.maxStarting(), now);
    if (!slot && line.areStartsHeld(now)) {
      return new WaitReason(Wait.PROGRESS);
    }
    QueuedAttempt<T> next = line.waiting.next(now);
    slot |= slots.isAnyBeyond(next, questions);
    boolean mayStart = next != null && slots.starting(plan, now).has(next);
    if (slot && !pool.areExecutorsFirst(next, questions) || mayStart) {
      return new WaitReason(Wait.ROOM);
    }
    return plan.reason != null ? plan.reason : new WaitReason(slot ? Wait.EXECUTORS : Wait.SLOT);
  }
}
