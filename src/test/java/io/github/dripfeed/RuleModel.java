/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static io.github.dripfeed.core.State.ACCEPTED;
import static io.github.dripfeed.core.State.RUNNING;
import static io.github.dripfeed.core.State.STARTING;

import io.github.dripfeed.core.Settings;
import io.github.dripfeed.core.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Section 1 of the contract for one queue, executable: slow and obvious, it looks at everything anew
 * after every step. Shares no code with what it is compared to but the numbers and the names.
 */
final class RuleModel {

  /** The facts of an attempt, and what the rule makes of them. */
  static final class App {
    final int number;
    int attempt = 1;
    int priority;
    String partition = "";
    /** Milliseconds on the model's clock, as all times here. */
    long attemptSince;
    boolean asks;
    int reservations;
    boolean driver;
    long driverSince;
    /** False after a restart, until the driver's node is back. */
    boolean driverReported = true;
    boolean driverCameUnderOurEyes = true;
    int executors;
    boolean unreadable;

    State state = ACCEPTED;
    long offeredFor;

    App(int number) {
      this.number = number;
    }

    /** The same application begins anew. */
    void nextAttempt(int keptExecutors, long now) {
      attempt++;
      attemptSince = now;
      asks = false;
      reservations = 0;
      driver = false;
      driverReported = true;
      driverCameUnderOurEyes = true;
      executors = keptExecutors;
      unreadable = false;
      state = ACCEPTED;
      offeredFor = 0;
    }

    @Override
    public String toString() {
      return "App" + number;
    }

    /** Those live, the driver included, and those reserved. */
    private int containers() {
      return (driver && driverReported ? 1 : 0) + executors + reservations;
    }

    private void advance(Settings settings, long now) {
      if (unreadable) {
        state = RUNNING;
      }
      if (state == ACCEPTED && driver) {
        state = STARTING;
        if (driverCameUnderOurEyes) {
          driverSince = now;
        }
      }
      if (state == ACCEPTED && executors > 0) {
        state = RUNNING;
      }
      long startingSince = driverReported ? driverSince : attemptSince;
      if (state == STARTING && (executors >= settings.minExecutors()
          || now - startingSince >= settings.startingTimeout())) {
        state = RUNNING;
      }
    }
  }

  final List<App> apps = new ArrayList<>();
  Settings settings = Settings.DEFAULTS;
  boolean byPriority = true;

  /** Time goes by with the offer as it is. */
  void pass(long millis) {
    for (String partition : partitions()) {
      head(partition).ifPresent(app -> app.offeredFor += millis);
    }
  }

  void advance(long now) {
    apps.forEach(app -> app.advance(settings, now));
  }

  List<App> offer() {
    List<App> heads = new ArrayList<>();
    List<App> stalled = new ArrayList<>();
    for (String partition : partitions()) {
      if (hasFreeSlot(partition)) {
        head(partition).ifPresent(heads::add);
        accepted(partition).filter(this::isStalled).forEach(stalled::add);
      }
    }
    List<App> offer = new ArrayList<>(Stream.concat(heads.stream(),
        apps.stream().filter(app -> app.state != ACCEPTED && !isFull(app)))
        .sorted(order()).toList());
    offer.addAll(stalled);
    return offer;
  }

  /** The one accepted application that may get its driver in this partition. */
  Optional<App> head(String partition) {
    if (!hasFreeSlot(partition)) {
      return Optional.empty();
    }
    List<App> waiting = accepted(partition).filter(app -> !isStalled(app)).toList();
    Optional<App> keeper = waiting.stream().filter(app -> app.reservations > 0).findFirst();
    return keeper.isPresent() ? keeper : waiting.stream().filter(app -> app.asks).findFirst();
  }

  private boolean hasFreeSlot(String partition) {
    return apps.stream().filter(app -> app.state == STARTING && app.partition.equals(partition))
        .count() < settings.maxStarting();
  }

  private boolean isFull(App app) {
    return settings.maxContainers() > 0 && app.driver && !app.unreadable
        && app.containers() >= settings.maxContainers();
  }

  private boolean isStalled(App app) {
    return settings.acceptedTimeout() > 0 && app.offeredFor >= settings.acceptedTimeout();
  }

  private Stream<App> accepted(String partition) {
    return apps.stream()
        .filter(app -> app.state == ACCEPTED && app.partition.equals(partition)).sorted(order());
  }

  private TreeSet<String> partitions() {
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
