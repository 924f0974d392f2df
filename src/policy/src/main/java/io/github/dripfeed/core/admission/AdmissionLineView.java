// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.WaitReason;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The attempts that compete for the starting slots of one partition, for diagnostics. A snapshot. */
public final class AdmissionLineView<T> {

  /** The name of the partition; empty for the default partition. */
  public final String partition;
  /** The group of queues that share the slots; null if the queue is in none. */
  public final String group;
  /** The attempts of other queues of the group that hold a slot because their drivers are reserved. */
  public final List<T> reservedBeside = new ArrayList<>();
  /** The attempts of this queue that hold a slot because their drivers are reserved. */
  public final Set<T> reserved = new HashSet<>();
  /** The attempts that wait for their turn, in order. */
  public final List<? extends AttemptView<T>> waiting;
  /** The stalled attempts, which come last. */
  public final List<? extends AttemptView<T>> stalled;
  /** Why the next attempt waits, and with it all attempts behind it. */
  public final WaitReason waitsFor;
  /** When it was made. */
  public final long now;
  private final Line<T> line;
  private final GroupLock lock;

  AdmissionLineView(Line<T> line, Lifecycle<T> lifecycle, long now) {
    this.partition = line.partition;
    this.group = line.pool.name;
    this.waitsFor = waitsFor(line, lifecycle, now);
    this.line = line;
    this.lock = lifecycle.lock();
    this.now = now;
    synchronized (lock) {
      line.reservedBeside().forEach(attempt -> reservedBeside.add(attempt.item));
      line.reserved().stream().filter(attempt -> !attempt.isExhausted())
          .forEach(attempt -> reserved.add(attempt.item));
      this.waiting = new ArrayList<>(line.waiting.inLine.all());
      this.stalled = new ArrayList<>(line.waiting.stalled.all());
    }
  }

  /**
   * The starting attempts that compete for the slots now: of all queues of the group, if there is one. They
   * may be many, so each reader copies them.
   */
  public List<? extends AttemptView<T>> starting() {
    List<QueuedAttempt<T>> competing;
    synchronized (lock) {
      competing = new ArrayList<>(line.pool.starting.all());
    }
    competing.sort(Comparator.comparing(attempt -> attempt.submitted));
    return competing;
  }

  /** The reason why the next attempt in line waits. */
  private static <T> WaitReason waitsFor(Line<T> line, Lifecycle<T> lifecycle, long now) {
    LinePlan<T> plan = lifecycle.validPlan(line, now);
    Questions<T> questions = new Questions<>(lifecycle.lock(), now);
    return questions.decide(() -> waitsFor(line, plan, questions), new WaitReason(Wait.SLOT));
  }

  private static <T> WaitReason waitsFor(Line<T> line, LinePlan<T> plan, Questions<T> questions) {
    long now = questions.now;
    // Drivers of this line that are reserved wait for room themselves.
    int taken = line.reservedBeside().size() + line.pool.starting.takenFrom(line.waiting.first());
    boolean slot = taken < line.slots(now);
    if (!slot && line.areStartsHeld(now)) {
      return new WaitReason(Wait.PROGRESS);
    }
    QueuedAttempt<T> next = line.waiting.next(now);
    slot |= line.hasSlotBeyond(next, questions);
    boolean mayStart = next != null && line.inEffect(plan, now).has(next);
    if (slot && !line.pool.areExecutorsFirst(next, questions) || mayStart) {
      return new WaitReason(Wait.ROOM);
    }
    return plan.reason != null ? plan.reason : new WaitReason(slot ? Wait.EXECUTORS : Wait.SLOT);
  }

  /**
   * Tells whether the scheduler skips a waiting attempt because of its user limit; it then holds back no
   * other attempt. Each user is asked for once. For one thread.
   */
  public Predicate<AttemptView<T>> skipped() {
    Questions<T> questions = new Questions<>(lock, now);
    return attempt -> attempt.state() == State.ACCEPTED
        && questions.decide(() -> !questions.isBelowLimit((QueuedAttempt<T>) attempt), false);
  }
}
