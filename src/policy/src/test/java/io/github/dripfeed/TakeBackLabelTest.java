// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackNeighboursTest.run;
import static io.github.dripfeed.TakeBackTest.takenBack;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.fixture.AutoSteps.LABEL;
import static io.github.dripfeed.fixture.AutoSteps.labelledCluster;
import static io.github.dripfeed.fixture.AutoSteps.request;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Take-back on the real scheduler where drivers ask for one partition and executors for another: YARN lends
 * nodes with a label that is not exclusive to requests without a label.
 */
class TakeBackLabelTest {

  private static MockCluster cluster(boolean exclusive, int labelled, int others) throws Exception {
    String label = "accessible-node-labels." + LABEL;
    MockCluster cluster = labelledCluster(exclusive, Map.of(
        queueKey(label + ".capacity"), "80", queueKey(label + ".maximum-am-resource-percent"), "100",
        key(OTHER, "accessible-node-labels"), LABEL, key(OTHER, label + ".capacity"), "20",
        key(OTHER, label + ".maximum-am-resource-percent"), "100"));
    cluster.label(cluster.addNode(labelled * GB), LABEL);
    if (others > 0) {
      cluster.addNode(others * GB);
    }
    return cluster;
  }

  /** Another queue uses so many GB where nobody blocks anybody. */
  private static void fill(MockCluster cluster, int memory, String label) throws Exception {
    MockApp filler = cluster.submitFiller(0);
    filler.ask(request(1, Resource.newInstance(memory * GB, 1), label));
    cluster.runFor(3);
    filler.heartbeat();
    assertThat(filler.executors()).hasSize(1);
  }

  /** One with an executor of half a GB, in the partitions of both. */
  private static MockApp runOne(MockCluster cluster, String driver, String executor) throws Exception {
    MockApp app = submit(cluster, driver);
    cluster.runFor(3);
    app.register().ask(request(1, Resource.newInstance(GB / 2, 1), executor));
    cluster.runFor(6);
    app.heartbeat();
    assertThat(app.state()).isEqualTo(RUNNING);
    return app;
  }

  private static MockApp submit(MockCluster cluster, String label) throws Exception {
    return cluster.submit(cluster.submission(GB).withDriverLabel(label));
  }

  private static List<MockApp> start(MockCluster cluster, int count, String label) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      apps.add(submit(cluster, label));
    }
    cluster.runFor(5);
    assertThat(startedDrivers(apps)).isEqualTo(count);
    return apps;
  }

  private static void ask(List<MockApp> apps, int executor, String label) throws Exception {
    for (MockApp app : apps) {
      app.register().ask(request(1, Resource.newInstance(executor * GB, 1), label));
    }
  }

  /** EMR: drivers ask for the label, executors for none. */
  @ParameterizedTest(name = "GB without a label: {0}")
  @ValueSource(ints = {0, 5})
  void driversOnASharedLabel(int others) throws Exception {
    try (MockCluster cluster = cluster(false, 12, others)) {
      runOne(cluster, LABEL, "").finish();
      List<MockApp> apps = start(cluster, 8, LABEL);
      ask(apps, 6, "");
      run(cluster, 70, apps);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(takenBack(apps)).as("4 GB were free").isEqualTo(apps.subList(6, 8));
    }
  }

  /** YARN does not lend those nodes. */
  @ParameterizedTest(name = "drivers on the label: {0}")
  @ValueSource(booleans = {false, true})
  void exclusiveLabelMakesNoRoomForOthers(boolean labelled) throws Exception {
    try (MockCluster cluster = cluster(true, 14, 14)) {
      runOne(cluster, labelled ? LABEL : "", labelled ? LABEL : "").finish();
      fill(cluster, 8, labelled ? "" : LABEL);
      List<MockApp> apps = start(cluster, 8, labelled ? LABEL : "");
      ask(apps, 7, labelled ? "" : LABEL);
      run(cluster, 70, apps);
      assertThat(takenBack(apps)).isEmpty();
    }
  }

  @Test
  void driversWithoutALabelMakeNoRoomOnIt() throws Exception {
    try (MockCluster cluster = cluster(false, 10, 16)) {
      runOne(cluster, "", LABEL).finish();
      runOne(cluster, LABEL, LABEL).finish();
      List<MockApp> apps = start(cluster, 8, "");
      List<MockApp> labelled = start(cluster, 3, LABEL);
      ask(apps, 8, LABEL);
      ask(labelled, 8, LABEL);
      run(cluster, 70, apps);
      assertThat(takenBack(apps)).isEmpty();
      assertThat(takenBack(labelled)).containsExactly(labelled.get(2));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }

  /** Either node would do: drivers on one of them are enough. */
  @ParameterizedTest(name = "executors for the label: {0}")
  @ValueSource(booleans = {false, true})
  void driversInBothPartitions(boolean labelled) throws Exception {
    try (MockCluster cluster = cluster(false, 8, 8)) {
      runOne(cluster, "", labelled ? LABEL : "").finish();
      runOne(cluster, LABEL, labelled ? LABEL : "").finish();
      List<MockApp> apps = start(cluster, 4, "");
      apps.addAll(start(cluster, 4, LABEL));
      ask(apps, 6, labelled ? LABEL : "");
      run(cluster, 45, apps);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(takenBack(apps)).as("4 GB were free on each node").isEqualTo(
          labelled ? apps.subList(6, 8) : apps.subList(2, 4));
    }
  }

  /** What is about to come free elsewhere may be lent, or be for those that wait for a loan. */
  @ParameterizedTest(name = "drivers on the label: {0}, containers come and go without one: {1}")
  @CsvSource({"true, true", "false, false"})
  void containersComeAndGoWhereTheyCouldRun(boolean labelled, boolean others) throws Exception {
    try (MockCluster cluster = cluster(false, 14, 14)) {
      runOne(cluster, labelled ? LABEL : "", "").finish();
      MockApp beside = runOne(cluster, others ? "" : LABEL, others ? "" : LABEL);
      fill(cluster, 8, others ? "" : LABEL);
      List<MockApp> apps = start(cluster, 8, labelled ? LABEL : "");
      ask(apps, 7, "");
      for (int i = 0; i < 70; i++) {
        run(cluster, 1, apps);
        beside.heartbeat();
        beside.release(beside.executors());
        beside.ask(request(1, Resource.newInstance(GB / 2, 1), others ? "" : LABEL));
      }
      assertThat(takenBack(apps)).isEmpty();
      run(cluster, 40, apps);
      assertThat(takenBack(apps)).hasSizeGreaterThan(0);
    }
  }

  /** YARN lends what requests for the label leave, whatever their queue uses. */
  @Test
  void driversOfAnotherQueueWouldGetTheRoom() throws Exception {
    try (MockCluster cluster = cluster(false, 12, 0)) {
      runOne(cluster, LABEL, "").finish();
      List<MockApp> apps = start(cluster, 8, LABEL);
      MockApp filler = cluster.submit(cluster.submission(3 * GB).withQueue(OTHER).withDriverLabel(LABEL));
      cluster.runFor(2);
      assertThat(filler.containers()).isEqualTo(1);
      MockApp rival = cluster.submit(cluster.submission(2 * GB).withQueue(OTHER).withDriverLabel(LABEL));
      ask(apps, 3, "");
      run(cluster, 100, apps);
      assertThat(takenBack(apps)).isEmpty();
      rival.kill();
      run(cluster, 10, apps);
      assertThat(takenBack(apps)).isNotEmpty();
    }
  }
}
