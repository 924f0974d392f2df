// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.ActivePlan;
import io.github.dripfeed.core.plan.WaitReason;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The state-aware order of one queue. It determines which application attempts are offered to the
 * scheduler, and in which order (docs/design.md#what-is-offered).
 *
 * <ol>
 *   <li>every running attempt,
 *   <li>every starting attempt,
 *   <li>and, for each partition with a free starting slot, one accepted attempt;
 * </ol>
 *
 * all in one order; then, while a slot is free, the accepted attempts that {@code Offer.last}
 * offers.
 *
 * <p>Accepted attempts behind the offered one are held, and cost nothing: they are in separate lanes,
 * which the iterator does not walk.
 *
 * <p>Safe for use by any thread. Calls no method of an {@link Attempt} while it holds a lock. Times are
 * milliseconds on one clock that never goes backwards, for all calls and for the histories.
 *
 * @param <T> the type that represents an application attempt; equal objects are the same attempt
 */
public final class QueueOrder<T> {

  private final Lifecycle<T> lifecycle;
  private final ConcurrentHashMap<T, QueuedAttempt<T>> attempts = new ConcurrentHashMap<>();
  private final QueueLanes<T> lanes = new QueueLanes<>();
  private final OrderedAttempts<T> items = new OrderedAttempts<>(attempts, lanes);
  private final Collection<T> inAnyOrder = Collections.unmodifiableCollection(attempts.keySet());
  private final QueueOffers<T> offers;

  public QueueOrder(QueueSettings settings, AdmissionListener<T> listener) {
    this.lifecycle = new Lifecycle<>(settings, lanes, listener);
    this.offers = new QueueOffers<>(lanes, lifecycle);
  }

  /** The slots of the queue are those of the group. To be called before the first attempt is added. */
  public void join(StartingGroup<T> group) {
    lanes.setGroup(group);
  }

  /** The queues with which the queue shares its slots; a queue without {@code starting-group} is alone. */
  StartingGroup<T> group() {
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
    callBack(() -> arrived(attempt, ran, now));
    // Also after a failure: no decision looks at an attempt that is in no lane.
    callBack(() -> lanes.settle(attempt, now));
    if (before != null) {
      // After it has taken a slot here, so that it is counted at every moment.
      callBack(() -> before.owner.handOver(before, arrival.isFromSameQueue));
    }
  }

  /**
   * Handles what YARN, or the monitor, tells. No exception leaves this: it would end their own work. The
   * next decision or the monitor brings the attempt up to date.
   */
  private void callBack(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
    }
  }

  private void callBack(T item, Consumer<QueuedAttempt<T>> work) {
    QueuedAttempt<T> attempt = attempts.get(item);
    if (attempt != null) {
      callBack(() -> work.accept(attempt));
    }
  }

  private void arrived(QueuedAttempt<T> attempt, boolean ran, long now) {
    attempt.readUser(now);
    if (lifecycle.checkDriver(attempt, now)) {
      attempt.history.setAcceptedObserved(true);
      Leases<T> leases = lanes.of(attempt).pool.leases;
      if (leases != null && attempt.read(Attempt::isProposed, false, now)) {
        synchronized (lanes.lock()) {
          leases.give(attempt, now);
        }
      }
    } else if (ran && !attempt.read(Attempt::isExempt, true, now)) {
      lifecycle.watchExecutors(attempt, now);
    }
  }

  /** @return a view of the attempt, which is in the queue no more; null if it was not present */
  public AttemptView<T> remove(T item, long now) {
    QueuedAttempt<T> attempt = leave(item, now);
    if (attempt != null) {
      items.removed();
      if (attempt.history.state() != State.ACCEPTED) {
        callBack(() -> released(attempt, () -> attempt.partition));
      }
    }
    return attempt;
  }

  /** Removes the attempt from all lanes. */
  private QueuedAttempt<T> leave(T item, long now) {
    QueuedAttempt<T> attempt = attempts.remove(item);
    if (attempt == null) {
      return null;
    }
    boolean isStarting = attempt.history.state() == State.STARTING;
    callBack(() -> lanes.withdraw(attempt));
    if (attempt.history.state() != State.ACCEPTED && attempt.executors(now) > 0) {
      attempt.history.hadExecutor = true;
    }
    if (isStarting) {
      attempt.history.setStartedFor(attempt.millisStarting(now));
    }
    return attempt;
  }

  /** A view of an attempt, or null if it is not present. */
  public AttemptView<T> view(T item) {
    return attempts.get(item);
  }

  /**
   * A read-only view of every attempt, held ones included, in order; the share of waiting ones is 0. A walk
   * misses none and meets none twice; see {@link OrderedAttempts}.
   */
  public Collection<T> items() {
    return items;
  }

  /** A read-only view of the same attempts, in no particular order, for walks that need none. */
  public Collection<T> inAnyOrder() {
    return inAnyOrder;
  }

  public int size() {
    return attempts.size();
  }

  /**
   * Updates an attempt to which a container was allocated or reserved.
   *
   * @param node the partition of the container's node; null if it is unknown
   */
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
   * A container of the attempt, or the attempt itself, has ended. Once its driver has ended, the rest
   * follows, and releases nothing more that a trial could begin with: the next attempt may have taken the
   * first part already.
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

  /**
   * The attempts offered now, in order. Lazy and weakly consistent: an attempt admitted or removed
   * meanwhile may or may not appear.
   *
   * @param partition the partition of the node that the scheduler is about to use; the iterator takes
   *     every attempt of this partition that it returns as tried. Null for a reader: nothing is tried
   * @param clock read only if the offer depends on the time: an attempt is not running yet, or
   *     {@code max-containers} is set
   */
  public Iterator<T> assignmentIterator(String partition, LongSupplier clock) {
    if (lanes.areAllRunning() && settings().maxContainers() == 0) {
      return lanes.admitted.iterator();
    }
    long now = clock.getAsLong();
    if (!settings().isEnforced()) {
      return items.iterator();
    }
    return new OfferIterator<>(lanes.admitted, fullness(now), offers, partition,
        new Questions<>(lanes.lock(), now));
  }

  private Predicate<T> fullness(long now) {
    return settings().maxContainers() == 0 ? null : item -> {
      QueuedAttempt<T> attempt = attempts.get(item);
      return attempt != null && attempt.isFull(settings().maxContainers(), now);
    };
  }

  /**
   * All attempts in the order in which containers may be preempted from them: newest first, running
   * attempts before starting ones, accepted ones at the end. With {@code enforce} = {@code false}, the
   * reverse order.
   */
  public Iterator<T> preemptionIterator() {
    if (!settings().isEnforced()) {
      List<T> all = new ArrayList<>(items);
      Collections.reverse(all);
      return all.iterator();
    }
    Stream<QueuedAttempt<T>> running = newestAdmitted().filter(e -> e.history.state() == State.RUNNING);
    Stream<QueuedAttempt<T>> starting = newestAdmitted().filter(e -> e.history.state() != State.RUNNING);
    Stream<QueuedAttempt<T>> order = Stream.concat(running, starting);
    List<QueuedAttempt<T>> held = new ArrayList<>();
    synchronized (lanes.lock()) {
      for (Line<T> line : lanes.lines()) {
        // Waiting attempts have no live container, but may have a reservation.
        held.addAll(line.waiting.inLine.bySubmission().descendingMap().values());
        held.addAll(line.waiting.stalled.bySubmission().descendingMap().values());
      }
    }
    order = Stream.concat(order, held.stream());
    return order.map(e -> e.item).iterator();
  }

  /**
   * Updates every attempt for changes without a callback: time limits, and containers recovered after a
   * restart.
   *
   * @return whether this ordering still manages an attempt; if not, it is empty or was replaced
   */
  public boolean tick(long now) {
    // Running attempts need no update: nothing becomes of them but their end.
    if (!offers.update(now) && attempts.values().stream().allMatch(attempt -> attempt.gone)) {
      return false;
    }
    Questions<T> questions = new Questions<>(lanes.lock(), now);
    offers.upToDate(questions).forEach(offer -> offer.inPlace(null, questions));
    lanes.group().verify(now);
    return true;
  }

  /** Every attempt, in the order of submission whatever its state. Takes linear time. */
  public List<T> bySubmission() {
    List<QueuedAttempt<T>> all = new ArrayList<>(attempts.values());
    all.sort(Comparator.comparing(attempt -> attempt.submitted));
    List<T> items = new ArrayList<>(all.size());
    for (QueuedAttempt<T> attempt : all) {
      items.add(attempt.item);
    }
    return items;
  }

  /** The state of an attempt, or null if it is not present. */
  public State state(T item) {
    QueuedAttempt<T> attempt = attempts.get(item);
    return attempt == null ? null : attempt.history.state();
  }

  /** The waiting attempts whose driver is reserved. */
  public List<T> withReservedDriver(long now) {
    return itemsOf(offer -> offer.reserved.all(now));
  }

  /**
   * The attempts that have a reserved driver and have lost the offer. Their reservations must be released
   * before another attempt gets its driver. They are not offered until something has changed.
   */
  public List<T> losers(long now) {
    return itemsOf(offer -> offer.reserved.losers(now));
  }

  private List<T> itemsOf(Function<Offer<T>, List<QueuedAttempt<T>>> ofLine) {
    List<T> found = new ArrayList<>();
    for (Offer<T> offer : offers.all()) {
      ofLine.apply(offer).forEach(attempt -> found.add(attempt.item));
    }
    return found;
  }

  /** The number of attempts in each state. Takes linear time. */
  public Map<State, Integer> counts() {
    Map<State, Integer> counts = new EnumMap<>(State.class);
    for (State state : State.values()) {
      counts.put(state, 0);
    }
    for (QueuedAttempt<T> attempt : attempts.values()) {
      counts.merge(attempt.history.state(), 1, Integer::sum);
    }
    return counts;
  }

  /** The number of starting attempts of the queue and of those with which it shares its slots. */
  public int startingInGroup() {
    return lanes.group().starting();
  }

  /** The number of accepted attempts of these queues whose drivers are reserved. */
  public int reservedInGroup() {
    return lanes.group().reserved();
  }

  /** The number of attempts in the lines whose first one waits for this. */
  public Map<Wait, Integer> waiting(long now) {
    Map<Wait, Integer> waiting = new EnumMap<>(Wait.class);
    for (Offer<T> offer : offers.all()) {
      waiting.merge(offer.waitsFor(now).code(), offer.line.waiting.size(), Integer::sum);
    }
    return waiting;
  }

  /** The number of accepted attempts that wait because they were taken back. */
  public int backingOff(long now) {
    return (int) attempts.values().stream().filter(attempt -> attempt.isBackingOff(now)).count();
  }

  /**
   * The starting and waiting attempts of each line. Changes nothing: an ordering that was replaced must
   * not apply its limits to attempts that another one manages.
   */
  public List<AdmissionLineView<T>> lines(long now) {
    List<AdmissionLineView<T>> views = new ArrayList<>();
    for (Offer<T> offer : offers.all()) {
      WaitReason waitsFor = offer.waitsFor(now);
      List<QueuedAttempt<T>> competing;
      synchronized (lanes.lock()) {
        competing = new ArrayList<>(offer.line.pool.starting.all());
      }
      competing.sort(Comparator.comparing(attempt -> attempt.submitted));
      List<AdmissionLineView.Starting<T>> starting = new ArrayList<>();
      for (QueuedAttempt<T> attempt : competing) {
        starting.add(new AdmissionLineView.Starting<>(
            attempt.item, attempt.millisStarting(now), attempt.settings.startingTimeout()));
      }
      synchronized (lanes.lock()) {
        views.add(new AdmissionLineView<>(offer, starting, waitsFor,
            new Questions<T>(lanes.lock(), now).begin()));
      }
    }
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
            plan, in(line, starts), in(line, front), reasons.get(line.partition),
            withoutSlot.contains(line.partition)));
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

  private Stream<QueuedAttempt<T>> newestAdmitted() {
    // An attempt may have been removed since.
    return lanes.admitted.newestFirst().stream().map(attempts::get).filter(Objects::nonNull);
  }
}
