// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** The history of one application, derived from samples. Times are milliseconds since the epoch. */
final class ApplicationTrack {

  /** A container from its allocation to the first sample without it; 0 while it is live. */
  record Bar(boolean driver, long from, long to) {

    Bar endedAt(long at) {
      return new Bar(driver, from, at);
    }
  }

  private final String name;
  private final long submittedAt;
  private final Map<String, Bar> bars = new LinkedHashMap<>();
  private Phase phase = Phase.ACCEPTED;
  private long phaseSince;
  private long endedAt;
  private int live;

  ApplicationTrack(Sample.App app) {
    this.name = app.name();
    this.submittedAt = app.submittedAt();
    this.phaseSince = submittedAt;
  }

  void add(Sample.App app, long at) {
    live = app.live().size();
    for (Sample.Live container : app.live()) {
      bars.putIfAbsent(container.id(), new Bar(container.driver(), container.createdAt(), 0));
    }
    bars.replaceAll((id, bar) -> bar.to() == 0
        && app.live().stream().noneMatch(container -> container.id().equals(id))
        ? bar.endedAt(at) : bar);
    Phase now = phaseOf(app);
    if (now != phase) {
      phaseSince = now.isEnd() ? app.finishedAt()
          : now == Phase.STARTING ? driverAt().orElse(at) : firstExecutorAt().orElse(at);
      endedAt = now.isEnd() ? app.finishedAt() : 0;
      phase = now;
    }
  }

  private Phase phaseOf(Sample.App app) {
    return switch (app.state()) {
      case FINISHED -> app.succeeded() ? Phase.SUCCEEDED : Phase.FAILED;
      case FAILED -> Phase.FAILED;
      case KILLED -> Phase.KILLED;
      default -> firstExecutorAt().isPresent() ? Phase.RUNNING
          : driverAt().isPresent() ? Phase.STARTING : Phase.ACCEPTED;
    };
  }

  String name() {
    return name;
  }

  long submittedAt() {
    return submittedAt;
  }

  Phase phase() {
    return phase;
  }

  long phaseSince() {
    return phaseSince;
  }

  int liveContainers() {
    return live;
  }

  OptionalLong driverAt() {
    return bars.values().stream().filter(Bar::driver).mapToLong(Bar::from).min();
  }

  OptionalLong firstExecutorAt() {
    return bars.values().stream().filter(bar -> !bar.driver()).mapToLong(Bar::from).min();
  }

  OptionalLong endedAt() {
    return endedAt == 0 ? OptionalLong.empty() : OptionalLong.of(endedAt);
  }

  Collection<Bar> bars() {
    return bars.values();
  }

  @Override
  public String toString() {
    return name + ' ' + phase + ", submitted " + submittedAt + ", ended " + endedAt + ' ' + bars;
  }
}
