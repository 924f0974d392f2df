// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The rule. It decides which attempt gets its driver next, among the attempts of one line. Running and
 * starting attempts are always offered. Among accepted attempts:
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
 *       <em>{@linkplain Line#isOpen open}</em> until a driver is allocated: each accepted attempt is
 *       offered once at its position, and all of them after all other attempts. An attempt that is tried
 *       in vain then, or is overtaken by a later one, has stalled.
 *   <li>{@link ReservedDrivers#losers}: an attempt that loses the offer releases the node that is reserved
 *       for its driver, unless no other attempt could use the slot.
 * </ol>
 *
 * <p>Every decision is made with the lock of the group, from facts that were read without; see {@link
 * Questions}. Safe for use by any thread.
 */
final class Offer<T> {

  private final Lifecycle<T> lifecycle;
  final ReservedDrivers<T> reserved;

  Offer(Lifecycle<T> lifecycle) {
    this.lifecycle = lifecycle;
    this.reserved = new ReservedDrivers<>(lifecycle);
  }

  // Attempts offered at their positions.

  /**
   * The attempts of a line that may get their drivers now, in order; mostly one.
   *
   * @param walked the partition of the node on which the scheduler is about to place them; null if none
   */
  List<QueuedAttempt<T>> inPlace(Line<T> line, String walked, Questions<T> questions) {
    reserved.look(line, questions);
    LinePlan<T> plan = lifecycle.validPlan(line, questions.now);
    List<QueuedAttempt<T>> offer = questions.decide(
        () -> decide(line, line.isWalked(walked), line.inEffect(plan, questions.now), questions),
        Collections.emptyList());
    return plan.front.isEmpty() ? offer : withFront(offer, plan, questions.now);
  }

  /** Those of a line if the rule fails: the first waiting one. */
  List<QueuedAttempt<T>> inAnyCase(Line<T> line) {
    synchronized (lifecycle.lock()) {
      QueuedAttempt<T> next = line.waiting.inLine.first();
      return next == null ? Collections.emptyList() : next.alone();
    }
  }

  private List<QueuedAttempt<T>> decide(
      Line<T> line, boolean walk, LinePlan<T> plan, Questions<T> questions) {
    List<QueuedAttempt<T>> keepers = reserved.keepers(line, questions);
    boolean slot = line.hasSlot(questions);
    boolean onTrial = slot && LateOffer.isTrialOn(line, walk, questions);
    List<QueuedAttempt<T>> others =
        onTrial ? LateOffer.onTrial(line, questions) : Collections.emptyList();
    boolean otherQueuesTrial =
        onTrial && others.isEmpty() && line.pool.lines.isAnyStalledPendingBeside(lifecycle, questions);
    if (others.isEmpty() && !otherQueuesTrial) {
      others = heads(line, slot, walk, plan, questions);
    }
    List<QueuedAttempt<T>> offer = keepers.isEmpty() ? others : LateOffer.together(keepers, others);
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
      Line<T> line, boolean slot, boolean walk, LinePlan<T> plan, Questions<T> questions) {
    QueuedAttempt<T> head = head(line, slot, line.waiting.inLine.first(), null, walk,
        Collections.emptySet(), questions);
    QueuedAttempt<T> planned = first(line, plan.passes, null, Collections.emptySet(), questions);
    if (head == null || planned == null || head == planned) {
      return head != null ? head.alone() : planned != null ? planned.alone() : Collections.emptyList();
    }
    return Arrays.asList(planned, head);
  }

  /**
   * The head behind a place, if a slot is free for it, and the head of no other queue is next; else null.
   *
   * @param slot whether a slot is free for the line
   * @param next the attempt that may be more urgent than those that hold slots
   */
  private QueuedAttempt<T> head(Line<T> line, boolean slot, QueuedAttempt<T> next, OrderKey place,
      boolean walk, Set<String> atLimit, Questions<T> questions) {
    if (!slot && !line.hasSlotBeyond(next, questions) || !mayOfferHead(line, walk, questions)) {
      return null;
    }
    QueuedAttempt<T> head = first(line, line.waiting.inLine, place, atLimit, questions);
    // Those before it may have no request, and be more urgent.
    return head != null && line.hasSlotFor(head, true, 0, questions) ? head : null;
  }

  /** The starting attempts that come first, and then the others. */
  private List<QueuedAttempt<T>> withFront(List<QueuedAttempt<T>> others, LinePlan<T> plan, long now) {
    List<QueuedAttempt<T>> all = new ArrayList<>(plan.front);
    all.removeIf(attempt -> attempt.gone || attempt.history.state() != State.STARTING
        || attempt.isServed(now));
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
  private QueuedAttempt<T> first(Line<T> line, AttemptLane<T> candidates, OrderKey place,
      Set<String> atLimit, Questions<T> questions) {
    QueuedAttempt<T> attempt = candidates.behind(place, atLimit);
    while (attempt != null && !questions.isFull()) {
      if (!attempt.isLate() && questions.waits(attempt) && !attempt.reserved
          && !line.isLate(attempt, questions)) {
        return attempt;
      }
      attempt = candidates.behind(attempt.submitted, atLimit);
    }
    return null;
  }

  /** Whether the head of no other queue is next; a trial goes on regardless. */
  private boolean mayOfferHead(Line<T> line, boolean walk, Questions<T> questions) {
    return line.trials().isOn(questions.now)
        || line.pool.overtaken.mayOffer(line.waiting.first(), walk, questions);
  }

  /** The plan by which attempts may start now, which may be one without passes. */
  private LinePlan<T> plan(Line<T> line, long now) {
    return line.inEffect(lifecycle.validPlan(line, now), now);
  }

  // Attempts offered because the one before them was not placed.

  /** Whether anybody may be offered behind an attempt that the scheduler has not placed. */
  boolean mayOfferBehind(QueuedAttempt<T> tried) {
    synchronized (lifecycle.lock()) {
      Line<T> line = lifecycle.line(tried);
      return line.plan.has(tried) || isOtherUserBehind(line, tried);
    }
  }

  /**
   * The attempt to offer behind one that was not placed: one of another user, if it was skipped because of
   * its user limit, or the next one that may start by the plan; null if there is none.
   *
   * @param atLimit the users that this walk has found at their limit; that of the attempt may be added
   */
  QueuedAttempt<T> behind(QueuedAttempt<T> tried, Set<String> atLimit, Questions<T> questions) {
    Line<T> line = lifecycle.line(tried);
    boolean isOtherUserBehind;
    synchronized (lifecycle.lock()) {
      isOtherUserBehind = isOtherUserBehind(line, tried);
    }
    boolean skipped = isOtherUserBehind && tried.isSkipped(questions.now);
    if (skipped && tried.user() != null && !atLimit.add(tried.user())) {
      // The next one beside another attempt of that user is offered already.
      return null;
    }
    LinePlan<T> plan = plan(line, questions.now);
    return questions.begin().decide(() -> {
      QueuedAttempt<T> next = skipped ? head(line, line.hasSlot(questions), tried, tried.submitted, false,
          atLimit, questions) : null;
      return next == null && (skipped || plan.has(tried))
          ? first(line, plan.passes, tried.submitted, atLimit, questions) : next;
    }, null);
  }

  private static <T> boolean isOtherUserBehind(Line<T> line, QueuedAttempt<T> tried) {
    return tried.lane == State.ACCEPTED && !tried.isLate()
        && line.waiting.inLine.isOtherUserBehind(tried);
  }

  // Attempts offered after all others.

  /** Whether any attempt of the line is offered after all others. */
  boolean hasLast(Line<T> line) {
    synchronized (lifecycle.lock()) {
      return line.hasLast();
    }
  }

  /** The attempts offered after all others, perhaps once more, in order. */
  List<QueuedAttempt<T>> last(Line<T> line, Questions<T> questions) {
    LinePlan<T> plan = plan(line, questions.now);
    return questions.begin().decide(() -> decideLast(line, plan, questions), Collections.emptyList());
  }

  private List<QueuedAttempt<T>> decideLast(Line<T> line, LinePlan<T> plan, Questions<T> questions) {
    boolean slot = line.hasSlot(questions) && mayOfferHead(line, false, questions);
    if (slot && LateOffer.isTrialOn(line, false, questions)) {
      return Collections.emptyList();
    }
    if (!slot && plan.passes.isEmpty()) {
      // An attempt with a reservation may get its driver on another node.
      return reserved.late(line, questions);
    }
    return LateOffer.last(line, attempt -> (slot
        ? !attempt.isExhausted() || line.hasSlotForExhausted(0, questions.now) : plan.has(attempt))
        && !reserved.isAside(line, attempt, questions) && !attempt.isBackingOff(questions.now)
        && (attempt.isLate() || questions.waits(attempt)), questions);
  }

  // What the scheduler does with those that are offered.

  /**
   * The scheduler is about to try to place the driver of the attempt.
   *
   * @param last whether it is offered after all others, or at its position
   * @param walked the partition of the node; null for a reader
   * @return whether it may: no proposal takes the slot
   */
  boolean give(QueuedAttempt<T> attempt, boolean last, String walked, Questions<T> questions) {
    Line<T> line = lifecycle.line(attempt);
    // A walk may have begun before another ordering took over, or YARN added the attempt again.
    if (attempt.gone
        || walked != null && line.pool.leases.areUsed() && !lease(line, attempt, questions)) {
      return false;
    }
    if (line.isWalked(walked)) {
      synchronized (lifecycle.lock()) {
        if (last) {
          line.memory.lastPosition.reached(attempt.submitted);
        } else if (!line.waiting.stalled.isEmpty() && line.trials().isOn(questions.now)) {
          line.memory.trialPosition.reached(attempt.submitted);
        }
      }
      if (!last) {
        lifecycle.clock.tried(attempt, questions.now);
      }
    }
    return true;
  }

  /** Whether those that were given to an asynchronous scheduler leave a slot; it is taken then. */
  private boolean lease(Line<T> line, QueuedAttempt<T> attempt, Questions<T> questions) {
    Leases<T> leases = line.pool.leases;
    LinePlan<T> plan = plan(line, questions.now);
    return questions.begin().decide(() -> {
      if (attempt.reserved) {
        return true;
      }
      // What was proposed counts there, or is allocated by now, and counts here.
      leases.beside(attempt).forEach(questions::knows);
      int proposed = leases.taken(attempt, questions.now);
      boolean may = line.hasSlotFor(attempt, true, proposed, questions)
          && (!attempt.isExhausted() || line.hasSlotForExhausted(proposed, questions.now))
          || plan.has(attempt);
      if (may && !questions.isOpen()) {
        leases.give(attempt, questions.walker, questions.now);
      }
      return may;
    }, false);
  }

  /** The scheduler has not placed this attempt, which it was given last. */
  void cameBack(QueuedAttempt<T> attempt, Questions<T> questions) {
    Leases<T> leases = lifecycle.line(attempt).pool.leases;
    if (leases.areUsed()) {
      long decision = questions.begin().number();
      synchronized (lifecycle.lock()) {
        leases.cameBack(attempt, questions.walker, decision);
      }
      lifecycle.look(attempt, decision, questions.now);
    }
  }

  /**
   * A walk along the attempts of a line offered last, or on trial, has passed all of them.
   *
   * @param offered the number of attempts; if it is the maximum, the next walk continues from there, and
   *     if none was offered, it continues where the last one stopped
   */
  void passedAll(Line<T> line, int offered, String walked, long now) {
    if (line.isWalked(walked) && offered > 0) {
      synchronized (lifecycle.lock()) {
        LineMemory memory = line.memory;
        (line.trials().isOn(now) ? memory.trialPosition : memory.lastPosition)
            .passedAll(offered < LateOffer.MOST);
      }
    }
  }
}
