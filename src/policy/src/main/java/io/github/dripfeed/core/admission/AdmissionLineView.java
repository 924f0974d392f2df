// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.WaitReason;
import java.util.ArrayList;
import java.util.Collections;
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

  private final String partition;
  private final String group;
  private final List<Starting<T>> starting;
  private final List<T> reservedBeside = new ArrayList<>();
  private final Set<T> reserved = new HashSet<>();
  private final List<QueuedAttempt<T>> waiting;
  private final List<QueuedAttempt<T>> stalled;
  private final WaitReason waitsFor;
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

  /** The name of the partition; empty for the default partition. */
  public String partition() {
    return partition;
  }

  /** The group of queues that share the slots; null if the queue is in none. */
  public String group() {
    return group;
  }

  /** The starting attempts that compete for the slots: of all queues of the group, if there is one. */
  public List<Starting<T>> starting() {
    return starting;
  }

  /** The attempts of other queues of the group that hold a slot because their drivers are reserved. */
  public List<T> reservedBeside() {
    return reservedBeside;
  }

  /** The attempts of this queue that hold a slot because their drivers are reserved. */
  public Set<T> reserved() {
    return reserved;
  }

  /** The attempts that wait for their turn, in order. */
  public Iterable<AttemptView<T>> waiting() {
    return Collections.unmodifiableList(waiting);
  }

  /** The stalled attempts, which come last. */
  public Iterable<AttemptView<T>> stalled() {
    return Collections.unmodifiableList(stalled);
  }

  /** Why the next attempt waits, and with it all attempts behind it. */
  public WaitReason waitsFor() {
    return waitsFor;
  }
}
