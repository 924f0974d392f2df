// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;

import io.github.dripfeed.core.admission.QueueSettings;
import io.github.dripfeed.core.admission.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The rule (docs/design.md#the-rule) for one queue, executable: slow and obvious, it recomputes
 * everything after every step. It shares only numbers and names with the policy that it is compared to.
 */
final class RuleModel {

  /** The events that a run must contain to prove anything. */
  enum Situation {
    STALLED, LINE_OPENED, LINE_OPEN, OVERTAKEN, TRIAL_AFTER_STARTS, TRIAL_AFTER_TIME, STARTED_ON_TRIAL,
    EXHAUSTED_STARTS, SEVERAL_RESERVED, GIVEN_BACK, LEFT_ASIDE, EVERYBODY_TRIED, STARTED_BEYOND_THE_OFFER
  }

  /** The facts of an attempt, and the decisions that the rule derives from them. */
  static final class App {
    final int number;
    int attempt = 1;
    int priority;
    String partition = "";
    /** In milliseconds on the model's clock, as all times here. */
    long attemptSince;
    boolean asks;
    int reservations;
    boolean driver;
    /** When the attempt was first seen starting; if it had its driver before, when that was allocated. */
    long startingSince;
    /** False after a restart, until the driver's node is back. */
    boolean driverReported = true;
    boolean driverCameUnderOurEyes = true;
    int executors;
    boolean unreadable;

    State state = ACCEPTED;
    /** How long the attempt was starting, and the ones before it since one had an executor. */
    long started;
    long startedBefore;
    boolean hadExecutor;
    private ModelledLine.InVain inVain = new ModelledLine.InVain();
    private boolean stalled;
    /** The number of drivers and trials of its line when it lost its reservation. */
    private int asideAtStart = -1;
    private int asideAtTrial = -1;
    /** Whether it has waited in this queue. */
    private boolean known;

    App(int number) {
      this.number = number;
    }

    /** A new attempt of the same application. */
    void nextAttempt(int keptExecutors, long now) {
      attempt++;
      attemptSince = now;
      asks = false;
      driver = false;
      driverReported = true;
      driverCameUnderOurEyes = true;
      executors = keptExecutors;
      unreadable = false;
      startedBefore = hadExecutor ? 0 : startedBefore + started;
      forget();
    }

    /** The application and its attempt are new to the restarted ResourceManager. */
    void restarted() {
      executors = 0;
      unreadable = false;
      startedBefore = 0;
      forget();
    }

    private void forget() {
      reservations = 0;
      state = ACCEPTED;
      started = 0;
      hadExecutor = false;
      forgetQueue();
    }

    /** Time in one queue does not count in another. */
    void forgetQueue() {
      inVain = new ModelledLine.InVain();
      stalled = false;
      asideAtStart = -1;
      asideAtTrial = -1;
      known = false;
    }

    boolean isHolder() {
      return state == ACCEPTED && reservations > 0;
    }

    @Override
    public String toString() {
      return "App" + number;
    }

    /** The number of live containers, the driver included, and of reserved ones. */
    private int containers() {
      return (driver && driverReported ? 1 : 0) + executors + reservations;
    }
  }

  final List<App> apps = new ArrayList<>();
  QueueSettings settings = QueueSettings.DEFAULTS;
  boolean byPriority = true;
  private final Map<String, ModelledLine> lines = new HashMap<>();
  private final Consumer<Situation> reached;

  RuleModel(Consumer<Situation> reached) {
    this.reached = reached;
  }

  // Events.

  void enter(App app, long now) {
    apps.add(app);
    advance(now);
    if (app.state == ACCEPTED && !app.known) {
      app.known = true;
      if (isLate(app) && accepted(app.partition).filter(this::isLate).count() == 1) {
        line(app).firstIsLate(now);
      }
    }
  }

  void leave(App app, long now) {
    apps.remove(app);
    stopsWaiting(app);
    app.hadExecutor |= app.state != ACCEPTED && app.executors > 0 && !app.unreadable;
    if (app.state == STARTING) {
      app.started = app.driverCameUnderOurEyes ? now - app.startingSince : 0;
    }
    if (app.state != ACCEPTED) {
      released(app);
    }
  }

  /** A container or the whole application has ended and leaves room. */
  void released(App app) {
    if (hasTrials(app.partition)) {
      line(app).released();
    }
  }

  /** An application got a container. */
  void allocated(App app) {
    boolean isPastItsWait = app.state != ACCEPTED || app.driver || app.executors > 0 || app.unreadable;
    if (isPastItsWait && hasTrials(app.partition)) {
      line(app).roomLeft = false;
    }
  }

  /** Only waiting applications carry over the memory of their line. */
  void refresh() {
    lines.keySet().removeIf(partition -> accepted(partition).findAny().isEmpty());
    lines.values().forEach(ModelledLine::newOrdering);
  }

  void restart() {
    apps.clear();
    lines.clear();
  }

  /** Updates all states. */
  void advance(long now) {
    for (App app : apps) {
      if (app.unreadable && app.state != RUNNING) {
        run(app, now);
      }
      if (app.state == ACCEPTED && app.driver) {
        start(app, now);
      }
      if (app.state == ACCEPTED && app.executors > 0) {
        run(app, now);
      }
      if (app.state == STARTING && (app.executors >= settings.attempts().minExecutors()
          || now - app.startingSince >= startingTime(app))) {
        run(app, now);
      }
    }
  }

  /** The starting time of attempts adds up. An exhausted application gets the whole time again. */
  private long startingTime(App app) {
    return settings.attempts().startingTimeout() - (isExhausted(app) ? 0 : app.startedBefore);
  }

  private void run(App app, long now) {
    app.hadExecutor |= app.executors > 0 && !app.unreadable;
    if (app.state == STARTING) {
      app.started = app.driverCameUnderOurEyes ? now - app.startingSince : 0;
    }
    app.state = RUNNING;
    stopsWaiting(app);
  }

  private void start(App app, long now) {
    app.state = STARTING;
    app.startingSince = now;
    stopsWaiting(app);
    if (app.driverCameUnderOurEyes) {
      driverAllocated(app, line(app), now);
    }
  }

  private void driverAllocated(App app, ModelledLine line, long now) {
    if (isOpen(line) && !isLate(app)) {
      accepted(app.partition)
          .filter(other -> !isLate(other) && other.asks && order().compare(other, app) < 0)
          .toList().forEach(overtaken -> {
            reached.accept(Situation.OVERTAKEN);
            stall(overtaken, now);
          });
    }
    if (isLate(app)) {
      reached.accept(line.isTrial(now)
          ? Situation.STARTED_ON_TRIAL : Situation.STARTED_BEYOND_THE_OFFER);
    }
    if (isExhausted(app)) {
      reached.accept(Situation.EXHAUSTED_STARTS);
      line.exhaustedDriverAllocated();
      return;
    }
    // While the line was open, a driver says nothing about the next head.
    long timeout = settings.acceptedTimeout();
    line.driverAllocated(
        app.stalled && line.isTrial(now), isOpen(line) ? timeout - timeout / 16 : 0, now);
  }

  private void stopsWaiting(App app) {
    ModelledLine line = line(app);
    if (line.first == app) {
      line.first = null;
    }
    if (accepted(app.partition).findAny().isEmpty()) {
      line.inVain.reset();
    }
  }

  // The rule.

  /** The scheduler tries the offered applications in order and can place none of them. */
  List<App> walk(String walked, long now) {
    List<App> inPlace = new ArrayList<>();
    for (String partition : partitions()) {
      inPlace.addAll(inPlace(partition, partition.equals(walked), now));
    }
    inPlace.stream().filter(app -> app.partition.equals(walked)).forEach(app -> tried(app, now));
    List<App> offer = new ArrayList<>(inPlace);
    apps.stream().filter(app -> app.state != ACCEPTED && !isFull(app)).forEach(offer::add);
    offer.sort(order());
    for (String partition : partitions()) {
      last(partition, inPlace, now).filter(app -> !inPlace.contains(app)).forEach(offer::add);
    }
    return offer;
  }

  /** Runs the monitor and returns the applications that lose their reservations. */
  List<App> tick(long now) {
    advance(now);
    List<App> losers = new ArrayList<>();
    for (String partition : partitions()) {
      inPlace(partition, false, now);
    }
    for (String partition : partitions()) {
      losers.addAll(losers(partition, now));
    }
    return losers;
  }

  /** The applications that may get their drivers in their positions. */
  private List<App> inPlace(String partition, boolean walk, long now) {
    ModelledLine line = line(partition);
    List<App> offer = new ArrayList<>();
    for (App app : holders(partition)) {
      stallIfDue(app, now);
      if (!isAside(app) && (!isLate(app) || line.isTrial(now))) {
        offer.add(app);
      }
    }
    List<App> onTrial = hasFreeSlot(partition) ? onTrial(partition, walk, now) : List.of();
    (onTrial.isEmpty() ? head(partition, now) : onTrial).stream()
        .filter(app -> !offer.contains(app)).forEach(offer::add);
    offer.sort(order());
    line.setFirst(offer.isEmpty() ? null : offer.get(0));
    return offer;
  }

  private List<App> onTrial(String partition, boolean walk, long now) {
    ModelledLine line = line(partition);
    if (!hasTrials(partition)) {
      return List.of();
    }
    if (walk && !line.isTrial(now) && holders(partition).stream().noneMatch(this::isLate)) {
      line.beginTrialIfDue(settings.acceptedTimeout(), now).ifPresent(reached);
    }
    return line.isTrial(now)
        ? accepted(partition).filter(app -> app.asks && !isExhausted(app))
            .filter(app -> isLate(app) || isOpen(line)).toList()
        : List.of();
  }

  private List<App> head(String partition, long now) {
    List<App> waiting = accepted(partition).filter(app -> !isLate(app)).toList();
    for (App app : waiting.stream().filter(app -> app.asks && hasSlot(waiting.get(0))).toList()) {
      stallIfDue(app, now);
      if (!isLate(app) && !app.isHolder()) {
        return hasSlot(app) ? List.of(app) : List.of();
      }
    }
    return List.of();
  }

  /** The applications offered after all others, and perhaps in their positions too. */
  private Stream<App> last(String partition, List<App> inPlace, long now) {
    ModelledLine line = line(partition);
    if (!hasFreeSlot(partition)) {
      return holders(partition).stream().filter(app -> isLate(app) && !isAside(app));
    }
    if (hasTrials(partition) && line.isTrial(now)) {
      return Stream.empty();
    }
    List<App> all = new ArrayList<>();
    if (isOpen(line)) {
      accepted(partition).filter(app -> !isLate(app) && app.asks).forEach(all::add);
      if (!inPlace.containsAll(all)) {
        reached.accept(Situation.LINE_OPEN);
      }
    }
    accepted(partition).filter(app -> isLate(app) && !isExhausted(app)).forEach(all::add);
    accepted(partition).filter(app -> isExhausted(app) && mayTakeSlot(app)).forEach(all::add);
    List<App> notAside = all.stream().filter(app -> !isAside(app)).toList();
    if (notAside.size() < all.size()) {
      reached.accept(Situation.LEFT_ASIDE);
    }
    return notAside.stream();
  }

  private List<App> losers(String partition, long now) {
    ModelledLine line = line(partition);
    boolean wanted = othersThatAsk(partition).anyMatch(app -> !isLate(app));
    boolean trialDue = hasTrials(partition)
        && line.isTrialDue(settings.acceptedTimeout(), now)
        && othersThatAsk(partition).anyMatch(app -> isLate(app) && !isExhausted(app));
    if (wanted && !holders(partition).isEmpty()) {
      line.everybodyTried = false;
    }
    long free = settings.maxStarting() - starting(partition).filter(app -> !isExhausted(app)).count();
    boolean everybodyTried = line.everybodyTried;
    List<App> kept = new ArrayList<>();
    List<App> losers = new ArrayList<>();
    for (App holder : holders(partition)) {
      tried(holder, now);
      stallIfDue(holder, now);
      boolean inTurn = !isLate(holder) && !isOpen(line) || line.isTrial(now);
      boolean slot = free > kept.size() || isMoreUrgentThanHolders(holder, kept);
      if (slot && !inTurn && trialDue) {
        losers.add(holder);
      } else if (slot && (inTurn || !wanted && (everybodyTried || !isAnyAskingBefore(holder)))) {
        kept.addAll(isExhausted(holder) ? List.of() : List.of(holder));
      } else {
        if (slot && !wanted) {
          line.everybodyTried = true;
          reached.accept(Situation.EVERYBODY_TRIED);
        }
        reached.accept(Situation.GIVEN_BACK);
        holder.asideAtStart = line.starts;
        holder.asideAtTrial = line.trials;
        losers.add(holder);
      }
    }
    return losers;
  }

  private Stream<App> othersThatAsk(String partition) {
    return accepted(partition).filter(app -> app.asks && !app.isHolder());
  }

  private boolean isAnyAskingBefore(App holder) {
    return othersThatAsk(holder.partition)
        .anyMatch(app -> !isExhausted(app) && order().compare(app, holder) < 0);
  }

  private void tried(App app, long now) {
    ModelledLine line = line(app);
    line.inVain.tried(line.periodOfOffer, now);
    app.inVain.tried(line.periodOfFirst, now);
    if (isOpen(line) && !isLate(app)) {
      reached.accept(Situation.LINE_OPENED);
      stall(app, now);
    }
  }

  private void stallIfDue(App app, long now) {
    if (!isLate(app) && settings.acceptedTimeout() > 0
        && app.inVain.millis >= settings.acceptedTimeout()) {
      reached.accept(Situation.STALLED);
      stall(app, now);
    }
  }

  private void stall(App app, long now) {
    if (!hasLate(app.partition)) {
      line(app).firstIsLate(now);
    }
    app.stalled = true;
  }

  // Words.

  boolean isExhausted(App app) {
    return app.startedBefore >= settings.attempts().startingTimeout();
  }

  private boolean isLate(App app) {
    return app.stalled || isExhausted(app);
  }

  private boolean hasLate(String partition) {
    return accepted(partition).anyMatch(this::isLate);
  }

  /** Where no application is late, nothing that others do counts for a trial. */
  private boolean hasTrials(String partition) {
    return hasLate(partition) || isOpen(line(partition));
  }

  private boolean isAside(App app) {
    ModelledLine line = line(app);
    return othersThatAsk(app.partition).anyMatch(other -> !isLate(other))
        && (isLate(app) ? app.asideAtTrial == line.trials : app.asideAtStart == line.starts);
  }

  private boolean isOpen(ModelledLine line) {
    return settings.acceptedTimeout() > 0 && line.inVain.millis >= settings.acceptedTimeout();
  }

  /** Exhausted applications take slots only from each other. */
  private boolean mayTakeSlot(App app) {
    return !isExhausted(app) || starting(app.partition).count() + holders(app.partition).size()
        < settings.maxStarting();
  }

  boolean hasFreeSlot(String partition) {
    List<App> holders = holders(partition);
    if (holders.size() > 1) {
      reached.accept(Situation.SEVERAL_RESERVED);
    }
    return Stream.concat(starting(partition), holders.stream())
        .filter(app -> !isExhausted(app)).count() < settings.maxStarting();
  }

  private boolean hasSlot(App app) {
    return hasFreeSlot(app.partition) || isMoreUrgentThanHolders(app, holders(app.partition));
  }

  /** Then their slots do not bind it. */
  private boolean isMoreUrgentThanHolders(App app, List<App> reserved) {
    return byPriority && !isLate(app) && Stream.concat(starting(app.partition), reserved.stream())
        .noneMatch(other -> other != app && !isExhausted(other) && other.priority >= app.priority);
  }

  private boolean isFull(App app) {
    return settings.maxContainers() > 0 && app.driver && !app.unreadable
        && app.containers() >= settings.maxContainers();
  }

  private List<App> holders(String partition) {
    return accepted(partition).filter(App::isHolder).toList();
  }

  Stream<App> starting(String partition) {
    return apps.stream().filter(app -> app.state == STARTING && app.partition.equals(partition));
  }

  private Stream<App> accepted(String partition) {
    return apps.stream()
        .filter(app -> app.state == ACCEPTED && app.partition.equals(partition)).sorted(order());
  }

  private ModelledLine line(App app) {
    return line(app.partition);
  }

  private ModelledLine line(String partition) {
    return lines.computeIfAbsent(partition, p -> new ModelledLine());
  }

  private Collection<String> partitions() {
    TreeSet<String> partitions = new TreeSet<>();
    apps.forEach(app -> partitions.add(app.partition));
    return partitions;
  }

  private Comparator<App> order() {
    Comparator<App> bySubmission = Comparator.comparingInt(app -> app.number);
    return byPriority
        ? Comparator.<App>comparingInt(app -> -app.priority).thenComparing(bySubmission)
        : bySubmission;
  }
}
