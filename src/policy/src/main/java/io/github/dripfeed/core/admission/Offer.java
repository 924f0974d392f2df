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

  private final Line<T> line;
  private final SlotPool<T> pool;
  private final Lifecycle<T> lifecycle;
  private final LineClock<T> clock;
  private final ReservedDrivers<T> reserved;
  private final TrialOffer<T> trial;

  Offer(Line<T> line, Lifecycle<T> lifecycle) {
    this.line = line;
    this.pool = line.pool;
    this.lifecycle = lifecycle;
    this.clock = lifecycle.clock();
    this.reserved = new ReservedDrivers<>(line, lifecycle);
    this.trial = new TrialOffer<>(line, lifecycle);
  }

  Line<T> line() {
    return line;
  }

  ReservedDrivers<T> reserved() {
    return reserved;
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
      LinePlan<T> plan = validPlan(questions.now);
      List<QueuedAttempt<T>> offer = questions.decide(
          () -> decide(isWalked(walked), startPlan(plan, questions.now), questions),
          Collections.emptyList());
      return plan.front().isEmpty() ? offer : withFront(offer, plan, questions.now);
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
    boolean slot = hasSlot(line.waiting.first(), false, 0, questions);
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
        (slot || hasSlotBeyond(line.waiting.inLine.first(), questions)) && mayOfferHead(walk, questions)
            ? first(line.waiting.inLine, null, Collections.emptySet(), questions) : null;
    // The first one may have no request, and those behind it are less urgent.
    if (head != null && !hasSlot(head, true, 0, questions)) {
      head = null;
    }
    QueuedAttempt<T> planned = first(plan.passes(), null, Collections.emptySet(), questions);
    if (head == null || planned == null || head == planned) {
      return head != null ? head.alone() : planned != null ? planned.alone() : Collections.emptyList();
    }
    return Arrays.asList(planned, head);
  }

  /** The starting attempts that come first, and then the others. */
  private List<QueuedAttempt<T>> withFront(
      List<QueuedAttempt<T>> others, LinePlan<T> plan, long now) {
    List<QueuedAttempt<T>> all = new ArrayList<>(plan.front());
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
    LinePlan<T> plan = startPlan(validPlan(questions.now), questions.now);
    return questions.begin().decide(() -> {
      QueuedAttempt<T> next = skipped ? beside(tried, atLimit, questions) : null;
      return next == null && (skipped || plan.has(tried))
          ? first(plan.passes(), tried.submitted, atLimit, questions) : next;
    }, null);
  }

  /** Whether anybody may be offered behind an attempt that the scheduler has not placed. */
  boolean mayOfferBehind(QueuedAttempt<T> tried) {
    synchronized (lifecycle.lock()) {
      return line.plan().has(tried) || isOtherUserBehind(tried);
    }
  }

  private boolean isOtherUserBehind(QueuedAttempt<T> tried) {
    synchronized (lifecycle.lock()) {
      return tried.lane == State.ACCEPTED && !tried.isLate()
          && line.waiting.inLine.isOtherUserBehind(tried);
    }
  }

  private QueuedAttempt<T> beside(QueuedAttempt<T> tried, Set<String> atLimit, Questions<T> questions) {
    if (!hasSlot(line.waiting.first(), false, 0, questions) && !hasSlotBeyond(tried, questions)
        || !mayOfferHead(false, questions)) {
      return null;
    }
    QueuedAttempt<T> next = first(line.waiting.inLine, tried.submitted, atLimit, questions);
    return next != null && hasSlot(next, true, 0, questions) ? next : null;
  }

  // Slots.

  /**
   * Whether the starting attempts and the reserved drivers leave a slot free for this attempt.
   *
   * @param urgent whether slots of those that are less urgent do not bind it
   * @param proposed the number of drivers that are proposed, and take slots, too
   */
  private boolean hasSlot(
      QueuedAttempt<T> next, boolean urgent, int proposed, Questions<T> questions) {
    int held = proposed + pool.reservedTaken();
    int taken = urgent ? line.takenFrom(next, held) : held + pool.takenFrom(next);
    return !lifecycle.isReplaced()
        && taken < line.slots(lifecycle.settings().maxStarting(), questions.now)
        && !pool.doExecutorsComeFirst(next, urgent, questions);
  }

  /**
   * Whether there is one for an attempt that is more urgent than those that hold slots. With {@code
   * max-starting=auto} the plan decides who starts beside others: it knows for whom there is room.
   */
  private boolean hasSlotBeyond(QueuedAttempt<T> next, Questions<T> questions) {
    return line.isMoreUrgent(next) && !lifecycle.settings().isAuto()
        && !line.areStartsHeld(questions.now) && hasSlot(next, true, 0, questions);
  }

  /** Exhausted attempts take no slot from others, but compete with each other. */
  private boolean hasSlotForExhausted(int proposed) {
    return proposed + pool.starting.size() + pool.reserved.size() < lifecycle.settings().maxStarting();
  }

  /** Whether the head of no other queue is next; a trial goes on regardless. */
  private boolean mayOfferHead(boolean walk, Questions<T> questions) {
    return line.trials().isOn(questions.now)
        || pool.overtaken.mayOffer(line.waiting.first(), walk, questions);
  }

  /** The plan if attempts may start by it; else one without passes. */
  private LinePlan<T> startPlan(LinePlan<T> plan, long now) {
    return line.areStartsHeld(now) || lifecycle.isReplaced() ? LinePlan.none() : plan;
  }

  /** The plan that is in effect, which may be one without passes; asked for without the lock. */
  private LinePlan<T> validPlan(long now) {
    LinePlan<T> plan = line.plan();
    try {
      return plan.isValid(now) ? plan : LinePlan.none();
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return LinePlan.none();
    }
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
      LinePlan<T> plan = startPlan(validPlan(questions.now), questions.now);
      return questions.begin().decide(() -> decideLast(plan, questions), Collections.emptyList());
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return Collections.emptyList();
    }
  }

  private List<QueuedAttempt<T>> decideLast(LinePlan<T> plan, Questions<T> questions) {
    boolean slot = hasSlot(line.waiting.first(), false, 0, questions) && mayOfferHead(false, questions);
    if (slot && trial.isOn(false, questions)) {
      return Collections.emptyList();
    }
    if (!slot && plan.passes().isEmpty()) {
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
    WalkPosition position = line.memory().lastPosition();
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
    return (slot ? !attempt.isExhausted() || hasSlotForExhausted(0) : plan.has(attempt))
        && !reserved.isAside(attempt, questions) && !attempt.isBackingOff(questions.now)
        && (attempt.isLate() || questions.waits(attempt));
  }

  // What the scheduler does with the offer.

  /**
   * Whether a walk for a node of that partition tries the attempts of this line. On nodes of another
   * partition YARN tries them at most because the label is shared, so such a walk proves nothing.
   */
  private boolean isWalked(String walked) {
    return line.partition.equals(walked);
  }

  /**
   * The scheduler is about to try to place the driver of an attempt that is offered at its position.
   *
   * @return whether it may: no proposal takes the slot; or the rule fails
   */
  boolean tried(QueuedAttempt<T> attempt, String walked, Questions<T> questions) {
    try {
      // A walk may have begun before another ordering took over, or YARN added the attempt again.
      if (attempt.gone || !mayBeGiven(attempt, walked, questions)) {
        return false;
      }
      if (isWalked(walked)) {
        synchronized (lifecycle.lock()) {
          if (!line.waiting.stalled.isEmpty() && line.trials().isOn(questions.now)) {
            line.memory().trialPosition().reached(attempt.submitted);
          }
        }
        clock.tried(attempt, questions.now);
      }
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
    }
    return true;
  }

  /** The scheduler has not placed this attempt, which it was given last. */
  void cameBack(QueuedAttempt<T> attempt, Questions<T> questions) {
    if (pool.leases != null) {
      synchronized (lifecycle.lock()) {
        pool.leases.cameBack(attempt);
      }
      lifecycle.look(attempt, questions.number(), questions.now);
    }
  }

  /**
   * A walk along the attempts offered after all others has reached this one.
   *
   * @return whether the scheduler may try to place its driver; see {@link #tried}
   */
  boolean reached(QueuedAttempt<T> attempt, String walked, Questions<T> questions) {
    try {
      if (attempt.gone || !mayBeGiven(attempt, walked, questions)) {
        return false;
      }
      if (isWalked(walked)) {
        synchronized (lifecycle.lock()) {
          line.memory().lastPosition().reached(attempt.submitted);
        }
      }
      return true;
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return false;
    }
  }

  /**
   * Where drivers are allocated some time after they were proposed, an attempt is given to the scheduler
   * only if those that were given leave a slot. Readers are given nothing.
   */
  private boolean mayBeGiven(QueuedAttempt<T> attempt, String walked, Questions<T> questions) {
    Leases<T> leases = pool.leases;
    if (walked == null || leases == null) {
      return true;
    }
    LinePlan<T> plan = startPlan(validPlan(questions.now), questions.now);
    return questions.begin().decide(() -> {
      if (attempt.reserved) {
        return true;
      }
      // What was proposed counts there, or is allocated by now, and counts here.
      leases.beside(attempt).forEach(questions::knows);
      int proposed = leases.taken(attempt, questions.now);
      boolean may = hasSlot(attempt, true, proposed, questions)
          && (!attempt.isExhausted() || hasSlotForExhausted(proposed)) || plan.has(attempt);
      if (may && !questions.isOpen()) {
        leases.give(attempt, questions.now);
      }
      return may;
    }, false);
  }

  /**
   * A walk along the attempts offered last, or on trial, has passed all of them.
   *
   * @param offered the number of attempts; if it is the maximum, the next walk continues from there, and
   *     if none was offered, it continues where the last one stopped
   */
  void passedAll(int offered, String walked, long now) {
    if (isWalked(walked) && offered > 0) {
      synchronized (lifecycle.lock()) {
        LineMemory memory = line.memory();
        WalkPosition position =
            line.trials().isOn(now) ? memory.trialPosition() : memory.lastPosition();
        if (offered < Scan.MOST) {
          position.reset();
        } else {
          position.passed();
        }
      }
    }
  }

  // Diagnostics.

  /** The reason why the next attempt in line waits. */
  WaitReason waitsFor(long now) {
    LinePlan<T> plan = validPlan(now);
    Questions<T> questions = new Questions<>(lifecycle.lock(), now);
    return questions.begin().decide(() -> waitsFor(plan, questions), new WaitReason(Wait.SLOT));
  }

  private WaitReason waitsFor(LinePlan<T> plan, Questions<T> questions) {
    long now = questions.now;
    int taken = reserved.beside().size() + pool.takenFrom(line.waiting.first());
    boolean slot = taken < line.slots(lifecycle.settings().maxStarting(), now);
    if (!slot && line.areStartsHeld(now)) {
      return new WaitReason(Wait.PROGRESS);
    }
    QueuedAttempt<T> next = line.waiting.next(now);
    slot |= hasSlotBeyond(next, questions);
    boolean mayStart = next != null && startPlan(plan, now).has(next);
    if (slot && !pool.areExecutorsFirst(next, questions) || mayStart) {
      return new WaitReason(Wait.ROOM);
    }
    return plan.reason() != null ? plan.reason() : new WaitReason(slot ? Wait.EXECUTORS : Wait.SLOT);
  }
}
