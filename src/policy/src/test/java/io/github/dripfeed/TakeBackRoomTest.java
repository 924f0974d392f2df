// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackNeighboursTest.run;
import static io.github.dripfeed.TakeBackNeighboursTest.takeBack;
import static io.github.dripfeed.TakeBackTest.block;
import static io.github.dripfeed.TakeBackTest.takenBack;
import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.AutoSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.apache.hadoop.yarn.api.records.ResourceInformation.GPU_URI;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.GpuType;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What blocks applications beside memory on the real scheduler, and whose loss makes room then. */
class TakeBackRoomTest {

  private static final String LABEL = "fast";

  @AfterEach
  void forgetGpus() {
    GpuType.forget();
  }

  private static MockApp submitAs(MockCluster cluster, String user) throws Exception {
    return cluster.submit(cluster.submission(GB).withUser(user));
  }

  // Other resource types.

  @ParameterizedTest(name = "GPUs of each driver: {0}")
  @CsvSource({"0, 0", "1, 2"})
  void blockedByGpusAlone(int gpusOfDriver, int taken) throws Exception {
    GpuType.use();
    Map<String, String> properties = new HashMap<>(GpuType.PROPERTIES);
    properties.putAll(takeBack(CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
        DominantResourceCalculator.class.getName()));
    try (MockCluster cluster = autoCluster(properties)) {
      cluster.addNode(GpuType.size(64 * GB, 64, 4));
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withDriverResource(GPU_URI, gpusOfDriver)));
      }
      if (gpusOfDriver == 0) {
        MockApp filler = cluster.submitFiller(0);
        filler.ask(List.of(gpus(3)));
        cluster.runFor(2);
        filler.heartbeat();
        assertThat(filler.executors()).hasSize(1);
      }
      cluster.runFor(4);
      assertThat(startedDrivers(apps)).isEqualTo(4);
      for (MockApp app : apps) {
        app.register().ask(List.of(gpus(2)));
      }
      run(cluster, 70, apps);
      assertThat(takenBack(apps)).isEqualTo(apps.subList(4 - taken, 4));
      assertThat(apps.get(0).state()).isEqualTo(taken > 0 ? RUNNING : STARTING);
    }
  }

  private static ResourceRequest gpus(int count) {
    return ResourceRequest.newInstance(
        Priority.newInstance(0), ResourceRequest.ANY, GpuType.size(GB, 1, count), 1);
  }

  // Partitions.

  @ParameterizedTest(name = "containers come and go in the other partition: {0}")
  @ValueSource(booleans = {false, true})
  void blockedInOnePartitionOnly(boolean busy) throws Exception {
    try (MockCluster cluster = clusterWithLabel()) {
      runOneApplication(cluster, GB / 2);
      MockApp beside = cluster.submit();
      cluster.runFor(2);
      beside.register().ask(1, GB);
      cluster.runFor(2);
      assertThat(beside.state()).isEqualTo(RUNNING);
      List<MockApp> apps = blockWithLabel(cluster, 8, "user", 8 * GB);
      int seconds = 0;
      while (takenBack(apps).isEmpty() && seconds++ < 400) {
        run(cluster, 1, apps);
        if (busy) {
          beside.heartbeat();
          beside.release(beside.executors());
          beside.ask(1, GB);
        }
      }
      assertThat(takenBack(apps)).containsExactly(apps.get(7));
      assertThat(apps.get(0).state()).isEqualTo(STARTING);
      List<MockApp> others = submitMany(cluster, 3);
      MockApp held = cluster.submit(cluster.submission(GB / 2).withDriverLabel(LABEL));
      run(cluster, 2, apps);
      assertThat(others).extracting(MockApp::state).as("nobody is held there").containsOnly(STARTING);
      assertThat(held.state()).isEqualTo(ACCEPTED);
      run(cluster, 20, apps);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(takenBack(apps)).isEqualTo(apps.subList(4, 8));
      assertThat(takenBack(others)).isEmpty();
      assertThat(seconds).isLessThan(40);
    }
  }

  /** 32 GB without a label and 12 GB with one, where an application has had an executor. */
  private static MockCluster clusterWithLabel(String... more) throws Exception {
    String labels = "accessible-node-labels";
    Map<String, String> properties = takeBack(more);
    properties.putAll(Map.of(
        YarnConfiguration.NODE_LABELS_ENABLED, "true",
        key("root", labels + "." + LABEL + ".capacity"), "100",
        queueKey(labels), LABEL, queueKey(labels + "." + LABEL + ".capacity"), "100",
        queueKey(labels + "." + LABEL + ".maximum-am-resource-percent"), "100"));
    MockCluster cluster = autoCluster(properties);
    cluster.rm().getRMContext().getNodeLabelManager()
        .addToCluserNodeLabelsWithDefaultExclusivity(Set.of(LABEL));
    cluster.refresh();
    cluster.addNode(32 * GB);
    cluster.label(cluster.addNode(12 * GB), LABEL);
    MockApp first = cluster.submit(cluster.submission(GB).withDriverLabel(LABEL));
    cluster.runFor(2);
    first.register().ask(List.of(labelled(GB / 2, 1)));
    cluster.runFor(2);
    first.heartbeat();
    first.finish();
    return cluster;
  }

  private static List<MockApp> blockWithLabel(MockCluster cluster, int count, String user, int executor)
      throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      apps.add(cluster.submit(cluster.submission(GB).withUser(user).withDriverLabel(LABEL)));
    }
    cluster.runFor(4);
    assertThat(startedDrivers(apps)).isEqualTo(count);
    for (MockApp app : apps) {
      app.register().ask(List.of(labelled(executor, 1)));
    }
    return apps;
  }

  /** YARN does not come to what it requests behind that, even if that is more than the queue has left. */
  @ParameterizedTest(name = "what it requests behind that: {0} GB")
  @ValueSource(ints = {0, 1, 30})
  void olderDemandThatFitsInAnotherPartitionOnlyHoldsNobodyBack(int behind) throws Exception {
    try (MockCluster cluster = clusterWithLabel(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 32 * GB)) {
      MockApp older = withExecutors(cluster, "a", 1);
      List<MockApp> apps = blockWithLargeExecutors(cluster);
      older.ask(List.of(labelled(20 * GB, 1)));
      if (behind > 0) {
        older.ask(List.of(second(behind * GB, 1)));
      }
      run(cluster, 50, apps);
      older.heartbeat();
      assertThat(older.executors()).as("none on 7 GB").hasSize(1);
      assertThat(takenBack(apps)).as("7 GB are free").containsExactly(apps.get(2), apps.get(3));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void olderDemandBehindAStrictRequestComesFirst() throws Exception {
    try (MockCluster cluster = clusterWithLabel(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 32 * GB)) {
      MockApp older = withExecutors(cluster, "a", 1);
      List<MockApp> apps = blockWithLargeExecutors(cluster);
      ResourceRequest strict = labelled(20 * GB, 1);
      strict.setRelaxLocality(false);
      run(cluster, 2, apps);
      older.ask(List.of(strict, second(GB, 1)));
      run(cluster, 2, apps);
      older.heartbeat();
      assertThat(older.executors()).as("YARN comes to its second request").hasSize(2);
      older.ask(List.of(second(8 * GB, 1)));
      run(cluster, 50, apps);
      assertThat(takenBack(apps)).as("it would get the room").isEmpty();
    }
  }

  /** Applications that want 9 GB of the node with 12 GB, of which 7 GB are free; the others have 7 GB. */
  private static List<MockApp> blockWithLargeExecutors(MockCluster cluster) throws Exception {
    List<MockApp> apps = blockWithLabel(cluster, 4, "b", 9 * GB);
    for (int i = 0; i < 4; i++) {
      cluster.label(cluster.addNode(7 * GB), LABEL);
    }
    return apps;
  }

  /** A request behind those of {@link #labelled}. */
  private static ResourceRequest second(int memory, int count) {
    ResourceRequest request = labelled(memory, count);
    request.setPriority(Priority.newInstance(1));
    return request;
  }

  @Test
  void olderDemandOfAUserAboveItsLimitInThePartitionHoldsNobodyBack() throws Exception {
    try (MockCluster cluster = clusterWithLabel(queueKey("user-limit-factor"), "0.5")) {
      MockApp older = withExecutors(cluster, "a", 7);
      List<MockApp> apps = blockWithLabel(cluster, 3, "b", 3 * GB);
      older.ask(List.of(labelled(GB, 1)));
      run(cluster, 50, apps);
      assertThat(takenBack(apps)).as("2 GB are free").containsExactly(apps.get(2));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  /** An application with its driver where there is no label, and its executors where there is one. */
  private static MockApp withExecutors(MockCluster cluster, String user, int executors) throws Exception {
    MockApp app = submitAs(cluster, user);
    cluster.runFor(2);
    app.register().ask(List.of(labelled(GB, executors)));
    cluster.runFor(2);
    app.heartbeat();
    assertThat(app.executors()).hasSize(executors);
    return app;
  }

  @Test
  void endInAnotherPartitionIsNoProgress() throws Exception {
    try (MockCluster cluster = clusterWithLabel()) {
      MockApp beside = cluster.submit();
      cluster.runFor(2);
      beside.register().ask(1, GB);
      cluster.runFor(2);
      List<MockApp> apps = blockWithLabel(cluster, 8, "user", 8 * GB);
      while (takenBack(apps).isEmpty()) {
        run(cluster, 1, apps);
      }
      MockApp held = cluster.submit(cluster.submission(GB / 2).withDriverLabel(LABEL));
      // No more are taken back, which would begin the hold anew.
      for (MockApp app : apps.subList(1, 7)) {
        app.ask(List.of(labelled(8 * GB, 0)));
      }
      beside.heartbeat();
      beside.finish();
      run(cluster, 2, apps);
      assertThat(apps.get(0).state()).isEqualTo(STARTING);
      assertThat(held.state()).isEqualTo(ACCEPTED);
      assertThat(cluster.policy().getInfo()).contains("waits for the progress of a starting application");
    }
  }

  private static ResourceRequest labelled(int memory, int count) {
    return ResourceRequest.newInstance(Priority.newInstance(0), ResourceRequest.ANY,
        Resource.newInstance(memory, 1), count, true, LABEL);
  }

  // Users.

  @Test
  void usersAtTheirLimits() throws Exception {
    try (MockCluster cluster = autoCluster(takeBack(queueKey("user-limit-factor"), "0.5"), 20 * GB)) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        apps.add(submitAs(cluster, "a"));
      }
      for (int i = 0; i < 4; i++) {
        apps.add(submitAs(cluster, "b"));
      }
      block(cluster, apps, 6 * GB);
      run(cluster, 38, apps);
      assertThat(apps.get(0).containers()).as("its user may exceed the limit by a container").isEqualTo(2);
      assertThat(takenBack(apps)).as("of the user that gains, although others are younger")
          .containsExactly(apps.get(4));
      run(cluster, 100, apps);
      assertThat(takenBack(apps)).hasSizeLessThan(8).doesNotContain(apps.get(0));
    }
  }

  // Sibling queues.

  @ParameterizedTest(name = "what the sibling wants beside 4 GB: {0} GB; it learns: {1}")
  @CsvSource({"0, false", "8, false", "0, true", "8, true"})
  void siblingBelowTheSameMaximum(int more, boolean isAuto) throws Exception {
    String team = "root.team";
    Map<String, String> properties = new HashMap<>(Map.of(
        key("root", "queues"), "drip,other,team", key(team, "queues"), "a,b",
        queueKey("capacity"), "40", key(OTHER, "capacity"), "10",
        key(team, "capacity"), "50", key(team, "maximum-capacity"), "60"));
    for (String leaf : Arrays.asList("a", "b")) {
      String path = team + "." + leaf;
      properties.put(key(path, "capacity"), "50");
      properties.put(key(path, "maximum-capacity"), "100");
      properties.put(key(path, "user-limit-factor"), "100");
      properties.put(key(path, "maximum-am-resource-percent"), "100");
    }
    for (String leaf : isAuto ? Arrays.asList("a", "b") : Arrays.asList("a")) {
      String path = team + "." + leaf;
      properties.put(key(path, "ordering-policy"), StateAwareOrderingPolicy.class.getName());
      properties.put(key(path, "ordering-policy.state-aware.max-starting"), "auto");
      properties.put(key(path, "ordering-policy.state-aware.take-back"), leaf.equals("a") ? "on" : "off");
    }
    try (MockCluster cluster = autoCluster(properties, 20 * GB)) {
      MockApp first = cluster.submit(cluster.submission(GB).withQueue(team + ".a"));
      cluster.runFor(2);
      first.register().ask(1, GB / 2);
      cluster.runFor(2);
      first.heartbeat();
      first.finish();
      MockApp sibling = cluster.submit(cluster.submission(GB).withQueue(team + ".b"));
      cluster.runFor(2);
      sibling.register().ask(3, GB);
      cluster.runFor(2);
      sibling.heartbeat();
      assertThat(sibling.containers()).isEqualTo(4);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withQueue(team + ".a")));
      }
      cluster.runFor(4);
      assertThat(startedDrivers(apps)).isEqualTo(5);
      for (MockApp app : apps) {
        app.register().ask(1, 5 * GB);
      }
      if (more > 0) {
        sibling.ask(more, GB);
      }
      for (int i = 0; i < 30; i++) {
        run(cluster, 10, apps);
        sibling.heartbeat();
      }
      if (more == 0) {
        assertThat(takenBack(apps)).containsExactly(apps.get(3), apps.get(4));
        assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      } else {
        // The sibling has got one more, and YARN keeps the rest for the queue that it serves first.
        assertThat(takenBack(apps)).isEqualTo(apps.subList(2, 5));
        assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      }
    }
  }
}
