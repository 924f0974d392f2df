// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fifty applications arrive at once. Their drivers alone need more than the queue has. */
class BurstTest {

  private static final int APPLICATIONS = 50;

  @Test
  void stockOrderingDeadlocks() throws Exception {
    try (MockCluster cluster = MockCluster.of(FifoOrderingPolicy.class)) {
      cluster.addNode(8 * GB);
      List<MockApp> apps = submitBurst(cluster);
      Set<MockApp> registered = new HashSet<>();
      for (int round = 0; round < 10; round++) {
        cluster.heartbeat();
        registerAndAsk(apps, registered);
      }
      assertThat(registered).hasSize(8);
      assertThat(apps).allMatch(app -> app.containers() <= 1);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {StateAwareOrderingPolicy.class, StateAwareFairOrderingPolicy.class})
  void burstFinishesWithOneStartingAtATime(Class<?> policy) throws Exception {
    try (MockCluster cluster = MockCluster.of(policy)) {
      cluster.addNode(8 * GB);
      List<MockApp> unfinished = submitBurst(cluster);
      Set<MockApp> registered = new HashSet<>();
      for (int round = 0; round < 10 * APPLICATIONS && !unfinished.isEmpty(); round++) {
        cluster.heartbeat();
        assertThat(unfinished.stream().filter(app -> app.state() == State.STARTING).count())
            .isLessThanOrEqualTo(1);
        // An application that has its executors does its work and ends.
        for (MockApp app : new ArrayList<>(unfinished)) {
          if (app.containers() == 3) {
            app.finish();
            unfinished.remove(app);
          }
        }
        registerAndAsk(unfinished, registered);
      }
      assertThat(unfinished).isEmpty();
      assertThat(cluster.policy().getNumSchedulableEntities()).isZero();
    }
  }

  private static List<MockApp> submitBurst(MockCluster cluster) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < APPLICATIONS; i++) {
      apps.add(cluster.submit());
    }
    return apps;
  }

  private static void registerAndAsk(List<MockApp> apps, Set<MockApp> registered)
      throws Exception {
    for (MockApp app : apps) {
      if (app.containers() == 1 && registered.add(app)) {
        app.register().ask(2, GB);
      }
    }
  }
}
