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

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.HeadroomSteps.LARGEST;
import static io.github.dripfeed.fixture.HeadroomSteps.cluster;
import static io.github.dripfeed.fixture.HeadroomSteps.drivers;
import static io.github.dripfeed.fixture.HeadroomSteps.go;
import static io.github.dripfeed.fixture.HeadroomSteps.show;
import static io.github.dripfeed.fixture.HeadroomSteps.submit;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.headroom.HeadroomRound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code parallel-start=headroom} on the real scheduler: who starts beside others, and who does not. The
 * largest container that YARN allows has 8 GB, its default.
 */
class HeadroomTest {

  @Test
  void onAnIdleQueueAllStartAtOnce() throws Exception {
    try (MockCluster cluster = cluster(64 * GB)) {
      List<MockApp> apps = submit(cluster, 5);
      go(cluster);
      assertThat(apps).extracting(MockApp::state).containsOnly(STARTING);
      assertThat(cluster.offered()).containsExactly("App1", "App2", "App3", "App4", "App5");
    }
  }

  @Test
  void offStaysOff() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(64 * GB, "parallel-start", "off")) {
      List<MockApp> apps = submit(cluster, 5);
      go(cluster);
      go(cluster);
      assertThat(drivers(apps)).isEqualTo(1);
    }
  }

  @Test
  void beforeAnythingWasSeenEveryExecutorIsExpectedToBeTheLargestThatMayBe() throws Exception {
    try (MockCluster cluster = cluster(24 * GB)) {
      List<MockApp> apps = submit(cluster, 8);
      go(cluster);
      assertThat(drivers(apps)).as("2 drivers of 1 GB and 2 executors of 8 GB find room, 3 do not")
          .isEqualTo(2);
      apps.get(0).register().ask(1, 2 * GB);
      go(cluster);
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(drivers(apps)).as("an executor has 2 GB: 24 GB hold 8 drivers and 8 of them")
          .isEqualTo(8);
    }
  }

  @Test
  void whatWasSeenOutlivesTheApplicationAndARefresh() throws Exception {
    try (MockCluster cluster = cluster(24 * GB)) {
      show(cluster, 2 * GB);
      cluster.refresh();
      List<MockApp> apps = submit(cluster, 6);
      go(cluster);
      go(cluster);
      assertThat(drivers(apps)).isEqualTo(6);
    }
  }

  @Test
  void theLargestThatWasSeenIsExpectedAgain() throws Exception {
    try (MockCluster cluster = cluster(30 * GB)) {
      show(cluster, 5 * GB);
      show(cluster, GB);
      List<MockApp> apps = submit(cluster, 8);
      go(cluster);
      assertThat(drivers(apps)).as("30 GB are 5 times 6 GB; and 8 GB more stay").isLessThanOrEqualTo(5)
          .isGreaterThan(1);
    }
  }

  @Test
  void moreExecutorsAreExpectedWhereMoreMakeOneRunning() throws Exception {
    try (MockCluster cluster = cluster(
        Map.of(MockCluster.stateAwareKey("min-executors"), "3"), 64 * GB)) {
      List<MockApp> apps = submit(cluster, 8);
      go(cluster);
      assertThat(drivers(apps)).as("25 GB each").isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "headroom"})
  void onAFullQueueNobodyStartsBesideAnother(String mode) throws Exception {
    try (MockCluster cluster = cluster(
        Map.of(MockCluster.stateAwareKey("parallel-start"), mode), 32 * GB)) {
      MockApp greedy = cluster.submit();
      cluster.heartbeat();
      greedy.register().ask(100, GB);
      go(cluster);
      assertThat(greedy.containers()).isEqualTo(32);
      List<MockApp> apps = submit(cluster, 5);
      List<Long> course = new ArrayList<>();
      for (int ended = 0; ended < 6; ended++) {
        greedy.completeExecutor(greedy.executors().get(0), cluster.node(0));
        go(cluster);
        course.add(drivers(apps));
      }
      assertThat(course).as("it comes first, and wants more than it has").containsOnly(0L);
      greedy.ask(0, GB);
      for (int ended = 0; ended < 6; ended++) {
        greedy.completeExecutor(greedy.executors().get(0), cluster.node(0));
        go(cluster);
        if (ended == 0) {
          apps.get(0).register().ask(10, GB);
        }
        course.add(drivers(apps));
      }
      assertThat(course).as("the next comes first now, and wants more than it has")
          .containsExactly(0L, 0L, 0L, 0L, 0L, 0L, 1L, 1L, 1L, 1L, 1L, 1L);
      assertThat(apps.get(0).containers()).isEqualTo(6);
    }
  }

  @Test
  void withoutTheMonitorOneStartsAfterTheOther() throws Exception {
    try (MockCluster cluster = cluster(128 * GB)) {
      List<MockApp> apps = submit(cluster, 3);
      cluster.look();
      cluster.pass(Duration.ofMillis(HeadroomRound.VALID));
      cluster.heartbeat();
      assertThat(drivers(apps)).as("the plan is too old").isEqualTo(1);
      go(cluster);
      assertThat(drivers(apps)).isEqualTo(3);
    }
  }

  @Test
  void executorsMuchLargerThanExpectedDeadlockNobody() throws Exception {
    try (MockCluster cluster = cluster(12 * GB, 12 * GB)) {
      show(cluster, GB / 2);
      List<MockApp> apps = submit(cluster, 12);
      go(cluster);
      go(cluster);
      long atOnce = drivers(apps);
      assertThat(atOnce).isGreaterThan(2);
      List<MockApp> registered = new ArrayList<>();
      int rounds = 0;
      for (List<MockApp> alive = new ArrayList<>(apps); !alive.isEmpty(); rounds++) {
        assertThat(rounds).as("%s", states(apps)).isLessThan(60);
        for (MockApp app : alive) {
          if (app.state() != ACCEPTED && !registered.contains(app)) {
            registered.add(app.register().ask(1, LARGEST));
          }
        }
        go(cluster);
        for (MockApp app : List.copyOf(alive)) {
          if (app.state() == RUNNING) {
            app.heartbeat();
            app.finish();
            alive.remove(app);
          }
        }
        assertThat(alive.stream().filter(app -> app.state() != ACCEPTED).count())
            .as("nobody starts beside another by what was expected before").isLessThanOrEqualTo(atOnce);
      }
    }
  }

  private static List<State> states(List<MockApp> apps) {
    return apps.stream().filter(app -> app.attempt() != null).map(MockApp::state).toList();
  }

  @Test
  void anOlderApplicationThatSuddenlyWantsEverythingStopsTheStarts() throws Exception {
    try (MockCluster cluster = cluster(64 * GB)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(1, GB);
      go(cluster);
      List<MockApp> apps = submit(cluster, 1);
      go(cluster);
      assertThat(drivers(apps)).isEqualTo(1);
      submit(cluster, 5).forEach(apps::add);
      older.ask(200, GB);
      cluster.lookAgain();
      assertThat(cluster.offered()).as("the room that there is, is his").containsExactly("App1", "App2");
      go(cluster);
      assertThat(drivers(apps)).isEqualTo(1);
      assertThat(older.containers()).isEqualTo(63);
    }
  }

  @Test
  void whatAnOlderApplicationMayNotHaveHoldsBackNobody() throws Exception {
    try (MockCluster cluster = cluster(
        Map.of(MockCluster.stateAwareKey("max-containers"), "2"), 64 * GB)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(100, GB);
      go(cluster);
      assertThat(older.containers()).isEqualTo(2);
      List<MockApp> apps = submit(cluster, 5);
      go(cluster);
      assertThat(drivers(apps)).isEqualTo(5);
    }
  }

  @Test
  void whatRunsHasAnEndAndSoCountsAsReserve() throws Exception {
    try (MockCluster cluster = cluster(LARGEST, LARGEST, LARGEST)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(3, GB);
      cluster.look();
      for (MockNM node : cluster.nodes()) {
        older.ask(1, GB);
        cluster.heartbeat(node);
        older.ask(0, GB);
      }
      assertThat(older.containers()).isEqualTo(4);
      List<MockApp> apps = submit(cluster, 4);
      go(cluster);
      assertThat(drivers(apps)).as("no node is empty, and all three will be").isEqualTo(2);
    }
  }

  @Test
  void driversWithoutExecutorsCountAgainstTheReserve() throws Exception {
    try (MockCluster cluster = cluster(LARGEST, LARGEST)) {
      show(cluster, GB);
      List<MockApp> apps = submit(cluster, 4);
      cluster.look();
      cluster.heartbeat(cluster.node(0));
      cluster.heartbeat(cluster.node(1));
      assertThat(drivers(apps)).as("one may cost a node").isEqualTo(1);
      // All are on one node, so there is room for many.
      go(cluster);
      assertThat(drivers(apps)).isEqualTo(1);
    }
  }

  @Test
  void afterARestartWhatIsRunningTellsWhatToExpect() throws Exception {
    try (MockCluster cluster = cluster(24 * GB)) {
      MockApp older = cluster.submit();
      cluster.heartbeat();
      older.register().ask(1, 2 * GB);
      cluster.heartbeat();
      older.heartbeat();
      older.launchExecutors();
      cluster.comeBack(cluster.restart());
      older.registerAgain();
      List<MockApp> apps = submit(cluster, 5);
      go(cluster);
      assertThat(drivers(apps)).isEqualTo(5);
    }
  }

  @Test
  void oneThatWaitedInVainStartsBesideOthersOnceThereIsRoom() throws Exception {
    try (MockCluster cluster = cluster(
        Map.of(MockCluster.stateAwareKey("accepted-timeout"), "1m"), 16 * GB)) {
      cluster.fill(13);
      MockApp large = cluster.submit(4 * GB, 0);
      cluster.heartbeat();
      cluster.pass(Duration.ofMinutes(1));
      MockApp small = cluster.submit();
      // The large one ends the first walk.
      go(cluster);
      go(cluster);
      assertThat(small.state()).isEqualTo(STARTING);
      assertThat(large.state()).isEqualTo(ACCEPTED);
      cluster.addNode(64 * GB);
      go(cluster);
      assertThat(large.state()).isEqualTo(STARTING);
      assertThat(small.state()).isEqualTo(STARTING);
    }
  }

  @Test
  void theTimeLimitBoundsTheDamage() throws Exception {
    try (MockCluster cluster = cluster(64 * GB)) {
      List<MockApp> apps = submit(cluster, 5);
      go(cluster);
      submit(cluster, 40).forEach(apps::add);
      for (int i = 0; i < 5; i++) {
        go(cluster);
      }
      long starting = drivers(apps);
      assertThat(starting).isBetween(5L, 7L);
      cluster.pass(Duration.ofMinutes(5));
      cluster.look();
      assertThat(apps.stream().filter(app -> app.state() == STARTING).count()).isZero();
      assertThat(apps.stream().filter(app -> app.state() == RUNNING).count()).isEqualTo(starting);
    }
  }

  @Test
  void aSecondAttemptFindsRoomAsTheFirstDid() throws Exception {
    try (MockCluster cluster = cluster(64 * GB)) {
      List<MockApp> apps = submit(cluster, 3);
      go(cluster);
      apps.get(0).launch();
      apps.get(0).failDriver();
      go(cluster);
      assertThat(apps).extracting(MockApp::state).containsOnly(STARTING);
    }
  }

  @Test
  void theFairOrderStartsThemAtOnceToo() throws Exception {
    try (MockCluster cluster = MockCluster.of(
        StateAwareFairOrderingPolicy.class, "parallel-start", "headroom")) {
      cluster.addNode(64 * GB);
      List<MockApp> apps = submit(cluster, 4);
      go(cluster);
      assertThat(drivers(apps)).isEqualTo(4);
    }
  }
}
