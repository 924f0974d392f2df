// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
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
 * Random clusters, with containers of many sizes and two resource types. Each step preempts the containers
 * of a plan at once, places what the plan assigns, and makes the next plan.
 */
class PlanPropertyTest {

  /** An application of the model. */
  private static final class App {
    final int weight;
    final ResourceVector size;
    final int user;
    int pending;
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
  private ResourceVector userLimit;
  private int preempted;

  @Property(tries = 2000)
  void sharePlansSettleAndKeepProtectedContainers(@ForAll int seed,
      @ForAll @IntRange(min = 1, max = 2) int types) {
    make(new Random(seed), types);
    assertSettles(true);
  }

  @Property(tries = 2000)
  void priorityPlansSettleAndKeepProtectedContainers(@ForAll int seed,
      @ForAll @IntRange(min = 1, max = 2) int types) {
    make(new Random(seed), types);
    assertSettles(false);
  }

  /** Each of these seeds once made plans oscillate, each for a different reason. */
  @Example
  void formerlyOscillatingPlansSettle() {
    for (int[] seed : new int[][] {{162815511, 2, 1}, {-95726, 1, 1}, {93689, 2, 1}, {-377, 2, 0}}) {
      make(new Random(seed[0]), seed[1]);
      assertSettles(seed[2] == 1);
    }
  }

  /** Preempting it would push one application far below its share to lift the other by a little. */
  @Example
  void largeContainerIsNotPreemptedForASmallRequest() {
    PlanNode node = new PlanNode(ResourceVector.of(0), null, null);
    PlanUser user = FixedUserLimit.unlimited(1);
    PlanApplication large = new PlanApplication(1, 0, user, Long.MAX_VALUE);
    large.addProtected(ResourceVector.of(4));
    large.addPreemptible(node, ResourceVector.of(9), false, null);
    PlanApplication small = new PlanApplication(1, 0, user, Long.MAX_VALUE);
    small.addProtected(ResourceVector.of(10));
    small.addRequest(ResourceVector.of(1), 10, Placement.ANYWHERE);
    PlacementState state =
        new PlacementState(List.of(node), ResourceVector.of(0), new DominantShare(ResourceVector.of(23)));
    assertThat(ReclaimPlan.byShare(List.of(large, small), state, 1, 0).preempted()).isEmpty();
  }

  private void assertSettles(boolean byShare) {
    for (int round = 0; round < 200; round++) {
      int before = preempted;
      step(byShare);
      if (preempted == before) {
        return;
      }
    }
    throw new AssertionError("the plans do not settle");
  }

  private void make(Random random, int types) {
    apps.clear();
    preempted = 0;
    nodes = new ResourceSum[1 + random.nextInt(4)];
    total = new ResourceSum(types);
    for (int node = 0; node < nodes.length; node++) {
      nodes[node] = new ResourceSum(amounts(random, types, 8, 24));
      total.add(nodes[node]);
    }
    double fraction = random.nextInt(3) == 0 ? 0.6 : 1;
    userLimit = total.toVector().each(amount -> (long) (amount * fraction));
    int count = 2 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      App app = new App(1 + random.nextInt(4), amounts(random, types, 1, 5), random.nextInt(2));
      app.pending = random.nextInt(30);
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

  private static ResourceVector amounts(Random random, int types, int min, int max) {
    return ResourceVector.of(types, t -> min + random.nextInt(max - min + 1));
  }

  private void step(boolean byShare) {
    DominantShare measure = new DominantShare(total);
    List<PlanNode> all =
        Arrays.stream(nodes).map(free -> new PlanNode(free.toVector(), null, null)).toList();
    List<PlanUser> users =
        List.of(FixedUserLimit.user(userLimit), FixedUserLimit.user(userLimit));
    List<PlanApplication> applications = new ArrayList<>();
    Map<PreemptibleContainer, App> owners = new HashMap<>();
    for (App app : apps) {
      PlanApplication application =
          new PlanApplication(app.weight, app.weight, users.get(app.user), Long.MAX_VALUE);
      int kept = Math.min(2, app.nodes.size());
      for (int i = 0; i < kept; i++) {
        application.addProtected(app.size);
      }
      for (int i = app.nodes.size() - 1; i >= kept; i--) {
        owners.put(application.addPreemptible(all.get(app.nodes.get(i)), app.size, false, null), app);
      }
      application.addRequest(app.size, app.pending, Placement.ANYWHERE);
      applications.add(application);
    }
    ResourceSum headroom = new ResourceSum(total.types());
    Arrays.stream(nodes).forEach(free -> headroom.add(free));
    PlacementState state = new PlacementState(all, headroom.toVector(), measure);
    List<PlanApplication> order = new ArrayList<>(applications);
    if (!byShare) {
      order.sort((one, other) -> other.priority - one.priority);
    }
    ReclaimPlan plan = byShare ? ReclaimPlan.byShare(order, state, 0.3, 0)
        : ReclaimPlan.byPriority(order, state, 0.3);
    assertPlanFollowsTheRules(plan, applications, byShare);
    for (PreemptibleContainer container : plan.preempted()) {
      App loser = owners.get(container);
      int node = all.indexOf(container.node);
      assertThat(loser.nodes.lastIndexOf(node)).as("protected containers stay").isGreaterThan(1);
      loser.nodes.remove(loser.nodes.lastIndexOf(node));
      nodes[node].add(loser.size);
      loser.pending++;
      preempted++;
    }
    // The scheduler places a container on the first node on which it fits; the application farthest below
    // its share is served first.
    Set<PlanApplication> receivers = new LinkedHashSet<>();
    plan.preempted().forEach(container -> receivers.add(plan.receiver(container)));
    receivers.addAll(order);
    receivers.forEach(next -> place(apps.get(applications.indexOf(next)), next.assigned()));
  }

  private void place(App app, ResourceVector given) {
    long count = given.get(0) / app.size.get(0);
    assertThat(given).isEqualTo(app.size.times(count));
    assertThat(count).as("never more than requested").isLessThanOrEqualTo(app.pending);
    for (int node = 0; node < nodes.length; node++) {
      while (count > 0 && app.size.fitsIn(nodes[node])) {
        nodes[node].subtract(app.size);
        app.nodes.add(node);
        app.pending--;
        count--;
      }
    }
  }

  private static void assertPlanFollowsTheRules(ReclaimPlan plan, List<PlanApplication> applications,
      boolean byShare) {
    for (PreemptibleContainer container : plan.preempted()) {
      if (!byShare) {
        assertThat(container.application.priority).isLessThan(plan.receiver(container).priority);
      }
      assertThat(container.application).isNotSameAs(plan.receiver(container));
    }
    for (PlanApplication application : applications) {
      assertThat(application.protectedUsage.fitsIn(application.used)).as("keeps its protected containers")
          .isTrue();
    }
  }
}
