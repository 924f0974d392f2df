// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Collections;
import java.util.List;

/**
 * One attempt in the order of one queue: its identity and its position. {@link AdmissionLanes} moves it
 * while holding its lock.
 *
 * @param <T> the type that represents an application attempt
 */
final class QueuedAttempt<T> extends AttemptView<T> {

  /**
   * The ordering that has the attempt, for components that see the attempts of several orderings. A class,
   * because every decision calls it: the JIT inlines calls of a class that has one subclass.
   */
  abstract static class Owner<T> {

    /** Identifies the ordering; see {@link AttemptHistory#setOrdering}. */
    abstract Object token();

    /**
     * Updates state and lanes to the scheduler's current data.
     *
     * @param partition whether the partition is updated, too
     */
    abstract void bringUpToDate(QueuedAttempt<T> attempt, boolean partition, long now);

    /**
     * Updates an attempt whose driver may have been allocated or reserved.
     *
     * @return whether it still waits
     */
    abstract boolean checkDriver(QueuedAttempt<T> attempt, long now);

    /** The milliseconds until a time limit may make the attempt running, at the earliest. */
    abstract long millisToLimit(QueuedAttempt<T> attempt, long now);

    /** The time that the attempt has been starting, as far as it is known. */
    abstract long millisStarting(QueuedAttempt<T> attempt, long now);

    /** Whether it waits and its driver is reserved; if not, it no longer counts as such. */
    abstract boolean isReserved(QueuedAttempt<T> attempt, long now);

    /**
     * Whether it waits, has no reserved driver, and the scheduler has proposed its driver and not allocated
     * it yet.
     */
    abstract boolean isProposed(QueuedAttempt<T> attempt, long now);

    /** Whether it has a pending request and no reservation, and the scheduler does not pass over it. */
    abstract boolean isPending(QueuedAttempt<T> attempt, long now);

    /**
     * Whether it has its driver, has not got {@code min-executors} executors yet and requests some in its
     * line's partition, and the scheduler does not pass over it.
     */
    abstract boolean lacksExecutors(QueuedAttempt<T> attempt, long now);

    /** The number of its live executors. */
    abstract int executors(QueuedAttempt<T> attempt, long now);

    /** Whether its queue has a starting slot for it. */
    abstract boolean hasSlot(QueuedAttempt<T> attempt, long now);

    /** Others have overtaken it, and no node had room for it when it alone was offered. */
    abstract void overtakenInVain(QueuedAttempt<T> attempt, long now);

    /** The highest queue that is too full for what it requests; see {@link Attempt#fullQueue}. */
    abstract String fullQueue(QueuedAttempt<T> attempt, long now);
  }

  /**
   * The order key by submission, which determines its position while it waits, because it holds nothing
   * then.
   */
  final OrderKey submitted;

  private final Owner<T> owner;
  /** The order key by its share of the queue. */
  volatile OrderKey admittedAt;
  /** The partition of its line. */
  private volatile String partition;
  /** The state in whose lanes it is; null before it is in any lane. */
  volatile State lane;
  /** The place at which it is offered: in front if a plan says so. */
  volatile OrderKey offeredAt;
  /** Those behind it that the scheduler passes over; null if there are none. */
  volatile LimitedRun limitedRun;
  /** Null before the first offer. Any thread may make it: all of them are equal. */
  private List<QueuedAttempt<T>> alone;
  /** While it is starting: the highest queue that was too full for its request at the last look. */
  volatile String fullQueue = "";
  /** Whether its driver has ended; its other containers end, and it is removed, soon. */
  volatile boolean ending;
  /** Whether it was removed for good. */
  volatile boolean gone;

  QueuedAttempt(T item, Attempt attempt, Arrival arrival, Owner<T> owner) {
    super(item, attempt, arrival);
    this.submitted = arrival.place;
    this.offeredAt = submitted;
    this.admittedAt = arrival.place;
    this.owner = owner;
  }

  @Override
  public OrderKey place() {
    return admittedAt;
  }

  Owner<T> owner() {
    return owner;
  }

  /** Whether its ordering manages it; false once another one has taken it over. */
  boolean isManaged() {
    return history.isManagedBy(owner.token());
  }

  /** Whether its queue still uses its ordering; see {@link Attempt#isOrdered}. */
  boolean isOrdered() {
    try {
      return attempt.isOrdered();
    } catch (RuntimeException | LinkageError e) {
      return false;
    }
  }

  /**
   * Whether it holds back another one while it takes a slot, or lacks executors: it does if what ends in
   * the other one's queue is of use to it.
   */
  boolean holds(QueuedAttempt<T> other) {
    return isWithin(fullQueue, other);
  }

  /** Whether its slot does not bind that other one, which has a higher priority in the same queue. */
  boolean yieldsTo(QueuedAttempt<T> other) {
    return owner == other.owner && submitted.priority() < other.submitted.priority() && !other.isLate();
  }

  /** Whether the attempt is in that queue or below it; the empty path is that of all queues. */
  static boolean isWithin(String path, QueuedAttempt<?> attempt) {
    String own = path.isEmpty() || attempt == null ? path : attempt.queue();
    return own.startsWith(path)
        && (own.length() == path.length() || path.isEmpty() || own.charAt(path.length()) == '.');
  }

  /** The path of its queue; empty if it cannot be read. */
  private String queue() {
    try {
      return attempt.queue();
    } catch (RuntimeException | LinkageError e) {
      return "";
    }
  }

  /** The offer of this attempt and no other, made once: most offers are of one. */
  List<QueuedAttempt<T>> alone() {
    List<QueuedAttempt<T>> made = alone;
    if (made == null) {
      made = Collections.singletonList(this);
      alone = made;
    }
    return made;
  }

  String partition() {
    return partition;
  }

  void setPartition(String current) {
    partition = current;
  }
}
