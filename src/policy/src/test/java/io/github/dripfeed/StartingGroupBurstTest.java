// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.TenantQueues.CONFIGURED;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bursts and lasting loads over the queues of a group, with one slot and with several. */
class StartingGroupBurstTest {

  /** Each driver asks for executors as soon as it has its container, and ends some time after the first. */
  private static final class Load {
    private final MockCluster cluster;
    private final int startUp;
    private final int executors;
    private final int memory;
    private final int work;
    private final List<MockApp> apps = new ArrayList<>();
    private final List<int[]> since = new ArrayList<>();
    int started;
    int spread;

    Load(MockCluster cluster, int startUp, int executors, int memory, int work) {
      this.cluster = cluster;
      this.startUp = startUp;
      this.executors = executors;
      this.memory = memory;
      this.work = work;
    }

    MockApp add(MockApp app) {
      apps.add(app);
      since.add(new int[] {-1, -1});
      return app;
    }

    void step(int now) throws Exception {
      for (int i = 0; i < apps.size(); i++) {
        MockApp app = apps.get(i);
        int[] at = since.get(i);
        if (at[1] == Integer.MAX_VALUE || at[0] < 0 && app.containers() == 0) {
          continue;
        }
        if (at[0] < 0) {
          at[0] = now;
          started++;
        }
        if (now - at[0] >= startUp && !app.isRegistered()) {
          app.register().ask(executors, memory);
        }
        if (app.isRegistered() && app.containers() > 1 && at[1] < 0) {
          at[1] = now;
        }
        if (at[1] >= 0 && now - at[1] >= work + i * 7 % (spread + 1)) {
          app.heartbeat();
          app.finish();
          at[1] = Integer.MAX_VALUE;
        }
      }
    }

    /** @return the second in which the application has its driver, or at which this gives up */
    int runUntilStarted(MockApp app, int from, int to) throws Exception {
      int second = from;
      while (app.containers() == 0 && second < to && !isDone()) {
        cluster.runFor(1);
        step(second++);
      }
      return second;
    }

    void run(int seconds) throws Exception {
      for (int second = 0; second < seconds; second++) {
        cluster.runFor(1);
        step(second);
      }
    }

    boolean isDone() {
      return since.stream().allMatch(at -> at[1] == Integer.MAX_VALUE);
    }
  }

  /**
   * The first queue has sixty applications, the second one a single one, and YARN would come to the second
   * queue first: it uses nothing. Every application can be placed; alone, its queue would finish them all.
   */
  @ParameterizedTest
  @CsvSource({"1, 6, 0, 4, 3, 56", "3, 6, 0, 4, 3, 56", "4, 10, 4, 11, 3, 11", "6, 5, 4, 2, 2, 36"})
  void burstOfOneQueueDoesNotShutOutAnother(int slots, int nodes, int startUp, int executors, int least,
      int work) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of(), "max-starting", "" + slots,
        "min-executors", "" + least)) {
      for (int i = 0; i < nodes; i++) {
        cluster.addNode(4 * GB);
      }
      Load load = new Load(cluster, startUp, executors, 3 * GB, work);
      load.spread = work;
      for (int i = 0; i < 60; i++) {
        load.add(CONFIGURED.submit(1, GB, cluster));
      }
      load.run(30);
      int before = load.started;
      MockApp other = CONFIGURED.submit(2, GB, cluster);
      int second = load.runUntilStarted(other, 30, 2030);
      assertThat(load.started - before).as("drivers of the first queue that came first, in "
          + (second - 30) + " s").isLessThanOrEqualTo(2 * slots);
    }
  }

  /** The executors of the first queue's applications fit on no node; one application comes every 100 s. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void executorsThatFitNowhereHoldAnotherQueueForOneTimeout(int slots) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of(), "max-starting", "" + slots)) {
      for (int i = 0; i < 20; i++) {
        cluster.addNode(4 * GB);
      }
      List<MockApp> first = new ArrayList<>();
      MockApp other = null;
      int second = 0;
      while ((other == null || other.containers() == 0) && second < 3000) {
        if (second % 100 == 0) {
          first.add(CONFIGURED.submit(1, GB, cluster));
        }
        if (second == 2) {
          other = CONFIGURED.submit(2, GB, cluster);
        }
        cluster.runFor(1);
        for (MockApp app : first) {
          if (app.containers() == 1 && !app.isRegistered()) {
            app.register().ask(Requests.thatFitNowhere());
          }
        }
        second++;
      }
      long started = first.stream().filter(app -> app.containers() > 0).count();
      assertThat(second).isLessThanOrEqualTo(310);
    }
  }

  /** Room comes more slowly than starting-timeout; alone, the first application gets what is freed. */
  @ParameterizedTest
  @CsvSource({"1, 1", "10, 2", "10, 4"})
  void roomThatComesSlowlyDoesNotGoToDriversAlone(int queues, int slots) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(queues, Map.of(), "starting-timeout", "30s",
        "max-starting", "" + slots)) {
      cluster.addNode(9 * GB);
      MockApp filler = cluster.submitFiller(8);
      for (int i = 0; i < 5; i++) {
        cluster.heartbeat();
      }
      cluster.runFor(10);
      filler.heartbeat();
      assertThat(filler.executors()).hasSize(8);
      Load load = new Load(cluster, 0, 1, GB, 10);
      for (int i = 0; i < 10; i++) {
        load.add(CONFIGURED.submit(1 + i % queues, GB, cluster));
      }
      int second = 0;
      while (!load.isDone() && second < 3600) {
        if (second % (40 / slots) == 0 && !filler.executors().isEmpty()) {
          filler.release(filler.executors().subList(0, 1));
        }
        cluster.runFor(1);
        load.step(second++);
      }
      assertThat(load.isDone()).as("finished").isTrue();
    }
  }

  private static int finish(int queues, int apps, int nodes, int slots, int startUp,
      int executors, int memory, int work) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(queues, Map.of(), "max-starting", "" + slots,
        "starting-timeout", "60s")) {
      for (int i = 0; i < nodes; i++) {
        cluster.addNode(4 * GB);
      }
      Load load = new Load(cluster, startUp, executors, memory, work);
      for (int i = 0; i < apps; i++) {
        load.add(CONFIGURED.submit(1 + i % queues, GB, cluster));
      }
      int second = 0;
      int quiet = 0;
      int known = 0;
      while (!load.isDone() && quiet < 2 * (60 + work) + 900) {
        cluster.runFor(1);
        load.step(second++);
        int all = load.apps.stream().mapToInt(app -> app.hasEnded() ? 1000 : app.containers()).sum();
        quiet = all == known ? quiet + 1 : 0;
        known = all;
      }
      return load.isDone() ? second : -load.apps.stream().mapToInt(app -> app.hasEnded() ? 0 : 1).sum();
    }
  }

  /**
   * A burst at five times the usual pace: drivers come up in six seconds and more, starting-timeout is a
   * minute, and each application works for some five minutes with executors that need most of a node.
   */
  @ParameterizedTest
  @CsvSource({"1, 48, 4, 2, 6, 1, 260", "48, 48, 4, 2, 6, 1, 260", "33, 33, 5, 4, 12, 4, 300"})
  void burstOverManyQueuesFinishesAsInOneQueue(int queues, int apps, int nodes, int slots, int startUp,
      int executors, int work) throws Exception {
    int seconds = finish(queues, apps, nodes, slots, startUp, executors, 3 * GB, work);
    assertThat(seconds).as("seconds, or minus the number of applications that never end").isPositive();
  }

  /** The stalled application of the second queue; the first queue always has one that lacks executors. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void stalledApplicationGetsTrialsBesideQueuesThatLackExecutors(int slots) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB),
        "max-starting", "" + slots)) {
      cluster.addTooSmallNodes(40);
      for (int i = 0; i < 6; i++) {
        cluster.addNode(4 * GB);
      }
      MockNM large = cluster.addNode(16 * GB);
      MockApp stalled = CONFIGURED.submit(2, 12 * GB, cluster);
      cluster.loseNode(large);
      cluster.runFor(310);
      cluster.addNode(16 * GB);
      Load load = new Load(cluster, 2, 4, GB, 10);
      for (int i = 0; i < 60; i++) {
        load.add(CONFIGURED.submit(1, GB, cluster));
      }
      load.runUntilStarted(stalled, 0, 1000);
      assertThat(load.started).isLessThanOrEqualTo(8 + slots);
    }
  }

  /** Thirty applications of one queue stalled until their node came back; the other queue has one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void stalledApplicationsOfOneQueueDoNotShutOutAnother(int slots) throws Exception {
    try (MockCluster cluster = CONFIGURED.grouped(2, Map.of(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB),
        "max-starting", "" + slots)) {
      cluster.addTooSmallNodes(40);
      cluster.addNode(2 * GB);
      MockNM large = cluster.addNode(16 * GB);
      Load load = new Load(cluster, 1, 1, GB, 3);
      for (int i = 0; i < 30; i++) {
        load.add(CONFIGURED.submit(1, 4 * GB, cluster));
      }
      cluster.loseNode(large);
      cluster.runFor(400);
      assertThat(load.apps).allMatch(app -> app.containers() == 0);
      for (int i = 0; i < 8; i++) {
        cluster.addNode(16 * GB);
      }
      load.run(20);
      int before = load.started;
      MockApp other = CONFIGURED.submit(2, GB, cluster);
      load.runUntilStarted(other, 20, 1000);
      assertThat(load.started - before).isLessThanOrEqualTo(8 + slots);
    }
  }
}
