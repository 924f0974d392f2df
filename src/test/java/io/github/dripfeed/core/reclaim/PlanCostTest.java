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
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan looks at each container a few times, however many applications ask for whatever. */
class PlanCostTest {

  private static final int EACH = 20;

  enum Case {
    /** All have the same, of ten priorities or weights. */
    EVEN((i, all) -> EACH, 1),
    /** One half has all. */
    SKEWED((i, all) -> i % 2 == 0 ? 2 * EACH - 1 : 1, 1),
    /** The last has nearly all. */
    ONE((i, all) -> i == all - 1 ? all * (EACH - 1) : 1, 1),
    /** Each asks for more than any node can be freed for. */
    TOO_LARGE((i, all) -> EACH, EACH + 1),
    /** Each asks for half a node. */
    LARGE((i, all) -> EACH, EACH / 2);

    final IntBinaryOperator held;
    final int size;

    Case(IntBinaryOperator held, int size) {
      this.held = held;
      this.size = size;
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void byPriorityTheWorkGrowsWithTheNumberOfContainers(Case of) {
    assertGrowsLinearly(looked(of, 500, false), looked(of, 4000, false), 500);
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void byShareTheWorkGrowsWithTheNumberOfContainers(Case of) {
    assertGrowsLinearly(looked(of, 500, true), looked(of, 4000, true), 500);
  }

  /** One user has most of it, and all ask: for the others' sake his limit is far below what he has. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withLimitsOfUsersTheWorkGrowsWithTheNumberOfContainers(boolean byShare) {
    assertGrowsLinearly(lookedWithLimits(500, byShare), lookedWithLimits(4000, byShare), 500);
  }

  private static long lookedWithLimits(int applications, boolean byShare) {
    long total = (long) applications * EACH;
    ResourceVector all = ResourceVector.of(total);
    UserLimits limits = new UserLimits(new DominantShare(all), all, all, all, ResourceVector.of(1), 10, -1);
    List<PlanUser> users = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      users.add(limits.user(1, true));
    }
    return looked(Case.EVEN, applications, byShare, i -> users.get(i % 10 > 1 ? 0 : 1 + i % 9));
  }

  private static void assertGrowsLinearly(long small, long large, int applications) {
    // What a quadratic one would need: 64 times as much.
    assertThat(large).isLessThan(16 * Math.max(small, (long) applications * EACH));
  }

  private static long looked(Case of, int applications, boolean byShare) {
    PlanUser user = new PlanUser(1, 1);
    return looked(of, applications, byShare, i -> user);
  }

  private static long looked(
      Case of, int applications, boolean byShare, IntFunction<PlanUser> users) {
    List<PlanNode> nodes = new ArrayList<>();
    for (int i = 0; i < applications; i++) {
      nodes.add(new PlanNode(ResourceVector.of(0), true));
    }
    long total = (long) applications * EACH;
    List<PlanApplication> claimants = new ArrayList<>();
    int place = 0;
    for (int i = 0; i < applications; i++) {
      int level = byShare ? i % 10 : 9 - 10 * i / applications;
      PlanApplication claimant = new PlanApplication(level + 1, level, users.apply(i), Long.MAX_VALUE);
      for (int held = 0; held < of.held.applyAsInt(i, applications); held++) {
        claimant.mayLose(nodes.get(place++ % applications), ResourceVector.of(1), false);
      }
      claimant.asks(ResourceVector.of(of.size), EACH, Placement.ANYWHERE);
      claimants.add(claimant);
    }
    PlacementState space =
        new PlacementState(nodes, ResourceVector.of(0), new DominantShare(ResourceVector.of(total)));
    return (byShare ? ReclaimPlan.byShare(claimants, space, 1, 0)
        : ReclaimPlan.byPriority(claimants, space, 1))
        .looked();
  }
}
