// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.TenantQueues;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A burst over many queues: twenty of them, one application each, and room for twenty drivers. */
class StartingGroupTest {

  private static final int QUEUES = 20;
  private static final int HOUR = 3600;

  @ParameterizedTest
  @EnumSource(TenantQueues.class)
  void withoutAGroupTheDriversFillTheCluster(TenantQueues queues) throws Exception {
    try (MockCluster cluster = withFiveNodes(queues)) {
      List<MockApp> apps = burst(queues, cluster);
      runUntilAllEnded(apps, QUEUES, cluster);
      assertThat(apps).noneMatch(MockApp::hasEnded);
      assertThat(drivers(apps)).isEqualTo(QUEUES);
      assertThat(executors(apps)).isZero();
      assertThat(apps).as("the time limit lets go of them").allMatch(app -> app.state() == State.RUNNING);
    }
  }

  @ParameterizedTest
  @EnumSource(TenantQueues.class)
  void withAGroupTheBurstFinishes(TenantQueues queues) throws Exception {
    try (MockCluster cluster = withFiveNodes(queues, "starting-group", "tenants")) {
      List<MockApp> apps = burst(queues, cluster);
      runUntilAllEnded(apps, 1, cluster);
      assertThat(apps).allMatch(MockApp::hasEnded);
    }
  }

  private static MockCluster withFiveNodes(TenantQueues queues, String... stateAware) throws Exception {
    assumeTrue(queues.isSupported(), "this kind of queue came later");
    MockCluster cluster = queues.cluster(QUEUES, stateAware);
    for (int i = 0; i < 5; i++) {
      cluster.addNode(4 * GB);
    }
    return cluster;
  }

  private static List<MockApp> burst(TenantQueues queues, MockCluster cluster) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 1; i <= QUEUES; i++) {
      apps.add(queues.submit(i, GB, cluster));
    }
    return apps;
  }

  /**
   * Each second, drivers that got their container ask for four executors, and an application that has had
   * one for ten seconds ends.
   *
   * @param atOnce how many applications may be starting
   */
  private static void runUntilAllEnded(List<MockApp> apps, int atOnce, MockCluster cluster)
      throws Exception {
    int[] worked = new int[apps.size()];
    for (int second = 0; second < HOUR; second++) {
      cluster.runFor(1);
      assertThat(starting(apps)).isLessThanOrEqualTo(atOnce);
      boolean all = true;
      for (int i = 0; i < apps.size(); i++) {
        MockApp app = apps.get(i);
        if (app.hasEnded()) {
          continue;
        }
        all = false;
        if (app.containers() == 1 && !app.isRegistered()) {
          app.register().ask(4, GB);
        } else if (app.containers() > 1 && ++worked[i] == 10) {
          app.finish();
        }
      }
      if (all) {
        return;
      }
    }
  }

  private static long starting(List<MockApp> apps) {
    return apps.stream().filter(app -> !app.hasEnded() && app.state() == State.STARTING).count();
  }

  private static long drivers(List<MockApp> apps) {
    return apps.stream().filter(app -> app.containers() > 0).count();
  }

  private static int executors(List<MockApp> apps) {
    return apps.stream().mapToInt(app -> app.executors().size()).sum();
  }
}
