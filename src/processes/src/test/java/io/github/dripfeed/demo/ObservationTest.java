// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.Test;

/** The conclusions that the demo draws from its observations. */
class ObservationTest {

  private static final Burst.Shape SHAPE = new Burst.Shape(2, 512, 0, 1, 512, 1);

  @Test
  void unmetRequestsOnAFullQueueAreADeadlock() {
    DeadlockWatch watch = new DeadlockWatch(SHAPE, 1000);
    assertThat(watch.isDeadlocked(full(0, 1024))).isFalse();
    assertThat(watch.isDeadlocked(full(999, 1024))).isFalse();
    assertThat(watch.isDeadlocked(full(1000, 1024))).isTrue();
  }

  @Test
  void driverWithoutRequestsIsNoDeadlock() {
    DeadlockWatch watch = new DeadlockWatch(SHAPE, 1000);
    assertThat(watch.isDeadlocked(full(0, 512))).isFalse();
    assertThat(watch.isDeadlocked(full(5000, 512))).isFalse();
  }

  @Test
  void roomForAnExecutorIsNoDeadlock() {
    DeadlockWatch watch = new DeadlockWatch(SHAPE, 1000);
    Sample roomy = new Sample(0, List.of(starting("App1"), starting("App2")), 1024, 2048, 1024);
    assertThat(watch.isDeadlocked(roomy)).isFalse();
    assertThat(watch.isDeadlocked(
        new Sample(5000, roomy.apps(), 1024, 2048, 1024))).isFalse();
  }

  @Test
  void progressRestartsTheDeadlockTimer() {
    DeadlockWatch watch = new DeadlockWatch(SHAPE, 1000);
    watch.isDeadlocked(full(0, 1024));
    watch.isDeadlocked(new Sample(900, List.of(starting("App1"), starting("App3")), 1024, 1024, 1024));
    assertThat(watch.isDeadlocked(full(1500, 1024))).isFalse();
  }

  @Test
  void concurrentStartsAreCountedFromTimestamps() {
    Recording recording = new Recording();
    recording.add(new Sample(9000, List.of(
        ended("App1", 100, 600), ended("App2", 500, 700), ended("App3", 700, 900)), 0, 1024, 0));
    assertThat(Outcome.of(recording, false).mostStarting()).isEqualTo(2);
  }

  @Test
  void unobservedOutcomesAreNotClaimed() {
    BurstRun nothing = new BurstRun("stock fifo", "root.stock");
    nothing.observe(new Sample(0, List.of(), 0, 0, 0), false);
    assertThat(Expectation.of(List.of(nothing, nothing))).filteredOn(Expectation::observed)
        .extracting(Expectation::text).containsExactly("stock fifo: no application succeeded");
  }

  @Test
  void trackRunsFromAcceptedToTheEnd() {
    Recording recording = new Recording();
    recording.add(sample(100, app("App1", RMAppState.ACCEPTED)));
    assertThat(phase(recording)).isEqualTo(Phase.ACCEPTED);
    recording.add(sample(200, starting("App1")));
    assertThat(phase(recording)).isEqualTo(Phase.STARTING);
    recording.add(sample(300, app("App1", RMAppState.RUNNING,
        new Sample.Live("d", true, 150), new Sample.Live("e", false, 250))));
    assertThat(phase(recording)).isEqualTo(Phase.RUNNING);
    recording.add(sample(400, starting("App1")));
    assertThat(phase(recording)).as("a lost executor counts").isEqualTo(Phase.RUNNING);
    recording.add(sample(500, new Sample.App("App1", RMAppState.KILLED, false, 0, 450, List.of())));
    assertThat(phase(recording)).isEqualTo(Phase.KILLED);
    assertThat(recording.isOver()).isTrue();
  }

  private static Phase phase(Recording recording) {
    return recording.tracks().get(0).phase();
  }

  private static Sample full(long at, long asked) {
    return new Sample(at, List.of(starting("App1"), starting("App2")), 1024, 1024, asked);
  }

  private static Sample sample(long at, Sample.App app) {
    return new Sample(at, List.of(app), 0, 1024, 0);
  }

  private static Sample.App starting(String name) {
    return app(name, RMAppState.RUNNING, new Sample.Live("driver of " + name, true, 150));
  }

  private static Sample.App app(String name, RMAppState state, Sample.Live... live) {
    return new Sample.App(name, state, false, 0, 0, List.of(live));
  }

  /** Observed only at its end, with its containers still listed. */
  private static Sample.App ended(String name, long driverAt, long executorAt) {
    return new Sample.App(name, RMAppState.FINISHED, true, 0, 5000, new ArrayList<>(List.of(
        new Sample.Live("driver of " + name, true, driverAt),
        new Sample.Live("executor of " + name, false, executorAt))));
  }
}
