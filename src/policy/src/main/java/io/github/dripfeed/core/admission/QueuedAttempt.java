// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * One attempt in the order of one queue: where it is, and what a decision knows of it. Its facts are read
 * without the lock of its group; all that is not final, and not volatile, is used only with the lock.
 */
final class QueuedAttempt<T> extends AttemptView<T> {

  /** A fact that was read for the decision of that number; used with the lock. */
  static final class Known<V> {
    long decision;
    V value;
  }

  /** The ordering of a queue, for what sees the attempts of several orderings. */
  abstract static class Owner<T> {

    /**
     * Reads what a decision has to know of an attempt, and brings its state and its line up to date.
     *
     * @param decision the number of the decision for which it is read
     */
    abstract void look(QueuedAttempt<T> attempt, long decision, long now);

    /** Whether attempts of its line may start at all now; used with the lock of the group. */
    abstract boolean mayStart(QueuedAttempt<T> attempt, long now);

    /** Whether the queue has a starting slot for the attempt; used with the lock of the group. */
    abstract boolean hasSlot(QueuedAttempt<T> attempt, long now);

    /**
     * Others come before the attempt from now on; used with the lock of the group.
     *
     * @return tells the listener, without the lock; null if there is nothing to tell
     */
    abstract Runnable stall(QueuedAttempt<T> attempt, long now);

    /** A fact of the attempt cannot be read: when in doubt, it runs. */
    abstract void undetermined(QueuedAttempt<T> attempt, Throwable failure, long now);

    /** Another ordering has taken over the attempt, and perhaps the queue. */
    abstract void handOver(QueuedAttempt<?> attempt, boolean ofSameQueue);
  }

  final Owner<T> owner;

  // Where it is.

  /** Its position while it waits: by priority and submission. Its share does not count then. */
  final OrderKey submitted;
  /** The order key by its share of the queue. */
  volatile OrderKey admittedAt;
  /** The place at which it is offered: in front if a plan says so. */
  volatile OrderKey offeredAt;
  /** The partition of its line. */
  volatile String partition = "";
  /** The state in whose lanes it is; null before it is in any lane. */
  volatile State lane;
  /** Whether its driver has ended; its other containers end, and it is removed, soon. */
  volatile boolean ending;
  /** Whether it was removed, or another ordering has taken it over. */
  volatile boolean gone;

  // What is known.

  /** The number of the decision for which it was looked at last, and what was seen. */
  long looked;
  boolean pending;
  /** Whether it waits, and had a reserved driver at the last look. */
  volatile boolean reserved;
  /** Whether its user is at its limit, while it waits. */
  final Known<Boolean> atLimit = new Known<>();
  /** The highest queue that is too full for its request, while it waits. */
  final Known<String> fullFor = new Known<>();
  /** What it requests while it waits. */
  final Known<ResourceVector> requested = new Known<>();
  /** The highest queue that is too full for its request, while it is starting. */
  String fullQueue = "";
  /** The time at which its user was found to be at its limit last: what is tried then is not in vain. */
  volatile long excusedAt = Long.MIN_VALUE;
  /** The time at which the partition of its driver was read while it is starting. */
  volatile long partitionRead = Long.MIN_VALUE;
  /** The path of its queue. */
  private volatile String path = "";
  /** Null before it is read, and if it cannot be read. */
  private volatile String user;
  private List<QueuedAttempt<T>> alone;

  QueuedAttempt(T item, Attempt attempt, Arrival arrival, Owner<T> owner) {
    super(item, attempt, arrival);
    this.owner = owner;
    this.submitted = arrival.place;
    this.offeredAt = submitted;
    this.admittedAt = submitted;
  }

  @Override
  public OrderKey place() {
    return admittedAt;
  }

  /**
   * Whether it holds back another one while it takes a slot, or lacks executors: always, unless a queue is
   * too full for it and the other one is outside of that queue.
   */
  boolean holds(QueuedAttempt<T> other) {
    return fullQueue.isEmpty() || isWithin(fullQueue, other);
  }

  /** Whether its slot does not bind that other one, which has a higher priority in the same queue. */
  boolean yieldsTo(QueuedAttempt<T> other) {
    return owner == other.owner && submitted.priority() < other.submitted.priority()
        && !other.isLate();
  }

  /** Whether the attempt is in that queue or below it; the empty path is that of all queues. */
  static boolean isWithin(String path, QueuedAttempt<?> attempt) {
    String own = path.isEmpty() || attempt == null ? path : attempt.path;
    return own.startsWith(path)
        && (own.length() == path.length() || path.isEmpty() || own.charAt(path.length()) == '.');
  }

  /** The offer of this attempt and no other, made once: most offers are of one. */
  List<QueuedAttempt<T>> alone() {
    if (alone == null) {
      alone = Collections.singletonList(this);
    }
    return alone;
  }

  // Facts. One that cannot be read has the value that holds back no other attempt.

  /** Reads a fact; an attempt of which one cannot be read counts as running. */
  <V> V read(Function<Attempt, V> fact, V otherwise, long now) {
    try {
      return fact.apply(attempt);
    } catch (RuntimeException | LinkageError e) {
      owner.undetermined(this, e, now);
      return otherwise;
    }
  }

  /** Reads a fact on which no state depends. */
  private <V> V read(Function<Attempt, V> fact, V otherwise) {
    try {
      return fact.apply(attempt);
    } catch (RuntimeException | LinkageError e) {
      return otherwise;
    }
  }

  void readPath() {
    path = read(Attempt::queue, "");
  }

  /** See {@link Attempt#isOrdered}. */
  boolean isOrdered() {
    return read(Attempt::isOrdered, false);
  }

  /** Whether it has a pending request; one that waits after it was taken back has none for a time. */
  boolean isPending(long now) {
    return !isBackingOff(now) && read(Attempt::hasOutstandingRequest, true, now);
  }

  int executors(long now) {
    return read(Attempt::liveExecutors, 0, now);
  }

  boolean hasReservation(long now) {
    return read(Attempt::hasReservation, false, now);
  }

  /** Whether the scheduler skips it because of its user limit and serves the next one. */
  boolean isSkipped(long now) {
    return read(Attempt::isSkipped, true, now);
  }

  /** The time that it has been starting, as far as it is known. */
  long millisStarting(long now) {
    return read(facts -> history.millisStarting(facts, now), history.millisSeenStarting(now), now);
  }

  /** The highest queue that is too full for its request; see {@link Attempt#fullQueue}. */
  String readFullQueue(long now) {
    return read(Attempt::fullQueue, "", now);
  }

  /** Whether a pending request of it may be placed on nodes of the partition of its line. */
  boolean isPendingInLine(long now) {
    return read(facts -> facts.hasOutstandingRequest(partition), false, now);
  }

  /** Whether it has not got {@code min-executors} executors yet, and requests some. */
  boolean lacksExecutors(long now) {
    return !isExhausted() && executors(now) < settings.minExecutors()
        && !read(Attempt::requestsOnlyUpdates, false, now);
  }

  /**
   * Whether it has its first executors, or has reserved nodes for one more than it lacks. YARN would
   * reserve a further node for it at each heartbeat. One of them may be a node on which nothing ends.
   */
  boolean isServed(long now) {
    return executors(now) >= settings.minExecutors()
        // One more is the driver.
        || read(Attempt::containers, 0, now) > settings.minExecutors() + 1;
  }

  /** Whether it holds {@code max-containers} containers, driver included, and requests more of them. */
  boolean isFull(int maxContainers, long now) {
    // Executors kept from an earlier attempt must not block the driver.
    return read(facts -> facts.containers() >= maxContainers && facts.isDriverAllocated()
        && !facts.requestsOnlyUpdates(), false, now);
  }

  void readUser(long now) {
    user = read(Attempt::user, null, now);
  }

  /** The user of its application, as far as it was read; one that is not known is taken for another one. */
  String user() {
    return user;
  }
}
