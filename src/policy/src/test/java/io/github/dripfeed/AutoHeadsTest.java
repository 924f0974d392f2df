// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.YarnPreemption;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Heads for which YARN's preemption makes room, between queues and within one, on a full cluster and while
 * another application is starting: they get their drivers as fast as under stock ordering with the same AM
 * limit, and cost no more containers.
 */
class AutoHeadsTest {

  /** From a driver's allocation to its requests, in seconds. */
  private static final int START_UP = 3;
  /** At most one interval of the monitor and one heartbeat later, in seconds. */
  private static final int LATER = 2;
  private static final int SECONDS = 12;

  /** An application: its queue, user, priority, and the number of its executors. */
  private static final class App {
    final String queue;
    final String user;
    final int priority;
    final int executors;

    App(String queue, String user, int priority, int executors) {
      this.queue = queue;
      this.user = user;
      this.priority = priority;
      this.executors = executors;
    }

    MockApp submit(MockCluster cluster) throws Exception {
      return cluster.submit(
          cluster.submission(GB).withQueue(queue).withUser(user).withPriority(priority));
    }
  }

  private static App in(String queue, String user, int priority, int executors) {
    return new App(queue, user, priority, executors);
  }

  /** What is starting, what takes the rest, what comes then, at once, and properties. */
  enum Case {
    BELOW_ITS_GUARANTEE(in(OTHER, "s", 0, 0), List.of(in(OTHER, "g", 0, 60)), List.of(in(DRIP, "u", 0, 2))),
    WIDER_THAN_ITS_GUARANTEE(in(OTHER, "s", 0, 0), List.of(in(OTHER, "g", 0, 60)),
        List.of(in(DRIP, "u", 0, 25))),
    BELOW_ITS_GUARANTEE_BEHIND_ONE_AT_ITS_LIMIT(in(OTHER, "s", 0, 0),
        List.of(in(DRIP, "u", 0, 60), in(OTHER, "g", 0, 60)),
        List.of(in(DRIP, "u", 0, 2), in(DRIP, "v", 0, 2)), key(DRIP, "user-limit-factor"), "0.25"),
    URGENT(in(DRIP, "s", 0, 0), List.of(in(DRIP, "g", 0, 60)), List.of(in(DRIP, "u", 5, 2))),
    URGENT_OF_A_USER_AT_ITS_LIMIT(in(DRIP, "s", 0, 0), List.of(in(DRIP, "u", 0, 60), in(OTHER, "o", 0, 60)),
        List.of(in(DRIP, "u", 5, 2)), key(DRIP, "user-limit-factor"), "1"),
    URGENT_BEHIND_ONE_AT_ITS_LIMIT(in(DRIP, "s", 0, 0),
        List.of(in(DRIP, "g", 0, 30), in(DRIP, "u", 5, 60), in(OTHER, "o", 0, 60)),
        List.of(in(DRIP, "u", 5, 2), in(DRIP, "v", 5, 2)), key(DRIP, "user-limit-factor"), "0.5"),
    URGENT_OF_EACH_LEVEL(in(DRIP, "s", 0, 0), List.of(in(DRIP, "g", 0, 60)),
        List.of(in(DRIP, "u", 1, 1), in(DRIP, "v", 2, 1), in(DRIP, "w", 3, 1), in(DRIP, "x", 4, 1),
            in(DRIP, "y", 5, 1)));

    final App starting;
    final List<App> greedy;
    final List<App> heads;
    final String[] more;

    Case(App starting, List<App> greedy, List<App> heads, String... more) {
      this.starting = starting;
      this.greedy = greedy;
      this.heads = heads;
      this.more = more;
    }
  }

  /** The seconds until each has its driver, and the containers that were killed. */
  private static final class Outcome {
    final List<Integer> drivers = new ArrayList<>();
    int killed;

    double killedForEach() {
      return (double) killed / drivers.stream().filter(seconds -> seconds < SECONDS).count();
    }
  }

  private static MockCluster cluster(boolean auto, Case wanted) throws Exception {
    List<String> all = new ArrayList<>(List.of(
        CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_ENABLED, "true",
        CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_MINIMUM_THRESHOLD, "0.1",
        CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_MAX_ALLOWABLE_LIMIT, "1.0",
        CapacitySchedulerConfiguration.INTRAQUEUE_PREEMPTION_ORDER_POLICY, "priority_first"));
    for (String queue : List.of(DRIP, OTHER)) {
      all.addAll(List.of(key(queue, "capacity"), "50", key(queue, "maximum-am-resource-percent"), "1.0",
          key(queue, "ordering-policy"), auto ? StateAwareOrderingPolicy.class.getName() : "fifo"));
      if (auto) {
        all.addAll(List.of(key(queue, "ordering-policy.state-aware.max-starting"), "auto"));
      }
    }
    all.addAll(List.of(wanted.more));
    MockCluster cluster = MockCluster.configured(
        StateAwareOrderingPolicy.class, YarnPreemption.withoutDelay(all.toArray(new String[0])));
    cluster.addNode(40 * GB);
    return cluster;
  }

  private static Outcome run(boolean auto, Case wanted) throws Exception {
    try (MockCluster cluster = cluster(auto, wanted)) {
      List<MockApp> greedy = new ArrayList<>();
      for (App each : wanted.greedy) {
        MockApp app = each.submit(cluster);
        cluster.runUntilStarted(app, 5);
        greedy.add(app.register());
      }
      MockApp starting = wanted.starting.submit(cluster);
      cluster.runUntilStarted(starting, 5);
      for (int i = 0; i < greedy.size(); i++) {
        greedy.get(i).ask(wanted.greedy.get(i).executors, GB);
        cluster.runFor(3);
      }
      assertThat(starting.containers()).isEqualTo(1);
      Outcome outcome = new Outcome();
      List<MockApp> heads = new ArrayList<>();
      for (App head : wanted.heads) {
        heads.add(head.submit(cluster));
        outcome.drivers.add(SECONDS);
      }
      for (int second = 0; second < SECONDS; second++) {
        int before = containers(greedy);
        for (int call = 0; call < 2; call++) {
          YarnPreemption.round(cluster);
          cluster.rm().drainEvents();
        }
        outcome.killed += before - containers(greedy);
        cluster.runFor(1);
        for (MockApp app : greedy) {
          app.heartbeat();
        }
        for (int i = 0; i < heads.size(); i++) {
          MockApp head = heads.get(i);
          if (head.containers() > 0) {
            outcome.drivers.set(i, Math.min(second, outcome.drivers.get(i)));
            if (second == outcome.drivers.get(i) + START_UP) {
              head.register().ask(wanted.heads.get(i).executors, GB);
            }
          }
        }
      }
      return outcome;
    }
  }

  private static int containers(List<MockApp> apps) {
    return apps.stream().mapToInt(MockApp::containers).sum();
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void headsAreAsFastAsUnderStockOrdering(Case wanted) throws Exception {
    Outcome stock = run(false, wanted);
    Outcome auto = run(true, wanted);
    for (int i = 0; i < stock.drivers.size(); i++) {
      assertThat(auto.drivers.get(i)).as("%s of %s", auto.drivers, stock.drivers)
          .isLessThanOrEqualTo(stock.drivers.get(i) + LATER);
    }
    assertThat(auto.killedForEach()).isLessThanOrEqualTo(1.1 * stock.killedForEach());
  }
}
