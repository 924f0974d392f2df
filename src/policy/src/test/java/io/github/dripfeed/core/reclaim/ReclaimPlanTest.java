// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reclaim plans worked out by hand, on one node unless a test says otherwise. */
class ReclaimPlanTest {

  private static final long NO_LIMIT = Long.MAX_VALUE;

  private final PlanNode node = new PlanNode(ResourceVector.of(0), null, null);
  private final PlanUser user = FixedUserLimit.unlimited(1);
  private final List<PlanApplication> applications = new ArrayList<>();
  private double maxPerRound = 1;
  private double deadZone;
  private ResourceVector headroom = ResourceVector.of(0);
  private List<PlanNode> nodes = List.of(node);
  private long total = 10;

  @Test
  void largestApplicationLosesItsNewestContainersDownToItsShare() {
    List<PreemptibleContainer> large = containersOf(application(1, 0), 7);
    List<PreemptibleContainer> small = containersOf(application(1, 0), 3);
    PlanApplication late = requesting(application(1, 0), 1, 10);
    total = 12;
    nodes = List.of(node);
    node.addFree(ResourceVector.of(2));
    headroom = ResourceVector.of(2);
    // Four each: two are free, and two come from the application with seven.
    ReclaimPlan plan = byShare();
    assertThat(plan.preempted()).containsExactly(large.get(0), large.get(1));
    assertThat(plan.receiver(large.get(0))).isSameAs(late);
    assertThat(late.assigned()).isEqualTo(ResourceVector.of(4));
    assertThat(small).noneMatch(container -> container.preempted);
  }

  @Test
  void sharesFollowWeights() {
    containersOf(application(1, 0), 10);
    PlanApplication heavy = requesting(application(4, 0), 1, 20);
    assertThat(byShare().preempted()).hasSize(8);
    assertThat(heavy.assigned()).isEqualTo(ResourceVector.of(8));
  }

  @Test
  void preemptionNeverExceedsDemand() {
    containersOf(application(1, 0), 10);
    requesting(application(1, 0), 1, 2);
    assertThat(byShare().preempted()).hasSize(2);
  }

  @Test
  void protectedContainersAreNotPreempted() {
    PlanApplication rich = application(1, 0);
    rich.addProtected(ResourceVector.of(8));
    List<PreemptibleContainer> preemptible = containersOf(rich, 2);
    requesting(application(1, 0), 1, 10);
    assertThat(byShare().preempted()).containsExactlyElementsOf(preemptible);
  }

  @Test
  void otherUsersLoseNothingForAUserWithItsShare() {
    PlanUser other = FixedUserLimit.unlimited(1);
    assertThat(preemptedForOneBelowItsShare(other, other)).isEmpty();
  }

  @Test
  void otherUsersLoseContainersForAUserBelowItsShare() {
    // The same, except that the excess of the large application belongs to a third user.
    assertThat(preemptedForOneBelowItsShare(FixedUserLimit.unlimited(1), FixedUserLimit.unlimited(1)))
        .hasSize(1);
  }

  /**
   * Four applications with a share of four each. One has five in containers too large to preempt, and the
   * request of another cannot be placed.
   */
  private List<PreemptibleContainer> preemptedForOneBelowItsShare(PlanUser ofReceiver, PlanUser ofLarge) {
    PlanApplication large = application(ofLarge);
    large.addProtected(ResourceVector.of(2));
    large.addPreemptible(node, ResourceVector.of(3), false, null);
    PlanApplication receiver = application(ofReceiver);
    receiver.addProtected(ResourceVector.of(3));
    requesting(receiver, 1, 5);
    containersOf(application(1, 0), 5);
    PlanApplication unmet = application(1, 0);
    unmet.addProtected(ResourceVector.of(3));
    requesting(unmet, 1, 5, only(null));
    total = 16;
    return byShare().preempted();
  }

  @Test
  void deviationWithinTheDeadZoneIsTolerated() {
    containersOf(application(1, 0), 6);
    PlanApplication other = application(1, 0);
    containersOf(other, 4);
    requesting(other, 1, 5);
    deadZone = 0.25;
    assertThat(byShare().preempted()).isEmpty();
  }

  @Test
  void deviationBeyondTheDeadZoneIsCorrected() {
    containersOf(application(1, 0), 6);
    PlanApplication other = application(1, 0);
    containersOf(other, 4);
    requesting(other, 1, 5);
    deadZone = 0.15;
    assertThat(byShare().preempted()).hasSize(1);
  }

  @Test
  void equalUsagePreemptsNothing() {
    for (int i = 0; i < 2; i++) {
      PlanApplication application = application(1, 0);
      containersOf(application, 5);
      requesting(application, 1, 9);
    }
    assertThat(byShare().preempted()).isEmpty();
  }

  @Test
  void freeResourcesAreUsedBeforeAnyPreemption() {
    containersOf(application(1, 5), 2);
    PlanApplication late = requesting(application(1, 9), 1, 3);
    node.addFree(ResourceVector.of(3));
    headroom = ResourceVector.of(3);
    assertThat(byPriority().preempted()).isEmpty();
    assertThat(late.assigned()).isEqualTo(ResourceVector.of(3));
  }

  @Test
  void lowestPriorityAndNewestContainerGoFirst() {
    PlanApplication urgent = requesting(application(1, 9), 1, 4);
    List<PreemptibleContainer> middle = containersOf(application(1, 5), 7);
    List<PreemptibleContainer> low = containersOf(application(1, 1), 3);
    assertThat(byPriority().preempted())
        .containsExactly(low.get(0), low.get(1), low.get(2), middle.get(0));
    assertThat(urgent.assigned()).isEqualTo(ResourceVector.of(4));
  }

  @Test
  void laterApplicationOfEqualPriorityGoesFirst() {
    requesting(application(1, 9), 1, 1);
    containersOf(application(1, 5), 5);
    List<PreemptibleContainer> later = containersOf(application(1, 5), 5);
    assertThat(byPriority().preempted()).containsExactly(later.get(0));
  }

  @Test
  void onlyLowerPrioritiesLoseContainers() {
    containersOf(application(1, 5), 5);
    requesting(application(1, 5), 1, 3);
    containersOf(application(1, 9), 5);
    assertThat(byPriority().preempted()).isEmpty();
  }

  @Test
  void roundLimitBoundsNewPreemption() {
    requesting(application(1, 9), 1, 9);
    containersOf(application(1, 1), 10);
    maxPerRound = 0.35;
    assertThat(byPriority().preempted()).hasSize(3);
  }

  @Test
  void roundLimitAllowsOneWholeRequest() {
    requesting(application(1, 9), 4, 2);
    containersOf(application(1, 1), 10);
    maxPerRound = 0.1;
    assertThat(byPriority().preempted()).hasSize(4);
  }

  @Test
  void notifiedContainersGoFirstOutsideTheRoundLimit() {
    requesting(application(1, 9), 1, 3);
    PlanApplication loser = application(1, 1);
    List<PreemptibleContainer> containers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      containers.add(loser.addPreemptible(node, ResourceVector.of(1), i >= 8, null));
    }
    maxPerRound = 0.1;
    assertThat(byPriority().preempted())
        .containsExactly(containers.get(8), containers.get(9), containers.get(0));
  }

  @Test
  void unschedulableNodeLosesNothing() {
    requesting(application(1, 9), 1, 3);
    containersOf(application(1, 1), 10);
    node.block();
    assertThat(byPriority().preempted()).isEmpty();
  }

  @Test
  void lowerPriorityReservationYieldsBeforeContainers() {
    PlanApplication urgent = requesting(application(1, 9), 1, 1);
    PlanApplication loser = application(1, 1);
    containersOf(loser, 10);
    node.addFree(ResourceVector.of(1));
    headroom = ResourceVector.of(1);
    PreemptibleContainer reservation = loser.addReservation(node, ResourceVector.of(1), null);
    assertThat(byPriority().preempted()).containsExactly(reservation);
    assertThat(urgent.assigned()).isEqualTo(ResourceVector.of(1));
  }

  @Test
  void lowerPriorityReservationCountsAsUsed() {
    PlanNode other = new PlanNode(ResourceVector.of(3), null, null);
    nodes = List.of(node, other);
    requesting(application(1, 9), 3, 1);
    PlanApplication loser = application(1, 1);
    containersOf(loser, 10);
    headroom = ResourceVector.of(1);
    PreemptibleContainer reservation = loser.addReservation(node, ResourceVector.of(2), null);
    assertThat(byPriority().preempted()).containsExactly(reservation);
  }

  @Test
  void nodeReservedForAHigherPriorityLosesNothing() {
    requesting(application(1, 5), 1, 1);
    PlanApplication higher = application(1, 9);
    containersOf(application(1, 1), 10);
    higher.addReservation(node, ResourceVector.of(1), null);
    assertThat(byPriority().preempted()).isEmpty();
  }

  @Test
  void reservationIsServedOnItsNode() {
    PlanApplication urgent = requesting(application(1, 9), 2, 1);
    List<PreemptibleContainer> containers = containersOf(application(1, 1), 10);
    urgent.addReservation(node, ResourceVector.of(2), null);
    headroom = ResourceVector.of(-2);
    assertThat(byPriority().preempted()).containsExactly(containers.get(0), containers.get(1));
  }

  @Test
  void preemptionHonoursPlacement() {
    PlanNode wanted = new PlanNode(ResourceVector.of(0), null, null);
    nodes = List.of(node, wanted);
    requesting(application(1, 9), 1, 2, only(wanted));
    PlanApplication loser = application(1, 1);
    loser.addPreemptible(node, ResourceVector.of(1), false, null);
    PreemptibleContainer there = loser.addPreemptible(wanted, ResourceVector.of(1), false, null);
    loser.addPreemptible(node, ResourceVector.of(1), false, null);
    assertThat(byPriority().preempted()).containsExactly(there);
  }

  @Test
  void nothingIsPreemptedIfTheRequestWouldFitOnNoNode() {
    PlanNode other = new PlanNode(ResourceVector.of(0), null, null);
    nodes = List.of(node, other);
    requesting(application(1, 9), 4, 1);
    PlanApplication loser = application(1, 1);
    for (int i = 0; i < 6; i++) {
      loser.addPreemptible(i % 2 == 0 ? node : other, ResourceVector.of(1), false, null);
    }
    assertThat(byPriority().preempted()).isEmpty();
    assertThat(loser.used.toVector()).isEqualTo(ResourceVector.of(6));
    assertThat(node.free.toVector()).isEqualTo(ResourceVector.of(0));
  }

  @Test
  void futilePreemptionIsAvoided() {
    requesting(application(1, 9), 4, 1);
    PlanApplication loser = application(1, 1);
    PreemptibleContainer small = loser.addPreemptible(node, ResourceVector.of(1), false, null);
    PreemptibleContainer large = loser.addPreemptible(node, ResourceVector.of(4), false, null);
    assertThat(byPriority().preempted()).containsExactly(large);
    assertThat(small.preempted).isFalse();
  }

  @Test
  void leftoverReplacesNoMoreThanItsSize() {
    requesting(application(1, 9), 2, 1);
    requesting(application(1, 8), 2, 1);
    List<PreemptibleContainer> containers = containersOfSizesOneOneAndTwo();
    assertThat(byPriority().preempted()).containsExactlyElementsOf(containers);
  }

  @Test
  void leftoverBeyondTheQueueMaximumReplacesNothing() {
    requesting(application(1, 9), 2, 1);
    List<PreemptibleContainer> containers = containersOf(application(1, 1), 2);
    node.addFree(ResourceVector.of(1));
    assertThat(byPriority().preempted()).containsExactlyElementsOf(containers);
  }

  private List<PreemptibleContainer> containersOfSizesOneOneAndTwo() {
    PlanApplication loser = application(1, 1);
    List<PreemptibleContainer> containers = containersOf(loser, 2);
    containers.add(loser.addPreemptible(node, ResourceVector.of(2), false, null));
    return containers;
  }

  @Test
  void userAboveItsLimitPreemptsItsOwnContainers() {
    List<PreemptibleContainer> own = containersOfUserAboveItsLimit(6);
    assertThat(byPriority().preempted()).contains(own.get(0));
  }

  /** All but half of the containers would go for one, most of them to others. */
  @Test
  void userFarAboveItsLimitLosesNothing() {
    containersOfUserAboveItsLimit(7);
    assertThat(byPriority().preempted()).isEmpty();
  }

  /** The limit is 5. */
  private List<PreemptibleContainer> containersOfUserAboveItsLimit(int count) {
    PlanUser limited = FixedUserLimit.user(ResourceVector.of(5));
    PlanApplication urgent = new PlanApplication(1, 9, limited, NO_LIMIT);
    applications.add(urgent);
    requesting(urgent, 1, 1);
    PlanApplication own = new PlanApplication(1, 1, limited, NO_LIMIT);
    applications.add(own);
    // The other user has the lowest priority. Preempting its containers would not bring the limited user
    // below its limit.
    containersOf(application(1, 0), 10 - count);
    return containersOf(own, count);
  }

  @Test
  void maxContainersStopsPreemption() {
    PlanApplication capped = new PlanApplication(1, 9, user, 1);
    applications.add(capped);
    requesting(capped, 1, 5);
    containersOf(application(1, 1), 10);
    assertThat(byPriority().preempted()).hasSize(1);
  }

  @Test
  void lastApplicationIsServedOnceOthersAreSatisfied() {
    PlanApplication stalled = requesting(application(1, 9), 1, 2);
    stalled.serveLast();
    PlanApplication other = requesting(application(1, 5), 1, 1);
    containersOf(application(1, 1), 10);
    ReclaimPlan plan = byPriority();
    assertThat(other.assigned()).isEqualTo(ResourceVector.of(1));
    assertThat(stalled.assigned()).isEqualTo(ResourceVector.of(2));
    assertThat(plan.receiver(plan.preempted().get(0))).isSameAs(other);
  }

  @Test
  void lastApplicationWaitsWhileOthersAreUnmet() {
    PlanApplication stalled = requesting(application(1, 9), 1, 2);
    stalled.serveLast();
    requesting(application(1, 1), 1, 1);
    containersOf(application(1, 1), 10);
    assertThat(byPriority().preempted()).isEmpty();
    assertThat(stalled.assigned()).isEqualTo(ResourceVector.of(0));
  }

  @Test
  void queueLimitBoundsPreemption() {
    requesting(application(1, 9), 1, 1);
    containersOf(application(1, 1), 10);
    headroom = ResourceVector.of(-3);
    assertThat(byPriority().preempted()).isEmpty();
  }

  private PlanApplication application(PlanUser of) {
    PlanApplication application = new PlanApplication(1, 0, of, NO_LIMIT);
    applications.add(application);
    return application;
  }

  private PlanApplication application(double weight, int priority) {
    PlanApplication application = new PlanApplication(weight, priority, user, NO_LIMIT);
    applications.add(application);
    return application;
  }

  /** Adds containers of size 1 to the application and returns them, newest first. */
  private List<PreemptibleContainer> containersOf(PlanApplication application, int count) {
    List<PreemptibleContainer> containers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      containers.add(application.addPreemptible(node, ResourceVector.of(1), false, null));
    }
    return containers;
  }

  private static PlanApplication requesting(PlanApplication application, long size, int count) {
    return requesting(application, size, count, Placement.ANYWHERE);
  }

  private static PlanApplication requesting(PlanApplication application, long size, int count,
      Placement where) {
    application.addRequest(ResourceVector.of(size), count, where);
    return application;
  }

  private static Placement only(PlanNode wanted) {
    return node -> node == wanted ? Placement.Answer.YES : Placement.Answer.NEXT;
  }

  private PlacementState state() {
    return new PlacementState(nodes, headroom, new DominantShare(ResourceVector.of(total)));
  }

  private ReclaimPlan byShare() {
    return ReclaimPlan.byShare(applications, state(), maxPerRound, deadZone);
  }

  private ReclaimPlan byPriority() {
    return ReclaimPlan.byPriority(applications, state(), maxPerRound);
  }
}
