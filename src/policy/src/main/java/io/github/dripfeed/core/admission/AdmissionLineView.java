// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.WaitReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The attempts that compete for the starting slots of one partition, for diagnostics. A snapshot.
 *
 * @param <T> the type that represents an application attempt
 */
public final class AdmissionLineView<T> {

  /** A starting attempt. */
  public static final class Starting<T> {
    public final T item;
    /** How long it has been starting, in milliseconds. */
    public final long millis;
    /** The limit on that time, in milliseconds. */
    public final long atMost;

    Starting(T item, long millis, long atMost) {
      this.item = item;
      this.millis = millis;
      this.atMost = atMost;
    }
  }

  /** The name of the partition; empty for the default partition. */
  public final String partition;
  /** The group of queues that share the slots; null if the queue is in none. */
  public final String group;
  /** The starting attempts that compete for the slots: of all queues of the group, if there is one. */
  public final List<Starting<T>> starting;
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
  private final Questions<T> questions;

  /**
   * Called with the lock of the group.
   *
   * @param starting the starting attempts that compete for the slots
   * @param questions knows which users are at their limits
   */
  AdmissionLineView(Offer<T> offer, List<Starting<T>> starting, WaitReason waitsFor,
      Questions<T> questions) {
    Line<T> line = offer.line;
    this.partition = line.partition;
    this.group = line.pool.name;
    this.starting = starting;
    offer.reserved.beside().forEach(attempt -> reservedBeside.add(attempt.item));
    line.reserved.values().stream().filter(attempt -> !attempt.isExhausted())
        .forEach(attempt -> reserved.add(attempt.item));
    this.waiting = line.waiting.inLine.copy();
    this.stalled = line.waiting.stalled.copy();
    this.waitsFor = waitsFor;
    this.questions = questions;
  }

  /**
   * Whether the scheduler skips a waiting attempt because of its user limit; it then holds back no
   * other attempt.
   */
  public boolean isSkipped(AttemptView<T> attempt) {
    QueuedAttempt<T> queued = (QueuedAttempt<T>) attempt;
    return attempt != null && attempt.state() == State.ACCEPTED
        && questions.decide(() -> !questions.isBelowLimit(queued), false);
  }
}
