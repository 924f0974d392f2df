// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.WaitReason;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The rule. It decides which attempt gets its driver next, among the attempts of one queue whose drivers
 * request the same node partition. Running and starting attempts are always offered. Among accepted
 * attempts:
 *
 * <ol>
 *   <li>{@link #offer}: the head, which is the first attempt with a pending request, is offered at its
 *       position only while fewer than {@code max-starting} attempts are starting or have a reserved
 *       driver and, in a group of queues, no starting attempt lacks executors; less urgent ones of its
 *       queue do not count. With {@code max-starting=auto} those that may start by a {@linkplain LinePlan
 *       plan} are offered, too, one after the other, in front, behind the starting ones that lack their
 *       first executors.
 *   <li>{@link #beside}: if the scheduler skips the head because of its user limit, the next
 *       attempt is offered too.
 *   <li>{@link #last}: an attempt that the scheduler has tried to place for {@code accepted-timeout} in
 *       vain has <em>stalled</em>. Stalled attempts are offered after all others. During a {@linkplain
 *       Trials trial} they are offered at their positions; of the other accepted attempts, only those of
 *       an open line and those with a reserved driver are offered then.
 *   <li>Once heads, however many, have held the line in vain for {@code accepted-timeout}, the line is
 *       <em>{@linkplain LineClock#isOpen open}</em> until a driver is allocated: each accepted attempt is
 *       offered once at its position, and all of them after all other attempts. An attempt that is tried
 *       in vain then, or is overtaken by a later one, has stalled.
 *   <li>{@link #losers}: an attempt that loses the offer releases the node that is reserved for its
 *       driver, unless no other attempt could use the slot.
 * </ol>
 *
 * <p>Safe for use by any thread; {@link #offer} takes no lock unless the offer changes.
 *
 * @param <T> the type that represents an application attempt
 */
final class AdmissionLine<T> {

  private final PartitionLanes<T> lanes;
  private final Lifecycle<T> lifecycle;
  private final AttemptFacts<T> facts;
  private final LineClock<T> clock;
  private final ReservedDrivers<T> reserved;
  private final TrialOffer<T> trial;

  AdmissionLine(PartitionLanes<T> lanes, Lifecycle<T> lifecycle) {
    this.lanes = lanes;
    this.lifecycle = lifecycle;
    this.facts = lifecycle.facts();
    this.clock = lifecycle.clock();
    this.reserved = new ReservedDrivers<>(lanes, lifecycle);
    this.trial = new TrialOffer<>(lanes, lifecycle, reserved);
  }

  // Attempts offered at their positions.

  /**
   * The attempts that may get their drivers now, in order; mostly one. If the rule fails, it is the first
   * waiting one, and other lines decide for themselves.
   *
   * @param walked the partition of the node on which the scheduler is about to place them; null if none
   */
  List<QueuedAttempt<T>> offer(String walked, long now) {
    try {
      if (walked != null) {
        lanes.visited();
      }
      List<QueuedAttempt<T>> offer = decide(isWalked(walked), now);
      QueuedAttempt<T> head = offer.isEmpty() ? null : offer.get(0);
      if (lanes.setOffered(head)) {
        lifecycle.offered(head, lanes.partition());
      }
      return withFront(offer, now);
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      QueuedAttempt<T> next = lanes.firstWaiting();
      return next == null ? Collections.emptyList() : next.alone();
    }
  }

  private List<QueuedAttempt<T>> decide(boolean walk, long now) {
    boolean slot = hasFreeSlot(now);
    List<QueuedAttempt<T>> keepers = reserved.keepers(now);
    List<QueuedAttempt<T>> others = Collections.emptyList();
    boolean otherQueuesTrial = false;
    if (slot && trial.isOn(walk, now)) {
      others = trial.offer(now);
      slot = hasFreeSlot(now);
      if (!slot) {
        others = Collections.emptyList();
      }
      otherQueuesTrial = slot && others.isEmpty() && lanes.isAnyStalledPendingBeside(lifecycle, now);
    }
    if (others.isEmpty() && !otherQueuesTrial) {
      others = heads(slot, walk, now);
    }
    return keepers.isEmpty() ? others : Scan.together(keepers, others);
  }

  /** The first one that has the slot, and the first one that may start by the plan. */
  private List<QueuedAttempt<T>> heads(boolean slot, boolean walk, long now) {
    QueuedAttempt<T> head = (slot || hasSlotBeyond(lanes.firstWaiting(), now)) && mayOfferHead(walk, now)
        ? first(lanes.waiting.behind(null).values(), Collections.emptySet(), now) : null;
    // Slots are checked again after the head: an attempt that stopped waiting meanwhile is starting by now,
    // and has taken the slot. Or the first one has no request, and those behind it are less urgent.
    if (head != null && !hasFreeSlot(head, 0, now)) {
      head = null;
    }
    QueuedAttempt<T> planned = isPlanActive(now)
        ? first(lanes.plan().behind(null), Collections.emptySet(), now) : null;
    if (head == null || planned == null || head == planned) {
      return head != null ? head.alone() : planned != null ? planned.alone() : Collections.emptyList();
    }
    return Arrays.asList(planned, head);
  }

  /** The starting attempts that come first, and then the others. */
  private List<QueuedAttempt<T>> withFront(List<QueuedAttempt<T>> others, long now) {
    List<QueuedAttempt<T>> planned = lanes.plan().front(now);
    if (planned.isEmpty()) {
      return others;
    }
    List<QueuedAttempt<T>> all = new ArrayList<>();
    for (QueuedAttempt<T> attempt : planned) {
      if (!attempt.gone && attempt.history.state() == State.STARTING
          && facts.executors(attempt, now) < attempt.settings.minExecutors()) {
        all.add(attempt);
      }
    }
    all.addAll(others);
    return all;
  }

  /**
   * The next attempt that may start by the plan, in a walk in which the scheduler has not placed this one,
   * which may, too; null if there is none.
   *
   * @param atLimit the users that this walk has found at their limit
   */
  QueuedAttempt<T> nextPlanned(QueuedAttempt<T> tried, Set<String> atLimit, long now) {
    return lanes.plan().has(tried) && isPlanActive(now)
        ? first(lanes.plan().behind(tried.submitted), atLimit, now) : null;
  }

  /**
   * Whether to look for an attempt of another user: the scheduler could not place this one in this walk
   * because of its user limit, and one may be behind. A trial has none at its limit.
   */
  boolean mayOfferBeside(QueuedAttempt<T> tried, long now) {
    return tried.history.state() == State.ACCEPTED && !tried.isLate() && !isNoOtherUserBehind(tried, now)
        && facts.isSkipped(tried, now);
  }

  /**
   * Whether none is waiting behind this one, or all of them are known to be of its user. Then nothing is
   * asked of the scheduler, which computes the user limit for an answer.
   */
  private boolean isNoOtherUserBehind(QueuedAttempt<T> tried, long now) {
    LimitedRun run = tried.limitedRun;
    OrderKey known = run == null ? null
        : run.end(lanes.waiting.version(), Collections.singleton(facts.user(tried, now)));
    return known != null && run.isLast()
        || lanes.waiting.behind(known == null ? tried.submitted : known).isEmpty();
  }

  /**
   * The attempt to offer beside one that the scheduler skipped because of its user limit, or null.
   *
   * @param atLimit the users that this walk has found at their limit; that of the attempt is added
   */
  QueuedAttempt<T> beside(QueuedAttempt<T> tried, Set<String> atLimit, long now) {
    // The next one beside another attempt of that user is offered already.
    if (!facts.addUser(tried, atLimit, now)) {
      return null;
    }
    boolean slot = (hasFreeSlot(now) || hasSlotBeyond(tried, now)) && mayOfferHead(false, now);
    QueuedAttempt<T> next = slot
        ? first(lanes.waiting.behind(behindLimited(tried, atLimit, now)).values(), atLimit, now) : null;
    if (next != null && !hasFreeSlot(next, 0, now)) {
      next = null;
    }
    return next == null && isPlanActive(now)
        ? first(lanes.plan().behind(tried.submitted), atLimit, now) : next;
  }

  /** The end of those right behind the attempt that are all of users at their limit, or its place. */
  private OrderKey behindLimited(QueuedAttempt<T> tried, Set<String> atLimit, long now) {
    Object version = lanes.waiting.version();
    LimitedRun run = tried.limitedRun;
    OrderKey known = run == null ? null : run.end(version, atLimit);
    OrderKey end = known == null ? tried.submitted : known;
    boolean last = true;
    for (QueuedAttempt<T> attempt : lanes.waiting.behind(end).values()) {
      if (!facts.isOfAny(atLimit, attempt, now)) {
        last = false;
        break;
      }
      end = attempt.submitted;
    }
    if (end != known && end != tried.submitted) {
      tried.limitedRun = new LimitedRun(version, atLimit, end, last);
    }
    return end;
  }

  /**
   * The first waiting attempt that has a pending request for its driver and does not stall now.
   *
   * @param candidates in order
   * @param atLimit users that cannot start another one; they may have many
   */
  private QueuedAttempt<T> first(
      Collection<QueuedAttempt<T>> candidates, Set<String> atLimit, long now) {
    for (QueuedAttempt<T> attempt : candidates) {
      if (attempt.isLate() || !atLimit.isEmpty() && facts.isOfAny(atLimit, attempt, now)) {
        continue;
      }
      boolean pending = facts.hasOutstandingRequest(attempt, now);
      if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED && pending
          && !lifecycle.updatePartition(attempt, now) && !clock.stall(attempt, now)
          && !lanes.reserved.contains(attempt)) {
        return attempt;
      }
    }
    return null;
  }

  /** Whether the starting attempts and the reserved drivers leave a slot free. */
  private boolean hasFreeSlot(long now) {
    // In this order: an attempt whose reservation has become its driver is counted as starting.
    int held = reserved.isAny() ? reserved.held(now) : 0;
    QueuedAttempt<T> next = lanes.first();
    return held + lanes.competing().takenFrom(next) < lanes.slots(lifecycle.settings().maxStarting(), now)
        && !lanes.group().doExecutorsComeFirst(next, attempt -> attempt.holds(next), now);
  }

  /**
   * Whether there is one for an attempt that is more urgent than those that hold slots. With {@code
   * max-starting=auto} the plan decides who starts beside others: it knows for whom there is room.
   */
  private boolean hasSlotBeyond(QueuedAttempt<T> next, long now) {
    return lanes.isMoreUrgent(next) && !lifecycle.settings().isAuto() && !lanes.areStartsHeld(now)
        && hasFreeSlot(next, 0, now);
  }

  /**
   * Whether they leave one free for this attempt: those that are less urgent do not bind it.
   *
   * @param proposed the number of drivers that are proposed, and take slots, too
   */
  private boolean hasFreeSlot(QueuedAttempt<T> next, int proposed, long now) {
    int held = proposed + (reserved.isAny() ? reserved.held(now) : 0);
    return lanes.takenFrom(next, held) < lanes.slots(lifecycle.settings().maxStarting(), now)
        && !lanes.group().doExecutorsComeFirst(
            next, attempt -> attempt.holds(next) && !attempt.yieldsTo(next), now);
  }

  /** Whether the head of no other queue is next; a trial goes on regardless. */
  private boolean mayOfferHead(boolean walk, long now) {
    return lanes.slots().trials().isOn(now)
        || lanes.group().overtaken().mayOffer(lanes.first(), walk, now);
  }

  /** Whether an attempt may start by the plan; false if that cannot be read. */
  private boolean isPlanActive(long now) {
    return isSafe(() -> lanes.plan().isActive(now), now);
  }

  /** Whether the attempt may start although no slot is free. */
  private boolean isSafe(QueuedAttempt<T> attempt, long now) {
    return isSafe(() -> lanes.plan().mayStart(attempt, now), now);
  }

  private boolean isSafe(BooleanSupplier planned, long now) {
    try {
      return !lanes.areStartsHeld(now) && planned.getAsBoolean();
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return false;
    }
  }

  // Attempts offered after all others.

  /** Whether any attempt is offered after all others. */
  boolean hasLast() {
    return clock.hasLast(lanes);
  }

  /**
   * The attempts offered after all others, in order. They may include an attempt that is also offered at
   * its position. None if the rule fails.
   */
  List<QueuedAttempt<T>> last(long now) {
    try {
      return decideLast(now);
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return Collections.emptyList();
    }
  }

  private List<QueuedAttempt<T>> decideLast(long now) {
    boolean slot = hasFreeSlot(now) && mayOfferHead(false, now);
    if (slot && trial.isOn(false, now)) {
      return Collections.emptyList();
    }
    if (!slot && !isPlanActive(now)) {
      // An attempt with a reservation may get its driver on another node.
      return reserved.late(now);
    }
    return collectLast(slot, now);
  }

  /**
   * The attempts of an open line, then the stalled ones, then those with an exhausted starting time; before
   * them those behind the position of the last walk.
   */
  private List<QueuedAttempt<T>> collectLast(boolean slot, long now) {
    WalkPosition position = lanes.memory().lastPosition();
    Predicate<QueuedAttempt<T>> isOffered = attempt -> mayBeLast(attempt, slot, now);
    Scan<T> last = new Scan<>(Integer.MAX_VALUE, isOffered);
    OrderKey after = position.scannedTo();
    if (after != null) {
      Predicate<QueuedAttempt<T>> isSmaller = facts.isSmaller(lanes.endOf(position), now);
      Scan<T> behind = new Scan<>(Scan.MOST, isSmaller.and(isOffered));
      alongLast(behind, after);
      if (behind.found().isEmpty()) {
        position.scanned(behind.end());
      }
      last.add(behind.found());
    }
    alongLast(last, null);
    return last.found();
  }

  /** @param after the position to scan from; null for the first attempt */
  private void alongLast(Scan<T> scan, OrderKey after) {
    QueuedAttempt<T> there = after == null ? null : lanes.stalled.bySubmission().get(after);
    Predicate<QueuedAttempt<T>> isExhausted = QueuedAttempt::isExhausted;
    if (there == null && clock.isOpen(lanes)) {
      scan.along(lanes.waiting.behind(after));
    }
    if (there == null || !there.isExhausted()) {
      scan.along(lanes.stalled.behind(there == null ? null : after), isExhausted.negate());
    }
    scan.along(lanes.stalled.behind(there == null || !there.isExhausted() ? null : after), isExhausted);
  }

  private boolean mayBeLast(QueuedAttempt<T> attempt, boolean slot, long now) {
    return (slot ? !attempt.isExhausted() || hasSlotForExhausted(0) : isSafe(attempt, now))
        && !reserved.isAside(attempt, now) && !attempt.isBackingOff(now)
            && (attempt.isLate() || facts.hasOutstandingRequest(attempt, now));
  }

  /** Exhausted attempts take no slot from others, but compete with each other. */
  private boolean hasSlotForExhausted(int proposed) {
    return proposed + lanes.competing().size() + reserved.size() < lifecycle.settings().maxStarting();
  }

  /**
   * Whether a walk for a node of that partition tries the attempts of this line. On nodes of another
   * partition YARN tries them at most because the label is shared, so such a walk proves nothing.
   */
  private boolean isWalked(String walked) {
    return lanes.partition().equals(walked);
  }

  /**
   * The scheduler is about to try to place the driver of an attempt that is offered at its position.
   *
   * @return whether it may: it is not the turn of another queue, and no proposal takes the slot; or the
   *     rule fails
   */
  boolean tried(QueuedAttempt<T> attempt, String walked, long now) {
    try {
      if (!mayBeGiven(attempt, walked, now)) {
        return false;
      }
      if (isWalked(walked)) {
        if (!lanes.stalled.isEmpty() && lanes.slots().trials().isOn(now)) {
          lanes.memory().trialPosition().reached(attempt.submitted);
        }
        clock.tried(attempt, now);
      }
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
    }
    return true;
  }

  /** The scheduler has not placed this attempt, which it was given last. */
  void cameBack(QueuedAttempt<T> attempt, long now) {
    lanes.cameBack(attempt, now);
  }

  /**
   * A walk along the attempts offered after all others has reached this one.
   *
   * @return whether the scheduler may try to place its driver; see {@link #tried}
   */
  boolean reached(QueuedAttempt<T> attempt, String walked, long now) {
    try {
      if (!mayBeGiven(attempt, walked, now)) {
        return false;
      }
      if (isWalked(walked)) {
        lanes.memory().lastPosition().reached(attempt.submitted);
      }
      return true;
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return false;
    }
  }

  /**
   * Where drivers are allocated some time after they were proposed, an attempt is given to the scheduler
   * only in the turn of its queue, and if proposals that are under way leave a slot. Readers take neither.
   */
  private boolean mayBeGiven(QueuedAttempt<T> attempt, String walked, long now) {
    Proposals<T> proposals = lanes.proposals();
    if (walked == null || lanes.reserved.contains(attempt) || !lanes.takesTurns() && proposals == null) {
      return true;
    }
    // A walk may have begun before another ordering took over, or YARN added the attempt again.
    if (attempt.gone || !attempt.isManaged() || lanes.takesTurns() && !lanes.takeTurn(attempt, now)) {
      return false;
    }
    int proposed = 0;
    if (proposals != null) {
      proposals.add(attempt, now);
      proposed = proposals.beside(attempt, now);
    }
    // What was proposed counts there, or is allocated by now, and counts here.
    boolean may = hasFreeSlot(attempt, proposed, now)
        && (!attempt.isExhausted() || hasSlotForExhausted(proposed)) || isSafe(attempt, now);
    if (!may) {
      cameBack(attempt, now);
    }
    return may;
  }

  /**
   * A walk along the attempts offered last, or on trial, has passed all of them.
   *
   * @param offered the number of attempts; if it is the maximum, the next walk continues from there, and
   *     if none was offered, it continues where the last one stopped
   */
  void passedAll(int offered, String walked, long now) {
    if (isWalked(walked) && offered > 0) {
      LineMemory memory = lanes.memory();
      boolean trial = lanes.slots().trials().isOn(now);
      WalkPosition position = trial ? memory.trialPosition() : memory.lastPosition();
      if (offered < Scan.MOST) {
        position.reset();
      } else {
        position.passed();
      }
    }
  }

  /** Updates the starting attempts whose state time or other threads may have changed. */
  void checkStarting(long now) {
    try {
      lanes.group().check().run(now);
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
    }
  }

  /** The attempts that have a reserved driver. */
  List<QueuedAttempt<T>> reserved(long now) {
    return reserved.all(now);
  }

  /** The attempts that have a reserved driver and have lost the offer. */
  List<QueuedAttempt<T>> losers(long now) {
    return reserved.losers(a -> !lanes.areStartsHeld(now) && lanes.plan().has(a), now);
  }

  PartitionLanes<T> lanes() {
    return lanes;
  }

  /** The attempts of other queues of the group whose drivers are reserved, and take slots. */
  List<QueuedAttempt<T>> reservedBeside() {
    return lanes.group().reserved().stream().filter(attempt -> attempt.owner() != lifecycle
            && !attempt.isExhausted() && attempt.history.state() == State.ACCEPTED)
        .collect(Collectors.toList());
  }

  /** The reason why the next attempt in line waits; changes nothing. */
  WaitReason waitsFor(long now) {
    long taken = reservedBeside().size() + lanes.competing().attempts().stream()
        .filter(attempt -> attempt.history.state() == State.STARTING && attempt.takesSlot()
            && attempt.holds(lanes.first())).count();
    boolean slot = taken < lanes.slots(lifecycle.settings().maxStarting(), now);
    if (!slot && lanes.areStartsHeld(now)) {
      return new WaitReason(Wait.PROGRESS);
    }
    QueuedAttempt<T> next = lanes.nextWaiting(now);
    slot |= hasSlotBeyond(next, now);
    if (slot && !lanes.group().areExecutorsFirst(next, now) || next != null && isSafe(next, now)) {
      return new WaitReason(Wait.ROOM);
    }
    WaitReason found = lanes.plan().reason(now);
    return found == null ? new WaitReason(slot ? Wait.EXECUTORS : Wait.SLOT) : found;
  }
}
