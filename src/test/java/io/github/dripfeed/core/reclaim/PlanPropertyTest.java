/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Random clusters, with containers of many sizes and two resource types. Each step takes at once what the
 * plan takes, places what it gives, and makes the next plan.
 */
class PlanPropertyTest {

  /** An application of the model. */
  private static final class App {
    final int weight;
    final ResourceVector size;
    final int user;
    int asks;
    /** The node of each container, oldest first. The first one is the driver. */
    final List<Integer> nodes = new ArrayList<>();

    App(int weight, ResourceVector size, int user) {
      this.weight = weight;
      this.size = size;
      this.user = user;
    }
  }

  private final List<App> apps = new ArrayList<>();
  private ResourceSum[] nodes;
  private ResourceSum total;
  private double userLimit;
  private int taken;

  @Property(tries = 2000)
  void sharePlansSettleAndSpareProtectedContainers(@ForAll int seed,
      @ForAll @IntRange(min = 1, max = 2) int types) {
    make(new Random(seed), types);
    assertSettles(true);
  }

  @Property(tries = 2000)
  void priorityPlansSettleAndSpareProtectedContainers(@ForAll int seed,
      @ForAll @IntRange(min = 1, max = 2) int types) {
    make(new Random(seed), types);
    assertSettles(false);
  }

  /** Each of these seeds once made plans oscillate, each for a different reason. */
  @Example
  void formerlyOscillatingPlansSettle() {
    for (int[] once : new int[][] {{162815511, 2, 1}, {-95726, 1, 1}, {93689, 2, 1}, {-377, 2, 0}}) {
      make(new Random(once[0]), once[1]);
      assertSettles(once[2] == 1);
    }
  }

  /**
   * Taking it would put one application as far below its share as the other was, to gain a fifth of that.
   */
  @Example
  void largeContainerIsNotTakenForASmallRequest() {
    PlanNode node = new PlanNode(ResourceVector.of(0), true);
    PlanUser user = new PlanUser(1, 1);
    PlanApplication large = new PlanApplication(1, 0, user, Long.MAX_VALUE);
    large.keeps(ResourceVector.of(4));
    large.mayLose(node, ResourceVector.of(9), false);
    PlanApplication small = new PlanApplication(1, 0, user, Long.MAX_VALUE);
    small.keeps(ResourceVector.of(10));
    small.asks(ResourceVector.of(1), 10, Placement.ANYWHERE);
    PlacementState space =
        new PlacementState(List.of(node), ResourceVector.of(0), new DominantShare(ResourceVector.of(23)));
    assertThat(ReclaimPlan.byShare(List.of(large, small), space, 1, 0).taken()).isEmpty();
  }

  private void assertSettles(boolean byShare) {
    for (int round = 0; round < 200; round++) {
      int before = taken;
      step(byShare);
      if (taken == before) {
        return;
      }
    }
    throw new AssertionError("the plans do not settle");
  }

  private void make(Random random, int types) {
    apps.clear();
    taken = 0;
    nodes = new ResourceSum[1 + random.nextInt(4)];
    total = new ResourceSum(types);
    for (int node = 0; node < nodes.length; node++) {
      nodes[node] = new ResourceSum(amounts(random, types, 8, 24));
      total.add(nodes[node]);
    }
    userLimit = random.nextInt(3) == 0 ? 0.6 : 1;
    int count = 2 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      App app = new App(1 + random.nextInt(4), amounts(random, types, 1, 5), random.nextInt(2));
      app.asks = random.nextInt(30);
      apps.add(app);
      int first = random.nextInt(nodes.length);
      for (int tries = random.nextInt(20); tries > 0; tries--) {
        int node = (first + tries) % nodes.length;
        if (app.size.fitsIn(nodes[node])) {
          nodes[node].subtract(app.size);
          app.nodes.add(node);
        }
      }
    }
  }

  private static ResourceVector amounts(Random random, int types, int least, int most) {
    return ResourceVector.of(types, t -> least + random.nextInt(most - least + 1));
  }

  private void step(boolean byShare) {
    DominantShare measure = new DominantShare(total);
    List<PlanNode> all = Arrays.stream(nodes).map(free -> new PlanNode(free.toVector(), true)).toList();
    List<PlanUser> users =
        List.of(new PlanUser(userLimit, total.types()), new PlanUser(userLimit, total.types()));
    List<PlanApplication> claimants = new ArrayList<>();
    Map<PreemptibleContainer, App> owners = new HashMap<>();
    for (App app : apps) {
      PlanApplication claimant =
          new PlanApplication(app.weight, app.weight, users.get(app.user), Long.MAX_VALUE);
      int kept = Math.min(2, app.nodes.size());
      for (int i = 0; i < kept; i++) {
        claimant.keeps(app.size);
      }
      for (int i = app.nodes.size() - 1; i >= kept; i--) {
        owners.put(claimant.mayLose(all.get(app.nodes.get(i)), app.size, false), app);
      }
      claimant.asks(app.size, app.asks, Placement.ANYWHERE);
      claimants.add(claimant);
    }
    ResourceSum headroom = new ResourceSum(total.types());
    Arrays.stream(nodes).forEach(free -> headroom.add(free));
    PlacementState space = new PlacementState(all, headroom.toVector(), measure);
    List<PlanApplication> order = new ArrayList<>(claimants);
    if (!byShare) {
      order.sort((one, other) -> other.priority - one.priority);
    }
    ReclaimPlan plan = byShare ? ReclaimPlan.byShare(order, space, 0.3, 0)
        : ReclaimPlan.byPriority(order, space, 0.3);
    assertNothingIsWrong(plan, claimants, byShare);
    for (PreemptibleContainer holding : plan.taken()) {
      App loser = owners.get(holding);
      int node = all.indexOf(holding.node);
      assertThat(loser.nodes.lastIndexOf(node)).as("protected containers stay").isGreaterThan(1);
      loser.nodes.remove(loser.nodes.lastIndexOf(node));
      nodes[node].add(loser.size);
      loser.asks++;
      taken++;
    }
    // Placed as the scheduler does it: on the first node with room, the application furthest below its
    // share first.
    Set<PlanApplication> takers = new LinkedHashSet<>();
    plan.taken().forEach(holding -> takers.add(plan.taker(holding)));
    takers.addAll(order);
    takers.forEach(next -> place(apps.get(claimants.indexOf(next)), next.given()));
  }

  private void place(App app, ResourceVector given) {
    long count = given.get(0) / app.size.get(0);
    assertThat(given).isEqualTo(app.size.times(count));
    assertThat(count).as("never more than requested").isLessThanOrEqualTo(app.asks);
    for (int node = 0; node < nodes.length; node++) {
      while (count > 0 && app.size.fitsIn(nodes[node])) {
        nodes[node].subtract(app.size);
        app.nodes.add(node);
        app.asks--;
        count--;
      }
    }
  }

  private static void assertNothingIsWrong(ReclaimPlan plan, List<PlanApplication> claimants,
      boolean byShare) {
    for (PreemptibleContainer holding : plan.taken()) {
      if (!byShare) {
        assertThat(holding.owner.priority).isLessThan(plan.taker(holding).priority);
      }
      assertThat(holding.owner).isNotSameAs(plan.taker(holding));
    }
    for (PlanApplication claimant : claimants) {
      assertThat(claimant.fixed.fitsIn(claimant.held)).as("keeps its protected containers")
          .isTrue();
    }
  }
}
