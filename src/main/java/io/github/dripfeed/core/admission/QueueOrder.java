/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.headroom.Headroom;
import io.github.dripfeed.core.headroom.HeadroomClaim;
import io.github.dripfeed.core.headroom.HeadroomLedger;
import io.github.dripfeed.core.headroom.Shortage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The state-aware order of one queue: which application attempts are offered to the scheduler, and in
 * which order (docs/design.md#what-is-offered).
 *
 * <ol>
 *   <li>every running attempt,
 *   <li>every starting attempt,
 *   <li>and, for each partition with a free starting slot, one accepted attempt;
 * </ol>
 *
 * all by their places; after them, while a slot is free, the accepted ones that {@link AdmissionLine} lets
 * come
 * last.
 *
 * <p>Accepted attempts behind the one offered are held, and cost nothing: they stand in lanes of their
 * own, which the iterator does not walk.
 *
 * <p>Safe for use by any thread. Calls no method of an {@link Attempt} under a lock. Times are
 * milliseconds on a clock that never goes backwards, the same for all calls and for the histories.
 *
 * @param <T> what stands for an application attempt; equal if it is the same attempt
 */
public final class QueueOrder<T> {

  private final Lifecycle<T> lifecycle;
  private final Object token = new Object();
  private final ConcurrentHashMap<T, QueuedAttempt<T>> entries = new ConcurrentHashMap<>();
  private final HeadroomLedger ledger = new HeadroomLedger();
  private final AdmissionLanes<T> lanes = new AdmissionLanes<>(ledger);
  private final Collection<T> items = new OrderedAttempts<>(entries, lanes.all());
  private final AdmissionLines<T> lines;

  public QueueOrder(QueueSettings settings, AdmissionListener<T> observer) {
    this.lifecycle = new Lifecycle<>(settings, lanes, observer);
    this.lines = new AdmissionLines<>(lanes, ledger, lifecycle);
  }

  public QueueSettings settings() {
    return lifecycle.settings();
  }

  /**
   * Adds an attempt; one that is there already stays where it is.
   *
   * @param history what is remembered of it, from this or another ordering
   * @param sameQueue whether it comes from an ordering of the same queue that this one replaces
   */
  public void add(
      T item, Attempt attempt, OrderKey place, AttemptHistory history, boolean sameQueue, long now) {
    add(item, attempt, settings().attempts(), place, history, sameQueue, now);
  }

  /**
   * Adds an attempt that has its own numbers.
   */
  public void add(T item, Attempt attempt, AttemptSettings own, OrderKey place, AttemptHistory history,
      boolean sameQueue, long now) {
    QueuedAttempt<T> present = entries.get(item);
    if (present != null) {
      if (present.item == item) {
        return;
      }
      remove(present.item, now);
    }
    history.setOwner(token, sameQueue);
    if (history.state() == State.ACCEPTED) {
      history.setMetAccepted(false);
    }
    QueuedAttempt<T> entry = new QueuedAttempt<>(item, attempt, history, own, place);
    lanes.assign(entry, lifecycle.facts().partition(entry, ""));
    entries.put(item, entry);
    lanes.appear(entry);
    if (lifecycle.advance(entry, 0, now) == State.ACCEPTED) {
      history.setMetAccepted(true);
      if (lifecycle.facts().reserves(entry, now)) {
        lanes.watchReservation(entry);
      }
    }
  }

  /** @return whether the attempt was there */
  public boolean remove(T item, long now) {
    QueuedAttempt<T> entry = entries.remove(item);
    if (entry == null) {
      return false;
    }
    if (entry.history.state() == State.STARTING) {
      entry.history.setStartedFor(lifecycle.facts().millisStarting(entry, now));
    }
    lanes.withdraw(entry);
    lanes.of(entry).memory().trials().released();
    return true;
  }

  /** What there is to know of an attempt, or null if it is not here. */
  public AttemptView<T> view(T item) {
    return entries.get(item);
  }

  /**
   * Every attempt, held ones included, by their places; a live view, which sorts nothing. Those that wait
   * stand where their share puts them, too.
   */
  public Collection<T> items() {
    return items;
  }

  public int size() {
    return entries.size();
  }

  /**
   * Looks at an attempt to which a container has been allocated or reserved.
   */
  public void containerAllocated(T item, long now) {
    QueuedAttempt<T> entry = entries.get(item);
    if (entry != null
        && lifecycle.advance(entry, 0, now) == State.ACCEPTED && lifecycle.facts().reserves(entry, now)) {
      lanes.watchReservation(entry);
    }
  }

  /** The driver of an attempt has ended: it leaves room, and the attempt will follow. */
  public void driverReleased(T item) {
    QueuedAttempt<T> entry = entries.get(item);
    if (entry != null) {
      lanes.of(entry).memory().trials().released();
    }
  }

  /** Looks at an attempt that has just lost a live container which was not its driver. */
  public void executorReleased(T item, long now) {
    QueuedAttempt<T> entry = entries.get(item);
    if (entry != null) {
      lifecycle.advance(entry, 1, now);
      lanes.of(entry).memory().trials().released();
    }
  }

  /** Gives an attempt the place that its share of the queue gives it, once it is admitted. */
  public void reposition(T item, double share) {
    QueuedAttempt<T> entry = entries.get(item);
    if (entry != null) {
      lanes.reposition(entry, share);
    }
  }

  /**
   * The attempts offered now, in order. Lazy and weakly consistent: an attempt admitted or withdrawn
   * meanwhile may or may not show.
   */
  public Iterator<T> assignmentIterator(long now) {
    return new OfferIterator<>(lanes.admitted(), fullness(now), lines, now);
  }

  /**
   * The attempts offered at any time, in order, or null if it takes the time to tell: somebody is not
   * running yet, or may hold only so much.
   */
  public Iterator<T> timelessIterator() {
    return lines.isEverybodyRunning() && settings().maxContainers() == 0
        ? lanes.admitted().values().iterator() : null;
  }

  private Predicate<T> fullness(long now) {
    return settings().maxContainers() == 0 ? null : item -> {
      QueuedAttempt<T> entry = entries.get(item);
      return entry != null && lifecycle.facts().isFull(entry, now);
    };
  }

  /** All attempts in the order in which containers may be taken from them: starting ones last. */
  public Iterator<T> preemptionIterator() {
    Stream<QueuedAttempt<T>> running = newestAdmitted().filter(e -> e.history.state() == State.RUNNING);
    Stream<QueuedAttempt<T>> starting = newestAdmitted().filter(e -> e.history.state() != State.RUNNING);
    Stream<QueuedAttempt<T>> order = Stream.concat(running, starting);
    for (AdmissionLine<T> line : lines.all()) {
      // Nothing is live here, but a reservation may be.
      order = Stream.concat(order, Stream.concat(
          stream(line.lanes().waiting.descendingMap().values()),
          stream(line.lanes().stalled.descendingMap().values())));
    }
    return order.map(e -> e.item).iterator();
  }

  /**
   * Looks at every attempt that is not running yet, for what no callback tells: time that is up,
   * containers recovered after a restart.
   *
   * @return whether this ordering still answers for an attempt; if not, it is empty or was replaced
   */
  public boolean tick(long now) {
    boolean inCharge = false;
    for (QueuedAttempt<T> entry : entries.values()) {
      if (entry.history.isOwnedBy(token)) {
        inCharge = true;
        if (lifecycle.advance(entry, 0, now) == State.ACCEPTED) {
          lifecycle.sendHome(entry, now);
        }
      }
    }
    if (inCharge) {
      for (AdmissionLine<T> line : lines.upToDate(now)) {
        line.offer(false, now);
      }
    }
    return inCharge;
  }

  /** Every attempt, in the order that submission gives them whatever their state. Walks them all. */
  public List<T> bySubmission() {
    List<QueuedAttempt<T>> all = new ArrayList<>(entries.values());
    all.sort(Comparator.comparing(entry -> entry.submitted));
    List<T> items = new ArrayList<>(all.size());
    for (QueuedAttempt<T> entry : all) {
      items.add(entry.item);
    }
    return items;
  }

  /** The state of an attempt, or null if it is not here. */
  public State state(T item) {
    QueuedAttempt<T> entry = entries.get(item);
    return entry == null ? null : entry.history.state();
  }

  /**
   * Whether an attempt waits for its driver and the scheduler passes over it for its user's limit: then it
   * holds back nobody.
   */
  private boolean isPassedOver(T item, long now) {
    QueuedAttempt<T> entry = entries.get(item);
    return entry != null && entry.history.state() == State.ACCEPTED
        && lifecycle.facts().isPassedOver(entry, now);
  }

  /** The attempts that wait for their driver and have it reserved. */
  public List<T> withReservedDriver(long now) {
    List<T> reserved = new ArrayList<>();
    for (AdmissionLine<T> line : lines.all()) {
      for (QueuedAttempt<T> entry : line.reserved(now)) {
        reserved.add(entry.item);
      }
    }
    return reserved;
  }

  /**
   * The attempts that have a driver reserved and have lost the offer: what is reserved for them has to be
   * given back before another gets its driver. They are not offered until something has changed.
   */
  public List<T> losers(long now) {
    List<T> losers = new ArrayList<>();
    for (AdmissionLine<T> line : lines.all()) {
      for (QueuedAttempt<T> entry : line.losers(now)) {
        losers.add(entry.item);
      }
    }
    return losers;
  }

  /** How many attempts there are in each state. Walks them all. */
  public Map<State, Integer> counts() {
    Map<State, Integer> counts = new EnumMap<>(State.class);
    for (State state : State.values()) {
      counts.put(state, 0);
    }
    for (QueuedAttempt<T> entry : entries.values()) {
      counts.merge(entry.history.state(), 1, Integer::sum);
    }
    return counts;
  }

  /** How many wait for room rather than for a slot: whoever does, does so with all behind. */
  public int waitingForRoom(long now) {
    int forRoom = 0;
    for (AdmissionLine<T> line : lines.all()) {
      forRoom += line.waitsFor(now).isForRoom() ? line.lanes().size() : 0;
    }
    return forRoom;
  }

  /** For how many milliseconds the one has been accepted that has been longest; 0 if there is none. */
  public long longestAccepted(long now) {
    long longest = 0;
    for (QueuedAttempt<T> entry : entries.values()) {
      if (entry.history.state() == State.ACCEPTED) {
        longest = Math.max(longest, entry.history.millisInState(now));
      }
    }
    return longest;
  }

  /**
   * Who is starting and who waits, for each partition that drivers are requested in. Only looks: an
   * ordering that was replaced must not apply its limits to those whom another answers for.
   */
  public List<AdmissionLineView<T>> lines(long now) {
    List<AdmissionLineView<T>> views = new ArrayList<>();
    for (AdmissionLine<T> line : lines.all()) {
      List<AdmissionLineView.Starting<T>> starting = new ArrayList<>();
      List<QueuedAttempt<T>> inOrder = new ArrayList<>(line.lanes().starting.attempts());
      inOrder.sort(Comparator.comparing(entry -> entry.submitted));
      for (QueuedAttempt<T> entry : inOrder) {
        if (entry.history.state() == State.STARTING) {
          starting.add(
              new AdmissionLineView.Starting<>(entry.item, lifecycle.facts().millisStarting(entry, now),
              entry.settings.startingTimeout()));
        }
      }
      views.add(new AdmissionLineView<>(line.lanes().partition(), starting,
          views(line.lanes().waiting.values()),
          views(line.lanes().stalled.values()), line.waitsFor(now), item -> isPassedOver(item, now)));
    }
    return views;
  }

  /** A number that grows with every driver that is allocated: a plan made meanwhile is outdated. */
  public long starts() {
    return ledger.starts();
  }

  /**
   * Puts a plan into effect in place of the one before: who may start though no slot is free, each when
   * it is next in its line and as long as all that is claimed is free.
   *
   * @param startsSeen what {@link #starts} was before the plan was made; if somebody has started since
   *     then, nothing changes
   * @param claims of all that are starting, and of those that may start
   * @param shortages what there was too little of for another, by the partition of its line
   * @param room what is free at the moment of a decision
   * @param until when the plan is too old to be relied on
   */
  public void open(long startsSeen, Map<T, HeadroomClaim> claims, Map<String, Shortage> shortages,
      Headroom room,
      long until) {
    claims.forEach((item, claim) -> {
      QueuedAttempt<T> entry = entries.get(item);
      if (entry != null) {
        entry.setClaim(claim);
      }
    });
    if (ledger.open(startsSeen, claims.values(), room, until)) {
      for (AdmissionLine<T> line : lines.all()) {
        line.setShortage(shortages.get(line.lanes().partition()));
      }
    }
  }

  /** Nobody may start beyond the slots until there is another plan. */
  public void close() {
    ledger.close();
  }

  private static <T> Iterable<AttemptView<T>> views(Collection<QueuedAttempt<T>> attempts) {
    return Collections.<AttemptView<T>>unmodifiableCollection(attempts);
  }

  private Stream<QueuedAttempt<T>> newestAdmitted() {
    // One may have left since.
    return lanes.admitted().descendingMap().values().stream().map(entries::get).filter(Objects::nonNull);
  }

  private static <V> Stream<V> stream(Iterable<V> iterable) {
    return StreamSupport.stream(iterable.spliterator(), false);
  }
}
