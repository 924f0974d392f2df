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
import org.junit.jupiter.api.Test;

/** Reclaim plans worked out by hand, on one node unless a test says otherwise. */
class ReclaimPlanTest {

  private static final long NO_LIMIT = Long.MAX_VALUE;

  private final PlanNode node = new PlanNode(ResourceVector.of(0), true);
  private final PlanUser user = new PlanUser(1, 1);
  private final List<PlanApplication> claimants = new ArrayList<>();
  private double most = 1;
  private double deadZone;
  private ResourceVector headroom = ResourceVector.of(0);
  private List<PlanNode> nodes = List.of(node);
  private long whole = 10;

  @Test
  void largestHolderLosesItsNewestDownToItsShare() {
    List<PreemptibleContainer> large = holds(claimant(1, 0), 7);
    List<PreemptibleContainer> small = holds(claimant(1, 0), 3);
    PlanApplication late = asks(claimant(1, 0), 1, 10);
    whole = 12;
    nodes = List.of(node);
    node.frees(ResourceVector.of(2));
    headroom = ResourceVector.of(2);
    // Four each: two are free, and two come from the application with seven.
    ReclaimPlan plan = byShare();
    assertThat(plan.taken()).containsExactly(large.get(0), large.get(1));
    assertThat(plan.taker(large.get(0))).isSameAs(late);
    assertThat(late.given()).isEqualTo(ResourceVector.of(4));
    assertThat(small).noneMatch(holding -> holding.taken);
  }

  @Test
  void sharesFollowWeights() {
    holds(claimant(1, 0), 10);
    PlanApplication heavy = asks(claimant(4, 0), 1, 20);
    assertThat(byShare().taken()).hasSize(8);
    assertThat(heavy.given()).isEqualTo(ResourceVector.of(8));
  }

  @Test
  void preemptionNeverExceedsDemand() {
    holds(claimant(1, 0), 10);
    asks(claimant(1, 0), 1, 2);
    assertThat(byShare().taken()).hasSize(2);
  }

  @Test
  void protectedContainersAreNotTaken() {
    PlanApplication rich = claimant(1, 0);
    rich.keeps(ResourceVector.of(8));
    List<PreemptibleContainer> losable = holds(rich, 2);
    asks(claimant(1, 0), 1, 10);
    assertThat(byShare().taken()).containsExactlyElementsOf(losable);
  }

  @Test
  void anotherUserLosesNothingForOneWhoHasWhatHeDeserves() {
    PlanUser other = new PlanUser(1, 1);
    assertThat(takenForOneShortOfOne(other, other)).isEmpty();
  }

  @Test
  void anotherUserLosesForOneWhoHasLessThanHeDeserves() {
    // The same, but what the large one has too much is a third user's.
    assertThat(takenForOneShortOfOne(new PlanUser(1, 1), new PlanUser(1, 1))).hasSize(1);
  }

  /** Four deserve four each. Who has five in large containers loses none, and one cannot be met. */
  private List<PreemptibleContainer> takenForOneShortOfOne(PlanUser ofShort, PlanUser ofLarge) {
    PlanApplication large = claimant(ofLarge);
    large.keeps(ResourceVector.of(2));
    large.mayLose(node, ResourceVector.of(3), false);
    PlanApplication taker = claimant(ofShort);
    taker.keeps(ResourceVector.of(3));
    asks(taker, 1, 5);
    holds(claimant(1, 0), 5);
    PlanApplication unmet = claimant(1, 0);
    unmet.keeps(ResourceVector.of(3));
    asks(unmet, 1, 5, only(null));
    whole = 16;
    return byShare().taken();
  }

  @Test
  void deviationWithinTheDeadZoneIsTolerated() {
    holds(claimant(1, 0), 6);
    PlanApplication other = claimant(1, 0);
    holds(other, 4);
    asks(other, 1, 5);
    deadZone = 0.25;
    assertThat(byShare().taken()).isEmpty();
  }

  @Test
  void deviationBeyondTheDeadZoneIsCorrected() {
    holds(claimant(1, 0), 6);
    PlanApplication other = claimant(1, 0);
    holds(other, 4);
    asks(other, 1, 5);
    deadZone = 0.15;
    assertThat(byShare().taken()).hasSize(1);
  }

  @Test
  void equalSharesTakeNothingFromEachOther() {
    for (int i = 0; i < 2; i++) {
      PlanApplication claimant = claimant(1, 0);
      holds(claimant, 5);
      asks(claimant, 1, 9);
    }
    assertThat(byShare().taken()).isEmpty();
  }

  @Test
  void freeResourcesAreUsedBeforeAnyPreemption() {
    holds(claimant(1, 5), 2);
    PlanApplication late = asks(claimant(1, 9), 1, 3);
    node.frees(ResourceVector.of(3));
    headroom = ResourceVector.of(3);
    assertThat(byPriority().taken()).isEmpty();
    assertThat(late.given()).isEqualTo(ResourceVector.of(3));
  }

  @Test
  void priorityTakesFromTheLowestAndNewestFirst() {
    PlanApplication urgent = asks(claimant(1, 9), 1, 4);
    List<PreemptibleContainer> middle = holds(claimant(1, 5), 7);
    List<PreemptibleContainer> low = holds(claimant(1, 1), 3);
    assertThat(byPriority().taken())
        .containsExactly(low.get(0), low.get(1), low.get(2), middle.get(0));
    assertThat(urgent.given()).isEqualTo(ResourceVector.of(4));
  }

  @Test
  void priorityTakesFromTheLaterOfEquals() {
    asks(claimant(1, 9), 1, 1);
    holds(claimant(1, 5), 5);
    List<PreemptibleContainer> later = holds(claimant(1, 5), 5);
    assertThat(byPriority().taken()).containsExactly(later.get(0));
  }

  @Test
  void priorityTakesOnlyFromLowerLevels() {
    holds(claimant(1, 5), 5);
    asks(claimant(1, 5), 1, 3);
    holds(claimant(1, 9), 5);
    assertThat(byPriority().taken()).isEmpty();
  }

  @Test
  void roundLimitBoundsNewPreemption() {
    asks(claimant(1, 9), 1, 9);
    holds(claimant(1, 1), 10);
    most = 0.35;
    assertThat(byPriority().taken()).hasSize(3);
  }

  @Test
  void roundLimitAllowsOneWholeRequest() {
    asks(claimant(1, 9), 4, 2);
    holds(claimant(1, 1), 10);
    most = 0.1;
    assertThat(byPriority().taken()).hasSize(4);
  }

  @Test
  void notifiedContainersGoFirstOutsideTheRoundLimit() {
    asks(claimant(1, 9), 1, 3);
    PlanApplication loser = claimant(1, 1);
    List<PreemptibleContainer> held = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      held.add(loser.mayLose(node, ResourceVector.of(1), i >= 8));
    }
    most = 0.1;
    assertThat(byPriority().taken()).containsExactly(held.get(8), held.get(9), held.get(0));
  }

  @Test
  void unschedulableNodeLosesNothing() {
    asks(claimant(1, 9), 1, 3);
    holds(claimant(1, 1), 10);
    node.close();
    assertThat(byPriority().taken()).isEmpty();
  }

  @Test
  void lowerPriorityReservationYieldsBeforeContainers() {
    PlanApplication urgent = asks(claimant(1, 9), 1, 1);
    PlanApplication loser = claimant(1, 1);
    holds(loser, 10);
    node.frees(ResourceVector.of(1));
    headroom = ResourceVector.of(1);
    PreemptibleContainer reservation = loser.hasReserved(node, ResourceVector.of(1), null);
    assertThat(byPriority().taken()).containsExactly(reservation);
    assertThat(urgent.given()).isEqualTo(ResourceVector.of(1));
  }

  @Test
  void lowerPriorityReservationCountsAsUsed() {
    PlanNode other = new PlanNode(ResourceVector.of(3), true);
    nodes = List.of(node, other);
    asks(claimant(1, 9), 3, 1);
    PlanApplication loser = claimant(1, 1);
    holds(loser, 10);
    headroom = ResourceVector.of(1);
    PreemptibleContainer reservation = loser.hasReserved(node, ResourceVector.of(2), null);
    assertThat(byPriority().taken()).containsExactly(reservation);
  }

  @Test
  void nodeReservedForAHigherPriorityLosesNothing() {
    asks(claimant(1, 5), 1, 1);
    PlanApplication higher = claimant(1, 9);
    holds(claimant(1, 1), 10);
    higher.hasReserved(node, ResourceVector.of(1), null);
    assertThat(byPriority().taken()).isEmpty();
  }

  @Test
  void reservationIsServedOnItsNode() {
    PlanApplication urgent = asks(claimant(1, 9), 2, 1);
    List<PreemptibleContainer> held = holds(claimant(1, 1), 10);
    urgent.hasReserved(node, ResourceVector.of(2), null);
    headroom = ResourceVector.of(-2);
    assertThat(byPriority().taken()).containsExactly(held.get(0), held.get(1));
  }

  @Test
  void preemptionHonoursPlacement() {
    PlanNode wanted = new PlanNode(ResourceVector.of(0), true);
    nodes = List.of(node, wanted);
    asks(claimant(1, 9), 1, 2, only(wanted));
    PlanApplication loser = claimant(1, 1);
    loser.mayLose(node, ResourceVector.of(1), false);
    PreemptibleContainer there = loser.mayLose(wanted, ResourceVector.of(1), false);
    loser.mayLose(node, ResourceVector.of(1), false);
    assertThat(byPriority().taken()).containsExactly(there);
  }

  @Test
  void nothingIsTakenIfNoNodeWouldFitTheRequest() {
    PlanNode other = new PlanNode(ResourceVector.of(0), true);
    nodes = List.of(node, other);
    asks(claimant(1, 9), 4, 1);
    PlanApplication loser = claimant(1, 1);
    for (int i = 0; i < 6; i++) {
      loser.mayLose(i % 2 == 0 ? node : other, ResourceVector.of(1), false);
    }
    assertThat(byPriority().taken()).isEmpty();
    assertThat(loser.held.toVector()).isEqualTo(ResourceVector.of(6));
    assertThat(node.free.toVector()).isEqualTo(ResourceVector.of(0));
  }

  @Test
  void futilePreemptionIsAvoided() {
    asks(claimant(1, 9), 4, 1);
    PlanApplication loser = claimant(1, 1);
    PreemptibleContainer small = loser.mayLose(node, ResourceVector.of(1), false);
    PreemptibleContainer large = loser.mayLose(node, ResourceVector.of(4), false);
    assertThat(byPriority().taken()).containsExactly(large);
    assertThat(small.taken).isFalse();
  }

  @Test
  void leftoverIsUsedTogetherWithAPartOfWhatIsTaken() {
    asks(claimant(1, 9), 2, 1);
    asks(claimant(1, 8), 1, 1);
    List<PreemptibleContainer> held = holdsOneOneAndTwo();
    // Of the large one a half is left over: with one of the small ones it is enough for the first.
    assertThat(byPriority().taken()).containsExactly(held.get(0), held.get(2));
    assertThat(held.get(1).taken).isFalse();
    assertThat(node.free.isZero()).isTrue();
  }

  @Test
  void leftoverSparesOnlyAsManyAsItReplaces() {
    asks(claimant(1, 9), 2, 1);
    asks(claimant(1, 8), 2, 1);
    List<PreemptibleContainer> held = holdsOneOneAndTwo();
    assertThat(byPriority().taken()).containsExactlyElementsOf(held);
  }

  @Test
  void leftoverBeyondTheLimitOfTheQueueSparesNothing() {
    asks(claimant(1, 9), 2, 1);
    List<PreemptibleContainer> held = holds(claimant(1, 1), 2);
    node.frees(ResourceVector.of(1));
    assertThat(byPriority().taken()).containsExactlyElementsOf(held);
  }

  private List<PreemptibleContainer> holdsOneOneAndTwo() {
    PlanApplication loser = claimant(1, 1);
    List<PreemptibleContainer> held = holds(loser, 2);
    held.add(loser.mayLose(node, ResourceVector.of(2), false));
    return held;
  }

  @Test
  void whatIsWithinTheLimitOnlyOnceOthersHaveTheirsIsPutOff() {
    PlanNode first = new PlanNode(ResourceVector.of(0), true);
    PlanNode last = new PlanNode(ResourceVector.of(0), true);
    nodes = List.of(first, new PlanNode(ResourceVector.of(2), true), last);
    headroom = ResourceVector.of(2);
    whole = 70;
    ResourceVector all = ResourceVector.of(whole);
    UserLimits limits = new UserLimits(
        new DominantShare(all), all, ResourceVector.of(56), all, ResourceVector.of(1), 50, -1);
    PlanUser one = limits.user(1, true);
    PlanUser other = limits.user(1, true);
    claimant(4, one, 6, first, 2, 10);
    claimant(4, other, 6, last, 4, 8);
    PlanApplication taker = asks(claimant(3, one, 2, last, 2, 0), 4, 9, only(last));
    PlanApplication elsewhere = asks(claimant(1, other, 2, first, 2, 0), 4, 16, only(first));
    // In the end three on the last node and one on the first are within the limits. The third is not if the
    // last node reports first, and the one on the first is not if that does.
    assertThat(byShare().taken()).hasSize(2);
    assertThat(taker.given()).isEqualTo(ResourceVector.of(8));
    assertThat(elsewhere.given()).isEqualTo(ResourceVector.of(0));
  }

  private PlanApplication claimant(
      double weight, PlanUser of, long kept, PlanNode on, long size, int count) {
    PlanApplication claimant = new PlanApplication(weight, 0, of, NO_LIMIT);
    claimants.add(claimant);
    claimant.keeps(ResourceVector.of(kept));
    for (int i = 0; i < count; i++) {
      claimant.mayLose(on, ResourceVector.of(size), false);
    }
    return claimant;
  }

  @Test
  void userAboveItsLimitTakesOnlyFromItself() {
    PlanUser limited = new PlanUser(0.5, 1);
    PlanApplication urgent = new PlanApplication(1, 9, limited, NO_LIMIT);
    claimants.add(urgent);
    asks(urgent, 1, 1);
    PlanApplication own = new PlanApplication(1, 1, limited, NO_LIMIT);
    claimants.add(own);
    List<PreemptibleContainer> ownHeld = holds(own, 6);
    holds(claimant(1, 0), 4);
    // The lowest priority is the other user's. Taking from it would not bring the user below its limit.
    assertThat(byPriority().taken()).contains(ownHeld.get(0));
  }

  @Test
  void maxContainersStopsPreemption() {
    PlanApplication capped = new PlanApplication(1, 9, user, 1);
    claimants.add(capped);
    asks(capped, 1, 5);
    holds(claimant(1, 1), 10);
    assertThat(byPriority().taken()).hasSize(1);
  }

  @Test
  void lastApplicationIsServedOnceOthersAreSatisfied() {
    PlanApplication stalled = asks(claimant(1, 9), 1, 2);
    stalled.comesLast();
    PlanApplication other = asks(claimant(1, 5), 1, 1);
    holds(claimant(1, 1), 10);
    ReclaimPlan plan = byPriority();
    assertThat(other.given()).isEqualTo(ResourceVector.of(1));
    assertThat(stalled.given()).isEqualTo(ResourceVector.of(2));
    assertThat(plan.taker(plan.taken().get(0))).isSameAs(other);
  }

  @Test
  void lastApplicationWaitsWhileOthersAreUnmet() {
    PlanApplication stalled = asks(claimant(1, 9), 1, 2);
    stalled.comesLast();
    asks(claimant(1, 1), 1, 1);
    holds(claimant(1, 1), 10);
    assertThat(byPriority().taken()).isEmpty();
    assertThat(stalled.given()).isEqualTo(ResourceVector.of(0));
  }

  @Test
  void queueLimitBoundsPreemption() {
    asks(claimant(1, 9), 1, 1);
    holds(claimant(1, 1), 10);
    headroom = ResourceVector.of(-3);
    assertThat(byPriority().taken()).isEmpty();
  }

  private PlanApplication claimant(PlanUser of) {
    PlanApplication claimant = new PlanApplication(1, 0, of, NO_LIMIT);
    claimants.add(claimant);
    return claimant;
  }

  private PlanApplication claimant(double weight, int priority) {
    PlanApplication claimant = new PlanApplication(weight, priority, user, NO_LIMIT);
    claimants.add(claimant);
    return claimant;
  }

  /** This number of containers of one application, newest first. */
  private List<PreemptibleContainer> holds(PlanApplication claimant, int count) {
    List<PreemptibleContainer> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      held.add(claimant.mayLose(node, ResourceVector.of(1), false));
    }
    return held;
  }

  private static PlanApplication asks(PlanApplication claimant, long size, int count) {
    return asks(claimant, size, count, Placement.ANYWHERE);
  }

  private static PlanApplication asks(PlanApplication claimant, long size, int count, Placement where) {
    claimant.asks(ResourceVector.of(size), count, where);
    return claimant;
  }

  private static Placement only(PlanNode wanted) {
    return node -> node == wanted ? Placement.Answer.YES : Placement.Answer.NEXT;
  }

  private PlacementState space() {
    return new PlacementState(nodes, headroom, new DominantShare(ResourceVector.of(whole)));
  }

  private ReclaimPlan byShare() {
    return ReclaimPlan.byShare(claimants, space(), most, deadZone);
  }

  private ReclaimPlan byPriority() {
    return ReclaimPlan.byPriority(claimants, space(), most);
  }
}
