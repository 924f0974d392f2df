// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.LABEL;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.labelledCluster;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.request;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static org.apache.hadoop.yarn.api.records.ResourceInformation.GPU_URI;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.GpuType;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On the real scheduler: how many applications start depends on what earlier ones did. Drivers and
 * executors have 1 GB unless a test says otherwise.
 */
class AutoLearningTest {

  private static final int MEMORY = 64 * GB;
  private static final int WANTED = 20;
  private static final int FULL = MEMORY / GB / (WANTED + 1);

  @AfterEach
  void forgetGpus() {
    GpuType.forget();
  }

  private static void run(int applications, MockCluster cluster, int executors) throws Exception {
    for (int i = 0; i < applications; i++) {
      cluster.advance(Duration.ofSeconds(1));
      runOneApplication(cluster, executors, GB);
    }
  }

  /** Submits so many, and returns how many of them have their drivers after two plans. */
  private static long startedOf(int applications, MockCluster cluster) throws Exception {
    return startedOf(submitMany(cluster, applications), cluster);
  }

  private static long startedOf(List<MockApp> apps, MockCluster cluster) throws Exception {
    monitorAndHeartbeat(cluster);
    monitorAndHeartbeat(cluster);
    return startedDrivers(apps);
  }

  private static Map<String, String> allTypes() {
    Map<String, String> properties = new HashMap<>(GpuType.PROPERTIES);
    properties.put(CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        DominantResourceCalculator.class.getName());
    properties.put(MockCluster.key(OTHER, "maximum-am-resource-percent"), "100");
    properties.put(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + MEMORY);
    properties.put(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, "64");
    return properties;
  }

  // How many.

  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void asManyStartAsAreExpectedToFillTheQueue(int known) throws Exception {
    try (MockCluster cluster = autoCluster(MEMORY)) {
      run(known, cluster, WANTED);
      cluster.runFor(10);
      List<MockApp> apps = submitMany(cluster, 30);
      assertThat(startedOf(apps, cluster)).as("from the first one known on").isEqualTo(FULL);
      for (MockApp app : apps.subList(0, FULL)) {
        app.register().ask(WANTED, GB);
        monitorAndHeartbeat(cluster);
      }
      assertThat(apps.subList(0, FULL)).extracting(MockApp::containers).containsOnly(WANTED + 1);
      assertThat(startedOf(apps, cluster)).as("the rest has one GB").isLessThanOrEqualTo(FULL + 1);
    }
  }

  /** Launchers that are never held: those that wait are others. */
  @Test
  void exemptApplicationsTeachNothingAboutOthers() throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put(MockCluster.stateAwareKey("exempt-application-types"), "quick");
    try (MockCluster cluster = autoCluster(properties, MEMORY)) {
      run(3, cluster, WANTED);
      for (int i = 0; i < 12; i++) {
        MockApp launcher = cluster.submit(cluster.submission(GB).withType("quick"));
        monitorAndHeartbeat(cluster);
        launcher.register();
        cluster.advance(Duration.ofMinutes(1));
        monitorAndHeartbeat(cluster);
        launcher.finish();
      }
      assertThat(startedOf(30, cluster)).isEqualTo(FULL);
    }
  }

  @Test
  void applicationExpectedToWantMoreThanTheQueueLeavesItNotIdle() throws Exception {
    try (MockCluster cluster = autoCluster(MEMORY)) {
      run(10, cluster, 1000);
      cluster.runFor(10);
      List<MockApp> apps = submitMany(cluster, 3);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).isBetween(1L, 3L);
      // It wants less than the ones before, so after a while nothing more is expected of it.
      apps.get(0).register().ask(2, GB);
      monitorAndHeartbeat(cluster);
      cluster.advance(Duration.ofSeconds(10));
      assertThat(startedOf(apps, cluster)).isEqualTo(3);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void nextAttemptIsExpectedToRequestWhatTheLostOneRequested() throws Exception {
    try (MockCluster cluster = autoCluster(MEMORY)) {
      run(10, cluster, 1);
      MockApp running = cluster.submit();
      cluster.heartbeat();
      running.register().ask(56, GB);
      monitorAndHeartbeat(cluster);
      running.heartbeat();
      List<MockApp> apps = submitMany(cluster, 2);
      assertThat(startedOf(apps, cluster)).isEqualTo(2);
      apps.get(1).register().ask(1, 8 * GB);
      monitorAndHeartbeat(cluster);
      apps.get(1).failDriver();
      monitorAndHeartbeat(cluster);
      assertThat(apps.get(1).state()).as("8 GB are not free").isEqualTo(ACCEPTED);
      running.finish();
      assertThat(startedOf(apps, cluster)).isEqualTo(2);
    }
  }

  @Test
  void afterARestartTheNumberIsLearnedFromWhatRuns() throws Exception {
    try (MockCluster cluster = autoCluster(MEMORY)) {
      List<MockApp> running = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        MockApp app = cluster.submit();
        cluster.heartbeat();
        app.register().ask(5, GB / 2);
        monitorAndHeartbeat(cluster);
        app.heartbeat();
        app.launchExecutors();
        running.add(app);
      }
      assertThat(running).extracting(MockApp::containers).containsOnly(6);
      cluster.restart().reconnectNodes();
      for (MockApp app : running) {
        app.registerAgain();
      }
      monitorAndHeartbeat(cluster);
      assertThat(startedOf(25, cluster)).as("29 GB, 3.5 GB each; without the number 19 fit").isEqualTo(8);
    }
  }

  /** Uber MapReduce, single containers, launchers. */
  @ParameterizedTest
  @CsvSource({"12, 60", "1, 60"})
  void driversAloneFillTheQueue(int known, int started) throws Exception {
    try (MockCluster cluster = autoCluster(MEMORY)) {
      for (int i = 0; i < known; i++) {
        MockApp alone = cluster.submit();
        monitorAndHeartbeat(cluster);
        alone.register();
        cluster.tick();
        alone.finish();
        cluster.tick();
      }
      assertThat(startedOf(60, cluster)).isEqualTo(started);
    }
  }

  // What.

  /** One of many had an executor on a label, or a GPU, which nobody has any more. */
  @ParameterizedTest
  @CsvSource({"label, false", "label, true", "gpu, false", "gpu, true"})
  void whatOneOfManyRequestedIsRequiredOfNobody(String what, boolean gone) throws Exception {
    GpuType.use();
    try (MockCluster cluster = labelledCluster(true, allTypes())) {
      cluster.addNode(GpuType.size(MEMORY, 64, 0));
      MockNM rare = cluster.addNode(GpuType.size(MEMORY, 64, 4));
      if (what.equals("label")) {
        cluster.label(rare, LABEL);
      }
      run(6, cluster, 1);
      runOneApplication(cluster, what.equals("label") ? request(1, GpuType.size(GB, 1, 0), LABEL)
          : request(1, GpuType.size(GB, 1, 1), null));
      run(6, cluster, 1);
      if (gone) {
        cluster.loseNode(rare);
      }
      assertThat(startedOf(20, cluster)).isEqualTo(20);
    }
  }

  /** (4 GB, 16 cores), and later (48 GB, 2 cores). No node has 48 GB beside 16 cores. */
  @Test
  void resourceProfilesAreNotMixed() throws Exception {
    try (MockCluster cluster = autoCluster(allTypes())) {
      for (int i = 0; i < 3; i++) {
        cluster.addNode(32 * GB, 64);
        cluster.addNode(MEMORY, 8);
      }
      for (int i = 0; i < 4; i++) {
        MockApp app = cluster.submit();
        cluster.heartbeat();
        app.register().ask(request(1, Resource.newInstance(4 * GB, 16), null));
        monitorAndHeartbeat(cluster);
        app.ask(request(1, Resource.newInstance(48 * GB, 2), null));
        monitorAndHeartbeat(cluster);
        assertThat(app.containers()).isEqualTo(3);
        app.heartbeat();
        app.finish();
      }
      cluster.runFor(10);
      assertThat(startedOf(12, cluster)).as("as many as there is room for").isGreaterThanOrEqualTo(3);
    }
  }

  /** A job that wants four GPUs of a node is in front; each node has three. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void jobThatWaitsForGpusHoldsNobody(boolean running) throws Exception {
    GpuType.use();
    try (MockCluster cluster = autoCluster(allTypes())) {
      for (int i = 0; i < 4; i++) {
        cluster.addNode(GpuType.size(MEMORY, 64, 4));
        cluster.submit(cluster.submission(GB).withQueue(OTHER).withDriverResource(GPU_URI, 1));
        cluster.heartbeat(cluster.node(i));
      }
      run(3, cluster, 1);
      if (running) {
        MockApp app = cluster.submit();
        cluster.heartbeat();
        app.register().ask(request(2, GpuType.size(GB, 1, 4), null));
      } else {
        cluster.submit(cluster.submission(GB).withDriverResource(GPU_URI, 4));
      }
      assertThat(startedOf(12, cluster)).isEqualTo(12);
    }
  }

  /** Tez, Flink, kernels: each has a driver, and asks for nothing. */
  @Test
  void poolOfIdleSessionsHoldsNobody() throws Exception {
    try (MockCluster cluster = autoCluster(2 * MEMORY)) {
      List<MockApp> sessions = submitMany(cluster, 15);
      int seconds = 0;
      for (; startedDrivers(sessions) < 15 && seconds < 60; seconds++) {
        cluster.runFor(1);
      }
      assertThat(seconds).isLessThan(5);
      for (MockApp session : sessions) {
        session.register();
      }
      cluster.runFor(31);
      assertThat(startedOf(1, cluster)).as("one more session").isEqualTo(1);
      List<MockApp> batch = submitMany(cluster, 8);
      assertThat(startedOf(batch, cluster)).isEqualTo(8);
      sessions.get(3).ask(2, GB);
      monitorAndHeartbeat(cluster);
      assertThat(sessions.get(3).containers()).as("a session that asks is served").isEqualTo(3);
    }
  }

  @Test
  void idleDriversOnAllNodesHoldNobody() throws Exception {
    try (MockCluster cluster = autoCluster()) {
      List<MockApp> idle = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        cluster.addNode(8 * GB);
        idle.add(cluster.submit());
        monitorAndHeartbeat(cluster);
        idle.get(i).register();
      }
      assertThat(startedDrivers(idle)).isEqualTo(8);
      cluster.runFor(310);
      assertThat(idle).extracting(MockApp::state).containsOnly(RUNNING);
      run(2, cluster, 1);
      assertThat(startedOf(25, cluster)).as("50 of 56 GB").isEqualTo(25);
    }
  }

  /**
   * Start-up takes as long as the work: what comes free meanwhile counts as room. The work alone takes 311
   * seconds, and 900 with one application starting at a time.
   */
  @Test
  void startUpAsLongAsTheWorkLeavesNoRoomIdle() throws Exception {
    try (MockCluster cluster = autoCluster(16 * GB)) {
      List<MockApp> apps = submitMany(cluster, 60);
      Map<MockApp, Integer> up = new HashMap<>();
      int seconds = 0;
      for (; apps.stream().anyMatch(app -> !app.hasEnded()) && seconds < 900; seconds++) {
        cluster.runFor(1);
        for (MockApp app : apps) {
          if (!app.hasEnded() && app.state() == STARTING && up.merge(app, 1, Integer::sum) == 15) {
            app.register().ask(3, GB);
          } else if (!app.hasEnded() && app.state() == RUNNING && up.merge(app, 1, Integer::sum) == 32) {
            app.heartbeat();
            app.finish();
          }
        }
      }
      assertThat(seconds).isLessThan(560);
    }
  }
}
