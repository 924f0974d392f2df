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

import static io.github.dripfeed.MockCluster.DRIP;
import static io.github.dripfeed.MockCluster.GB;
import static io.github.dripfeed.MockCluster.OTHER;
import static io.github.dripfeed.MockCluster.queueKey;
import static io.github.dripfeed.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random queues on the real Capacity Scheduler: everybody comes to what it deserves, and stays there. Also
 * with several users with limits, applications that ask for hosts and for containers of two sizes, so that
 * some reserve nodes, a sibling queue that asks for what it cannot have, and demand that changes.
 */
class ReclaimConvergenceTest {

  /** Containers that an application keeps in any case: its driver and one executor. */
  private static final int KEPT = 2;

  /** Enough for several waves, each a time of grace and what follows from it. */
  private static final int ROUNDS_TO_REST = 8 * Reclaiming.ROUNDS;

  /** An application of this priority that wants so many executors, at first and later. */
  record Wish(int priority, int first, int later) {
  }

  record Scenario(List<Integer> nodes, List<Wish> wishes, int cap, int percentPerRound,
      int deadZonePercent) {

    String[] properties() {
      return new String[] {
          stateAwareKey("max-containers"), String.valueOf(cap),
          stateAwareKey("reclaim.max-per-round"), percentPerRound + "%",
          stateAwareKey("reclaim.dead-zone"), deadZonePercent + "%"};
    }

    int size() {
      return nodes.stream().mapToInt(Integer::intValue).sum();
    }

    /** The driver included. */
    int demand(Wish wish) {
      int demand = 1 + wish.later();
      return cap == 0 ? demand : Math.min(demand, cap);
    }

    /** All of the queue once, round by round, and the time of grace before and after. */
    int mostRounds() {
      return 100 / percentPerRound + 2 * Reclaiming.ROUNDS;
    }
  }

  @Property(seed = "1", tries = 30)
  void byShareEveryoneHoldsItsWeightedShareWithinOneContainer(
      @ForAll("scenarios") Scenario scenario) throws Exception {
    try (Reclaiming queue = Reclaiming.byShare(scenario.properties())) {
      List<MockApp> apps = converge(queue, scenario);
      double level = level(scenario, apps);
      for (int i = 0; i < apps.size(); i++) {
        double share = share(scenario, i, apps, level);
        assertThat((double) apps.get(i).containers()).as("%s of %s", apps.get(i).name(), scenario)
            .isCloseTo(share, within(Math.max(1, share * scenario.deadZonePercent() / 100) + 1e-6));
      }
    }
  }

  @Example
  void whoeverIsCloseEnoughToItsShareIsNotGivenTooMuch() throws Exception {
    byShareEveryoneHoldsItsWeightedShareWithinOneContainer(new Scenario(List.of(7, 10, 14),
        List.of(new Wish(4, 29, 24), new Wish(0, 1, 28), new Wish(4, 21, 11)), 0, 10, 25));
  }

  @Property(seed = "1", tries = 20)
  void byPriorityNobodyWaitsForWhatALowerPriorityCouldLose(
      @ForAll("scenarios") Scenario scenario) throws Exception {
    try (Reclaiming queue = Reclaiming.byPriority(scenario.properties())) {
      List<MockApp> apps = converge(queue, scenario);
      for (int i = 0; i < apps.size(); i++) {
        Wish wish = scenario.wishes().get(i);
        if (apps.get(i).containers() < scenario.demand(wish)) {
          for (int j = 0; j < apps.size(); j++) {
            if (scenario.wishes().get(j).priority() < wish.priority()) {
              assertThat(apps.get(j).containers()).as("%s below %s of %s", apps.get(j).name(),
                  apps.get(i).name(), scenario).isLessThanOrEqualTo(KEPT);
            }
          }
        }
      }
    }
  }

  /** Starts all, lets their wishes change, and sees them come to rest. */
  private static List<MockApp> converge(Reclaiming queue, Scenario scenario) throws Exception {
    for (int node : scenario.nodes()) {
      queue.cluster.addNode(node * GB);
    }
    List<MockApp> apps = new ArrayList<>();
    for (Wish wish : scenario.wishes()) {
      MockApp app = queue.submit(wish.priority());
      rounds(queue, apps, scenario, true, Reclaiming.ROUNDS);
      if (app.containers() == 0) {
        // Nobody of lower priority has anything to lose, and whoever comes next is held.
        app.kill();
        break;
      }
      app.register();
      apps.add(app);
      rounds(queue, apps, scenario, true, Reclaiming.ROUNDS);
    }
    for (int i = 0; i < apps.size(); i++) {
      MockApp app = apps.get(i);
      int surplus = app.executors().size() - scenario.wishes().get(i).later();
      if (surplus > 0) {
        app.release(app.executors().subList(0, surplus));
      }
    }
    rounds(queue, apps, scenario, false, 0);
    // What is free goes to them first, as the scheduler has it.
    queue.heartbeats();
    int lostBefore = queue.lost();
    List<Integer> before = apps.stream().map(MockApp::containers).toList();
    rounds(queue, apps, scenario, false, scenario.mostRounds());
    int lost = queue.lost();
    List<Integer> after = apps.stream().map(MockApp::containers).toList();
    rounds(queue, apps, scenario, false, 2 * Reclaiming.ROUNDS);
    assertThat(queue.lost()).as("at rest: %s", scenario).isEqualTo(lost);
    assertThat(apps).extracting(MockApp::containers).as("at rest: %s", scenario).isEqualTo(after);
    int needed = 0;
    for (int i = 0; i < apps.size(); i++) {
      needed += Math.max(0, before.get(i) - after.get(i));
    }
    assertThat(lost - lostBefore).as("taken, and not in vain: %s", scenario).isEqualTo(needed);
    return apps;
  }

  /** Rounds in which everybody goes on to ask for all that it wants. */
  private static void rounds(Reclaiming queue, List<MockApp> apps, Scenario scenario, boolean first,
      int count) throws Exception {
    for (int round = 0; round <= count; round++) {
      for (int i = 0; i < apps.size(); i++) {
        Wish wish = scenario.wishes().get(i);
        int wanted = (first ? wish.first() : wish.later()) - apps.get(i).executors().size();
        apps.get(i).ask(Math.max(0, wanted), GB);
      }
      if (round < count) {
        queue.roundAndHeartbeats();
      }
    }
  }

  /** The level to which all are raised in proportion to their weights, by bisection. */
  private static double level(Scenario scenario, List<MockApp> apps) {
    double low = 0;
    double high = 1000;
    for (int i = 0; i < 100; i++) {
      double level = (low + high) / 2;
      double sum = 0;
      for (int j = 0; j < apps.size(); j++) {
        sum += share(scenario, j, apps, level);
      }
      if (sum > scenario.size()) {
        high = level;
      } else {
        low = level;
      }
    }
    return low;
  }

  private static double share(Scenario scenario, int i, List<MockApp> apps, double level) {
    Wish wish = scenario.wishes().get(i);
    int kept = Math.min(KEPT, apps.get(i).containers());
    return Math.max(kept, Math.min(scenario.demand(wish), level * (wish.priority() + 1)));
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    Arbitrary<Wish> wishes = Combinators.combine(Arbitraries.integers().between(0, 4),
        Arbitraries.integers().between(1, 30), Arbitraries.integers().between(0, 30)).as(Wish::new);
    return Combinators.combine(
        Arbitraries.integers().between(5, 14).list().ofMinSize(1).ofMaxSize(3),
        wishes.list().ofMinSize(2).ofMaxSize(5),
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(2, Arbitraries.just(0)),
            net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(3, 12))),
        Arbitraries.of(10, 34, 100), Arbitraries.of(0, 10, 25)).as(Scenario::new);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 8})
  void byPriorityItComesToRestAndNothingIsTakenInVain(int seed) throws Exception {
    Random random = new Random(seed);
    try (Reclaiming queue = Reclaiming.byPriority(properties(random))) {
      live(queue, random, seed, true);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void byShareItComesToRestAndNothingIsTakenInVain(int seed) throws Exception {
    Random random = new Random(seed);
    try (Reclaiming queue = Reclaiming.byShare(properties(random))) {
      live(queue, random, seed, false);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void byShareWithHostsItComesToRestAndNothingIsTakenInVain(int seed) throws Exception {
    byShareWithHostsNothingGoesBackThroughAnother(seed);
  }

  @ParameterizedTest
  @ValueSource(ints = {-2367399, 41356089, 169390229, 1572370038})
  void byShareWithHostsNothingGoesBackThroughAnother(int seed) throws Exception {
    Random random = new Random(seed);
    try (Reclaiming queue = Reclaiming.byShare(properties(random))) {
      live(queue, random, seed, true);
    }
  }

  private static String[] properties(Random random) {
    return new String[] {
        queueKey("minimum-user-limit-percent"), List.of("100", "50", "34", "25").get(random.nextInt(4)),
        queueKey("user-limit-factor"), List.of("100", "0.6").get(random.nextInt(2)),
        stateAwareKey("max-starting"), "5",
        stateAwareKey("reclaim.dead-zone"), List.of("0%", "10%").get(random.nextInt(2)),
        CapacitySchedulerConfiguration.PREFIX + DRIP + ".capacity", "80",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".capacity", "20",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".user-limit-factor", "0.1",
        CapacitySchedulerConfiguration.PREFIX + OTHER + ".maximum-am-resource-percent", "0.01"};
  }

  private static void live(Reclaiming queue, Random random, int seed, boolean local) throws Exception {
    int nodes = 2 + random.nextInt(3);
    for (int node = 0; node < nodes; node++) {
      queue.cluster.addNode((6 + random.nextInt(8)) * GB);
    }
    // At its user's limit, with another behind the limit on drivers: it asks for ever, and in vain.
    MockApp sibling = queue.start(queue.cluster.submission(GB).withQueue(OTHER), 5);
    queue.submit(queue.cluster.submission(GB).withQueue(OTHER));
    ReclaimLife life = new ReclaimLife(queue, random);
    int applications = 3 + random.nextInt(3);
    for (int i = 0; i < applications; i++) {
      life.arrive(DRIP, local);
    }
    for (int phase = 0; phase < 3; phase++) {
      int lost = queue.lost();
      int moved = life.moved();
      int receivers = life.receivers();
      life.change();
      life.epoch(ROUNDS_TO_REST);
      int taken = queue.lost() - lost;
      assertThat(taken).as("taken in phase %s of seed %s, where %s had to move", phase, seed,
          life.moved() - moved)
          .isLessThanOrEqualTo(life.moved() - moved + life.receivers() - receivers);
      List<Integer> before = life.containers();
      life.epoch(2 * Reclaiming.ROUNDS);
      assertThat(queue.lost() - lost).as("at rest after phase %s of seed %s", phase, seed)
          .isEqualTo(taken);
      assertThat(life.containers()).as("at rest, seed %s", seed).isEqualTo(before);
    }
    assertThat(sibling.containers()).isLessThan(4);
    assertThat(Shared.current().failures()).isZero();
  }
}
