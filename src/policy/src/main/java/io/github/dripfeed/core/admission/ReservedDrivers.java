// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The drivers of a queue for which a node is reserved. The scheduler allocates them there without
 * consulting the policy again. So each of them takes a slot, and an attempt that loses the offer releases
 * its node.
 *
 * <p>Methods with {@code Questions} are called in a decision, except {@link #look}.
 */
final class ReservedDrivers<T> {

  private final Lifecycle<T> lifecycle;

  ReservedDrivers(Lifecycle<T> lifecycle) {
    this.lifecycle = lifecycle;
  }

  /** Brings those of the line up to date, and some of those of other queues. */
  void look(Line<T> line, Questions<T> questions) {
    if (!line.pool.isAnyReserved()) {
      return;
    }
    Set<QueuedAttempt<T>> all;
    synchronized (lifecycle.lock()) {
      all = new LinkedHashSet<>(line.pool.reservedForLook());
      all.addAll(line.reserved());
      all.removeIf(attempt -> attempt.looked >= questions.number());
    }
    all.forEach(attempt -> attempt.owner.look(attempt, questions.number(), questions.now));
  }

  /** Whether the attempt released its node for others, and is not offered now. */
  boolean isAside(Line<T> line, QueuedAttempt<T> attempt, Questions<T> questions) {
    return attempt.history.isAside(line.trials(), attempt.isLate()) && isAnyWaitingPending(line, questions);
  }

  /**
   * The attempts that stay offered because they have a reserved driver, which YARN allocates without
   * consulting the policy again.
   */
  List<QueuedAttempt<T>> keepers(Line<T> line, Questions<T> questions) {
    List<QueuedAttempt<T>> keepers = line.reserved();
    keepers.removeIf(attempt -> !questions.knows(attempt)
        || line.isLate(attempt, questions) && !line.trials().isOn(questions.now)
        || isAside(line, attempt, questions));
    return keepers;
  }

  /** The late attempts that keep a node. They stay offered, after all others. */
  List<QueuedAttempt<T>> late(Line<T> line, Questions<T> questions) {
    List<QueuedAttempt<T>> late = line.reserved();
    late.removeIf(attempt -> !attempt.isLate() || !questions.knows(attempt)
        || isAside(line, attempt, questions));
    return late;
  }

  /** All attempts that have a reserved driver now. */
  List<QueuedAttempt<T>> all(Line<T> line, long now) {
    look(line, new Questions<>(lifecycle.lock(), now));
    synchronized (lifecycle.lock()) {
      return line.reserved();
    }
  }

  /**
   * The attempts that have a reserved driver and have lost the offer. They are not offered again until
   * something has changed.
   *
   * <p>Without a free slot, every attempt releases its node. With one, an attempt whose turn it is keeps
   * its node. Any other attempt releases it if attempts wait that have not been tried, if a trial is due,
   * or if attempts that stalled before it are pending. It does the last only once: after that all attempts
   * have been tried, and an attempt with a reservation keeps it until a new attempt arrives. One that a
   * plan lets start beside others keeps its node regardless of slots.
   */
  List<QueuedAttempt<T>> losers(Line<T> line, long now) {
    List<QueuedAttempt<T>> all = all(line, now);
    if (all.isEmpty()) {
      return all;
    }
    Questions<T> questions = new Questions<>(lifecycle.lock(), now);
    // Stalled attempts are not counted: they were tried in vain.
    boolean wanted = questions.decide(() -> isAnyWaitingPending(line, questions), false);
    boolean trialDue;
    synchronized (lifecycle.lock()) {
      if (wanted) {
        setAllTried(line, false);
      }
      trialDue = !line.trials().isOn(now)
          && (line.hasLast() || line.isAnyStalledBeside())
          && line.trials().isDue(line.timeBetweenTrials(), now);
      all.removeIf(attempt -> !line.areStartsHeld(now) && line.plan.has(attempt));
    }
    all.forEach(attempt -> lifecycle.clock.waitsForReserved(attempt, now));
    return questions.begin().decide(
        () -> losers(line, all, wanted, trialDue, questions), Collections.emptyList());
  }

  private List<QueuedAttempt<T>> losers(Line<T> line,
      List<QueuedAttempt<T>> all, boolean wanted, boolean trialDue, Questions<T> questions) {
    int slots = line.slots(questions.now);
    int taken = line.pool.starting.takenFrom(line.waiting.first());
    boolean allTried = line.trials().areAllTried();
    boolean makesWay = false;
    int kept = 0;
    int beside = 0;
    List<QueuedAttempt<T>> losers = new ArrayList<>();
    List<QueuedAttempt<T>> aside = new ArrayList<>();
    for (QueuedAttempt<T> attempt : all) {
      if (!attempt.reserved) {
        continue;
      }
      // These come by submission, and the group counts by reservation. So an attempt must also fit beside
      // those of other queues that were reserved earlier.
      int others = Math.max(beside, line.pool.reservedBefore(attempt));
      // What is kept is as urgent.
      boolean free = slots - (kept == 0 ? line.takenFrom(attempt, 0) : taken) - kept > others;
      boolean inTurn = free && isInTurn(line, attempt, questions.now);
      // It takes part in the trial with the others.
      boolean joinsTrial = free && !inTurn && trialDue && isAnyStalledPending(line, null, questions);
      if (inTurn || free && !joinsTrial && !wanted
          && (allTried || !isAnyStalledPending(line, attempt.submitted, questions))) {
        if (!attempt.isExhausted()) {
          kept++;
          beside = others;
        }
      } else {
        losers.add(attempt);
        if (!joinsTrial) {
          makesWay |= free && !wanted;
          aside.add(attempt);
        }
      }
    }
    if (!questions.isOpen()) {
      aside.forEach(attempt -> attempt.history.setAside(line.trials()));
      if (makesWay) {
        setAllTried(line, true);
      }
    }
    return losers;
  }

  private void setAllTried(Line<T> line, boolean tried) {
    if (line.trials().setAllTried(tried)) {
      line.memory.resetPositions();
    }
  }

  private boolean isInTurn(Line<T> line, QueuedAttempt<T> attempt, long now) {
    return !attempt.isLate() && !line.isOpen() || line.trials().isOn(now);
  }

  private boolean isAnyWaitingPending(Line<T> line, Questions<T> questions) {
    return questions.firstPending(line.waiting.inLine.all()) != null
        || line.pool.lines.isAnyPendingBeside(lifecycle, questions);
  }

  /**
   * There is no order between queues, so each attempt makes way for those of other queues, once.
   *
   * @param before the place before which they are in this queue; null for any
   */
  private boolean isAnyStalledPending(Line<T> line, OrderKey before, Questions<T> questions) {
    return questions.firstPending(line.waiting.stalled.before(before)) != null
        || line.pool.lines.isAnyStalledPendingBeside(lifecycle, questions);
  }
}
