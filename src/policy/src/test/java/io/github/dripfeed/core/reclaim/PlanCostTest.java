// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.cluster.UserLimits;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan checks each container a few times, however many applications have pending requests. */
class PlanCostTest {

  private static final int EACH = 20;

  enum Case {
    /** All applications have the same number of containers, and one of ten priorities or weights. */
    EVEN((i, all) -> EACH, 1),
    /** One half of the applications has nearly all containers. */
    SKEWED((i, all) -> i % 2 == 0 ? 2 * EACH - 1 : 1, 1),
    /** The last application has nearly all containers. */
    ONE((i, all) -> i == all - 1 ? all * (EACH - 1) : 1, 1),
    /** The requests are larger than a node. */
    TOO_LARGE((i, all) -> EACH, EACH + 1),
    /** The requests have the size of half a node. */
    LARGE((i, all) -> EACH, EACH / 2);

    /** The number of containers of an application, given its index and the number of applications. */
    final IntBinaryOperator containers;
    final int size;

    Case(IntBinaryOperator containers, int size) {
      this.containers = containers;
      this.size = size;
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void workGrowsLinearlyByPriority(Case of) {
    assertGrowsLinearly(checked(of, 250, false), checked(of, 2000, false), 250);
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void workGrowsLinearlyByShare(Case of) {
    assertGrowsLinearly(checked(of, 250, true), checked(of, 2000, true), 250);
  }

  /** All users have pending requests, and the usage of one user is far above its limit. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void workGrowsLinearlyWithUserLimits(boolean byShare) {
    assertGrowsLinearly(checkedWithLimits(250, byShare), checkedWithLimits(2000, byShare), 250);
  }

  private static long checkedWithLimits(int count, boolean byShare) {
    long total = (long) count * EACH;
    ResourceVector all = ResourceVector.of(total);
    UserLimits limits = new UserLimits(new DominantShare(all),
        new UserLimits.QueueResources(all, all, all), ResourceVector.of(1), 10, -1);
    List<PlanUser> users = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      users.add(new PlanUser(limits, 1, true));
    }
    return checked(Case.EVEN, count, byShare, i -> users.get(i % 10 > 1 ? 0 : 1 + i % 9));
  }

  /**
   * Each application names the nodes of two hosts, and any of the others might use its headroom or its
   * place.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void workGrowsLinearlyWithRequestsForHosts(boolean byShare) {
    assertGrowsLinearly(checkedWithHosts(250, byShare), checkedWithHosts(2000, byShare), 250);
  }

  private static long checkedWithHosts(int count, boolean byShare) {
    PlanUser user = FixedUserLimit.unlimited(1);
    return checked(Case.EVEN, count, byShare, i -> user, (i, nodes) -> new OnNodes(
        Arrays.asList(nodes.get(i), nodes.get(i * 7 % count))));
  }

  /**
   * Half of the applications of one user are urgent, and take from the other half, with ten sizes. With
   * that the user falls to its limit, and YARN may give containers back.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void workGrowsLinearlyWithLosersOfTheSameUser(int sizes) {
    assertGrowsLinearly(checkedWithinUser(250, sizes), checkedWithinUser(2000, sizes), 250);
  }

  private static long checkedWithinUser(int count, int sizes) {
    List<PlanNode> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(new PlanNode(ResourceVector.of(0), null, null));
    }
    ResourceVector total = ResourceVector.of((long) count * EACH * (sizes + 1) / 2);
    UserLimits limits = new UserLimits(new DominantShare(total),
        new UserLimits.QueueResources(total, total, total), ResourceVector.of(1), 50, -1);
    PlanUser user = new PlanUser(limits, 1, true);
    PlanUser other = new PlanUser(limits, 1, true);
    List<PlanApplication> applications = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isUrgent = i < count / 2;
      PlanApplication application = new PlanApplication(1, isUrgent ? 1 : 0,
          isUrgent || i % 2 == 0 ? user : other, Long.MAX_VALUE);
      // The other user has nothing yet. It asks for what is released, behind the losers.
      for (int container = 0; !isUrgent && i % 2 == 0 && container < 4 * EACH; container++) {
        application.addPreemptible(nodes.get((i / 2 + container) % count),
            ResourceVector.of(1 + container % sizes), false, null);
      }
      application.addRequest(ResourceVector.of(1), EACH, Placement.ANYWHERE);
      applications.add(application);
    }
    PlacementState state = new PlacementState(nodes, ResourceVector.of(0), new DominantShare(total));
    ReclaimPlan.byPriority(applications, state, 1);
    return state.checked;
  }

  /** A placement on certain nodes. */
  private static final class OnNodes implements Placement {
    private final List<PlanNode> nodes;

    OnNodes(List<PlanNode> nodes) {
      this.nodes = nodes;
    }

    @Override
    public Answer at(PlanNode node) {
      return nodes.contains(node) ? Answer.YES : Answer.STOP;
    }

    @Override
    public List<PlanNode> nodes() {
      return nodes;
    }
  }

  private static void assertGrowsLinearly(long small, long large, int count) {
    // Quadratic work would grow by a factor of 64.
    assertThat(large).isLessThan(16 * Math.max(small, (long) count * EACH));
  }

  private static long checked(Case of, int count, boolean byShare) {
    PlanUser user = FixedUserLimit.unlimited(1);
    return checked(of, count, byShare, i -> user);
  }

  private static long checked(
      Case of, int count, boolean byShare, IntFunction<PlanUser> users) {
    return checked(of, count, byShare, users, (i, nodes) -> Placement.ANYWHERE);
  }

  /** @param placements the placement of an application's request, given its index and all nodes */
  private static long checked(Case of, int count, boolean byShare, IntFunction<PlanUser> users,
      BiFunction<Integer, List<PlanNode>, Placement> placements) {
    List<PlanNode> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(new PlanNode(ResourceVector.of(0), null, null));
    }
    long total = (long) count * EACH;
    List<PlanApplication> applications = new ArrayList<>();
    int index = 0;
    for (int i = 0; i < count; i++) {
      int level = byShare ? i % 10 : 9 - 10 * i / count;
      PlanApplication application = new PlanApplication(level + 1, level, users.apply(i), Long.MAX_VALUE);
      for (int container = 0; container < of.containers.applyAsInt(i, count); container++) {
        application.addPreemptible(nodes.get(index++ % count), ResourceVector.of(1), false, null);
      }
      application.addRequest(ResourceVector.of(of.size), EACH, placements.apply(i, nodes));
      applications.add(application);
    }
    PlacementState state =
        new PlacementState(nodes, ResourceVector.of(0), new DominantShare(ResourceVector.of(total)));
    if (byShare) {
      ReclaimPlan.byShare(applications, state, 1, 0);
    } else {
      ReclaimPlan.byPriority(applications, state, 1);
    }
    return state.checked;
  }
}
