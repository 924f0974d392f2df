// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.ActivePlan;
import io.github.dripfeed.core.plan.WaitReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The order of one queue: which application attempts are offered to the scheduler, and in which order
 * (docs/design.md#what-is-offered). {@code Offer} decides that. Accepted attempts that are held cost
 * nothing: they are in separate lanes, which the iterator does not walk.
 *
 * <p>Safe for use by any thread. Calls no method of an {@link Attempt} while it holds a lock. Times are
 * milliseconds on one clock that never goes backwards, for all calls and for the histories.
 *
 * @param <T> the type that represents an application attempt; equal objects are the same attempt
 */
public final class QueueOrder<T> {

  private final Lifecycle<T> lifecycle;
  private final ConcurrentHashMap<T, QueuedAttempt<T>> attempts = new ConcurrentHashMap<>();
  private final QueueLanes<T> lanes;
  private final OrderedAttempts<T> items;
  private final Collection<T> inAnyOrder = Collections.unmodifiableCollection(attempts.keySet());
  private final Offer<T> offer;

  public QueueOrder(QueueSettings settings, AdmissionListener<T> listener) {
    this.lifecycle = new Lifecycle<>(settings, listener);
    this.lanes = lifecycle.lanes;
    this.items = new OrderedAttempts<>(attempts, lanes);
    this.offer = new Offer<>(lifecycle);
  }

  /** The slots of the queue are those of the group. To be called before the first attempt is added. */
  public void join(StartingGroup<T> group) {
    lanes.setGroup(group);
  }

  /** The queues with which the queue shares its slots; a queue without {@code starting-group} is alone. */
  public StartingGroup<T> group() {
    return lanes.group();
  }

  public QueueSettings settings() {
    return lifecycle.settings;
  }

  /** Adds an attempt; one that is already present stays in its position. */
  public void add(T item, Attempt facts, Arrival arrival, long now) {
    QueuedAttempt<T> present = attempts.get(item);
    if (present != null) {
      if (present.item == item) {
        return;
      }
      remove(present.item, now);
    }
    AttemptHistory history = arrival.history;
    history.setOrdering(lifecycle.token, arrival.isFromSameQueue);
    if (history.state() == State.ACCEPTED) {
      history.setAcceptedObserved(false);
    }
    QueuedAttempt<T> attempt = new QueuedAttempt<>(item, facts, arrival, lifecycle);
    lanes.assign(attempt, lifecycle.partition(attempt, ""));
    QueuedAttempt<?> before = (QueuedAttempt<?>) history.setQueued(attempt);
    boolean ran = history.state() == State.RUNNING;
    attempts.put(item, attempt);
    lifecycle.contain(() -> arrived(attempt, ran, now));
    // Also after a failure: no decision looks at an attempt that is in no lane.
    lifecycle.contain(() -> lanes.settle(attempt, now));
    if (before != null) {
      // After it has taken a slot here, so that it is counted at every moment.
      lifecycle.contain(() -> before.owner.handOver(before, arrival.isFromSameQueue));
    }
  }

  private void callBack(T item, Consumer<QueuedAttempt<T>> work) {
    QueuedAttempt<T> attempt = attempts.get(item);
    if (attempt != null) {
      lifecycle.contain(() -> work.accept(attempt));
    }
  }

  private void arrived(QueuedAttempt<T> attempt, boolean ran, long now) {
    attempt.readUser(now);
    if (lifecycle.checkDriver(attempt, now)) {
      attempt.history.setAcceptedObserved(true);
      Leases<T> leases = lanes.of(attempt).pool.leases;
      if (leases.areUsed() && attempt.read(Attempt::isProposed, false, now)) {
        synchronized (lanes.lock()) {
          leases.give(attempt, null, now);
        }
      }
    } else if (ran && !attempt.read(Attempt::isExempt, true, now)) {
      lifecycle.watchExecutors(attempt, now);
    }
  }

  /** @return a view of the attempt, which is in the queue no more; null if it was not present */
  public AttemptView<T> remove(T item, long now) {
    QueuedAttempt<T> attempt = attempts.remove(item);
    if (attempt == null) {
      return null;
    }
    AttemptHistory history = attempt.history;
    boolean isStarting = history.state() == State.STARTING;
    lifecycle.contain(() -> lanes.withdraw(attempt));
    items.removed();
    if (history.state() != State.ACCEPTED) {
      if (attempt.executors(now) > 0) {
        history.hadExecutor = true;
      }
      if (isStarting) {
        history.setStartedFor(attempt.millisStarting(now));
      }
      lifecycle.contain(() -> released(attempt, () -> attempt.partition));
    }
    return attempt;
  }

  /** A view of an attempt, or null if it is not present. */
  public AttemptView<T> view(T item) {
    return attempts.get(item);
  }

  /** Every attempt in order, those that wait with the share 0; see {@link OrderedAttempts}. */
  public Collection<T> items() {
    return items;
  }

  /** The same, in no particular order; a live view. */
  public Collection<T> inAnyOrder() {
    return inAnyOrder;
  }

  public int size() {
    return attempts.size();
  }

  /** A container was allocated or reserved on a node of that partition; null if it is unknown. */
  public void containerAllocated(T item, Supplier<String> node, long now) {
    callBack(item, attempt -> {
      if (!lifecycle.checkDriver(attempt, now)) {
        lifecycle.clock.allocated(attempt, node);
      }
    });
  }

  /** The driver of an attempt has ended: its resources are free, and the attempt will be removed. */
  public void driverReleased(T item, Supplier<String> node) {
    callBack(item, attempt -> {
      released(attempt, node);
      attempt.ending = true;
    });
  }

  /**
   * Something of the attempt has ended. Once its driver has ended, the rest follows, and releases nothing
   * more that a trial could begin with: the next attempt may have taken the first part already.
   */
  private void released(QueuedAttempt<T> attempt, Supplier<String> node) {
    if (!attempt.ending) {
      lifecycle.clock.released(attempt, node);
    }
  }

  /** Updates an attempt that has just lost a live executor. */
  public void executorReleased(T item, Supplier<String> node, long now) {
    callBack(item, attempt -> {
      attempt.history.hadExecutor = true;
      lifecycle.advance(attempt, 1, now);
      mayLackExecutors(attempt);
      released(attempt, node);
    });
  }

  /** An attempt has changed its requests. */
  public void demandUpdated(T item) {
    callBack(item, this::mayLackExecutors);
  }

  private void mayLackExecutors(QueuedAttempt<T> attempt) {
    if (attempt.history.state() == State.STARTING) {
      if (attempt.history.silent) {
        setSilent(attempt.item, !attempt.isPending(0));
      }
      synchronized (lanes.lock()) {
        lanes.of(attempt).pool.starting.mayLackExecutors(attempt);
      }
    }
  }

  /** Updates the position of an attempt among those of its priority; see {@link OrderKey#ofWidth}. */
  public void regroup(T item, long executors, long waited) {
    callBack(item, attempt -> lanes.reposition(attempt, attempt.submitted.ofWidth(executors, waited)));
  }

  /** Updates the position of an attempt to its share; it takes effect once the attempt is admitted. */
  public void reposition(T item, double share) {
    callBack(item, attempt -> lanes.reposition(attempt, attempt.submitted.withShare(share)));
  }

  /** The attempts offered now, to a reader or to a scheduler that has one thread. */
  public Iterator<T> assignmentIterator(String partition, LongSupplier clock) {
    return assignmentIterator(partition, this, clock);
  }

  /**
   * The attempts offered now, in order. Lazy and weakly consistent: an attempt admitted or removed
   * meanwhile may or may not appear.
   *
   * @param partition the partition of the node that the scheduler is about to use: the attempts of this
   *     partition that are returned count as tried. Null for a reader
   * @param walker the thread of the scheduler that walks along them
   * @param clock read only if the offer depends on the time
   */
  public Iterator<T> assignmentIterator(String partition, Object walker, LongSupplier clock) {
    boolean isLimited = settings().maxContainers() > 0;
    if (lanes.areAllRunning() && !isLimited) {
      return lanes.admitted.iterator();
    }
    long now = clock.getAsLong();
    return settings().isEnforced() ? new OfferIterator<>(lifecycle, offer, isLimited ? fullness(now) : null,
        partition, new Questions<>(lanes.lock(), walker, now)) : items.iterator();
  }

  private Predicate<T> fullness(long now) {
    return item -> {
      QueuedAttempt<T> attempt = attempts.get(item);
      return attempt != null && attempt.isFull(settings().maxContainers(), now);
    };
  }

  /**
   * All attempts in the order in which containers may be preempted from them: newest first, running
   * attempts before starting ones, accepted ones at the end, which may have reservations. Where none is
   * held, the reverse order.
   */
  public Iterator<T> preemptionIterator() {
    List<T> order = new ArrayList<>();
    if (!settings().isEnforced()) {
      order.addAll(items);
      Collections.reverse(order);
      return order.iterator();
    }
    List<T> starting = new ArrayList<>();
    for (T item : lanes.admitted.newestFirst()) {
      // An attempt may have been removed since.
      State state = state(item);
      if (state != null) {
        (state == State.RUNNING ? order : starting).add(item);
      }
    }
    order.addAll(starting);
    synchronized (lanes.lock()) {
      for (Line<T> line : lanes.lines()) {
        line.waiting.inLine.newestFirst().forEach(attempt -> order.add(attempt.item));
        line.waiting.stalled.newestFirst().forEach(attempt -> order.add(attempt.item));
      }
    }
    return order.iterator();
  }

  /** Updates every attempt for changes without a callback: time limits, and recovered containers. */
  public void tick(long now) {
    // Running attempts need no update: nothing becomes of them but their end.
    update(now);
    Questions<T> questions = new Questions<>(lanes.lock(), now);
    lifecycle.upToDate(questions).forEach(
        line -> lifecycle.contain(() -> offer.inPlace(line, null, questions)));
    lanes.group().verify(now);
  }

  /** Updates every attempt that is not running yet. A failure in one line leaves the others. */
  private void update(long now) {
    for (Line<T> line : lanes.lines()) {
      List<QueuedAttempt<T>> early;
      synchronized (lanes.lock()) {
        early = new ArrayList<>(line.pool.starting.all());
        early.removeIf(attempt -> attempt.owner != lifecycle);
        early.forEach(line.pool.starting::mayLackExecutors);
        early.addAll(line.waiting.inLine.all());
        early.addAll(line.waiting.stalled.all());
      }
      lifecycle.contain(() -> early.forEach(attempt -> {
        if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED) {
          lifecycle.updatePartition(attempt, now);
        }
      }));
    }
  }

  /** Every attempt, in the order of submission whatever its state. Takes linear time. */
  public List<T> bySubmission() {
    return attempts.values().stream().sorted(Comparator.comparing(attempt -> attempt.submitted))
        .map(attempt -> attempt.item).collect(Collectors.toList());
  }

  /** The state of an attempt, or null if it is not present. */
  public State state(T item) {
    QueuedAttempt<T> attempt = attempts.get(item);
    return attempt == null ? null : attempt.history.state();
  }

  /** The waiting attempts whose driver is reserved. */
  public List<T> withReservedDriver(long now) {
    return itemsOf(line -> offer.reserved.all(line, now));
  }

  /** The waiting attempts that have a reserved driver and lost the offer: they are to release it. */
  public List<T> losers(long now) {
    return itemsOf(line -> offer.reserved.losers(line, now));
  }

  private List<T> itemsOf(Function<Line<T>, List<QueuedAttempt<T>>> ofLine) {
    List<T> found = new ArrayList<>();
    for (Line<T> line : lanes.lines()) {
      ofLine.apply(line).forEach(attempt -> found.add(attempt.item));
    }
    return found;
  }

  /** What people see of each line. Changes nothing: another ordering may manage the attempts by now. */
  public List<AdmissionLineView<T>> lines(long now) {
    List<AdmissionLineView<T>> views = new ArrayList<>();
    lanes.lines().forEach(line -> views.add(new AdmissionLineView<>(line, lifecycle, now)));
    return views;
  }

  /**
   * Distributes a plan of {@code max-starting} = {@code auto}, in place of the one before.
   *
   * @param starts the accepted attempts that may start
   * @param front the starting attempts that are served before all others of their priority, in order
   * @param reasons why the first attempt that may not start has to wait, by the partition of its line
   * @param withoutSlot the partitions of the lines in which no other attempt starts, not even one at a time
   */
  public void setPlan(
      ActivePlan plan, Collection<T> starts, Collection<T> front, Map<String, WaitReason> reasons,
      Set<String> withoutSlot) {
    synchronized (lanes.lock()) {
      for (Line<T> line : lanes.lines()) {
        line.setPlan(new LinePlan<>(
            plan, in(line, starts), in(line, front), reasons.get(line.partition)));
        if (withoutSlot.contains(line.partition)) {
          line.closeSlot(plan.until());
        }
      }
    }
  }

  private List<QueuedAttempt<T>> in(Line<T> line, Collection<T> chosen) {
    return chosen.stream().map(attempts::get)
        .filter(attempt -> attempt != null && !attempt.gone && attempt.partition.equals(line.partition))
        .collect(Collectors.toList());
  }

  /** Whether any attempt waits, stalled or not. */
  public boolean isAnyWaiting() {
    return lanes.isAnyWaiting();
  }

  /** Whether the starting attempt takes no place, because it has requested nothing for long. */
  public void setSilent(T item, boolean silent) {
    callBack(item, attempt -> {
      if (attempt.history.silent != silent) {
        attempt.history.silent = silent;
        synchronized (lanes.lock()) {
          lanes.of(attempt).recount();
        }
      }
    });
  }

  /**
   * For a time no attempt of the partition starts beside another, because one was taken back.
   *
   * @param others whether attempts of other queues are starting, so that none starts here
   * @param until the end of that time, unless it is renewed
   */
  public void holdStarts(String partition, boolean others, long until) {
    in(partition, line -> line.holdStarts(others, until));
  }

  /** Attempts may start again in the partition. */
  public void releaseStarts(String partition) {
    in(partition, Line::releaseStarts);
  }

  private void in(String partition, Consumer<Line<T>> work) {
    synchronized (lanes.lock()) {
      lanes.lines().stream().filter(line -> line.partition.equals(partition)).forEach(work);
    }
  }

  /**
   * The attempt is about to lose its driver.
   *
   * @param why the reason, as the second half of a sentence
   * @param wall the time of day, in milliseconds since 1970
   * @return whether it is present; if not, it has ended, or is being moved, and must keep its driver
   */
  public boolean takenBack(T item, String why, long wall, long now) {
    QueuedAttempt<T> attempt = attempts.get(item);
    if (attempt == null) {
      return false;
    }
    attempt.history.takenBack = true;
    attempt.history.takeBacks.takenBack(why, wall, now);
    return true;
  }

  /** The attempt was seen with an executor. */
  public void sawExecutor(T item) {
    callBack(item, attempt -> attempt.history.hadExecutor = true);
  }
}
