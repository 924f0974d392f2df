// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code order=narrow} on the real scheduler: few executors before many, and no wide one starves. */
class NarrowOrderTest {

  /** An application with its driver and one executor, which runs. */
  private static MockApp running(MockCluster cluster, int priority) throws Exception {
    MockApp app = cluster.submit(GB, priority);
    monitorAndHeartbeat(cluster);
    app.register().ask(1, GB);
    monitorAndHeartbeat(cluster);
    app.heartbeat();
    return app;
  }

  @ParameterizedTest(name = "{0}, priority {1} and 0, after {2} minutes: {3} and {4}")
  @CsvSource({"priority, 0, 0, 3, 2", "narrow, 0, 0, 2, 3", "narrow, 5, 0, 3, 2", "narrow, 0, 9, 2, 3",
      // 41 executors are in the sixth group, 2 in the second; a group less for every ten minutes.
      "narrow, 0, 51, 3, 2"})
  void fewComeBeforeMany(String order, int priority, int minutes, int wide, int narrow) throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(4 * GB, "order", order)) {
      List<MockApp> apps = List.of(running(cluster, priority), running(cluster, 0));
      apps.get(0).ask(40, GB);
      cluster.tick();
      cluster.advance(Duration.ofMinutes(minutes));
      apps.get(1).ask(1, GB);
      cluster.addNode(GB);
      cluster.tick();
      cluster.heartbeat();
      assertThat(apps).extracting(MockApp::containers).containsExactly(wide, narrow);
    }
  }

  /** Runs an application of this type with so many executors from submission to its end. */
  private static void run(MockCluster cluster, String type, int executors) throws Exception {
    MockApp app = cluster.submit(cluster.submission(GB).withType(type));
    monitorAndHeartbeat(cluster);
    app.register().ask(executors, GB);
    monitorAndHeartbeat(cluster);
    app.heartbeat();
    app.finish();
  }

  @ParameterizedTest(name = "{0}: {1} and {2}")
  @CsvSource({"priority, 1, 0", "narrow, 0, 1"})
  void oneThatWaitsIsAsWideAsOthersOfItsType(String order, int wide, int narrow) throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(24 * GB, "order", order, "max-starting", "auto")) {
      for (int i = 0; i < 10; i++) {
        run(cluster, "wide", 16);
        run(cluster, "narrow", 1);
      }
      running(cluster, 0).ask(20, GB);
      cluster.runFor(15);
      List<MockApp> apps = List.of(cluster.submit(cluster.submission(GB).withType("wide")),
          cluster.submit(cluster.submission(GB).withType("narrow")));
      monitorAndHeartbeat(cluster);
      assertThat(apps).as("2 GB are free").extracting(MockApp::containers).containsExactly(wide, narrow);
    }
  }
}
