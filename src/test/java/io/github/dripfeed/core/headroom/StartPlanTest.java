/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Start plans worked out by hand. Amounts are memory, or memory and cores. */
class StartPlanTest {

  private final Map<String, PartitionHeadroom> zones = new HashMap<>();
  private final StartPlan<String> plan = new StartPlan<>(zones::get);

  /** A partition whose nodes have this much free. The queue may use all of it. */
  private PartitionHeadroom zone(String name, long largest, long... free) {
    long total = 0;
    for (long node : free) {
      total += node;
    }
    PartitionHeadroom zone =
        new PartitionHeadroom(ResourceVector.zero(1), ResourceVector.of(total), ResourceVector.of(0),
            ResourceVector.of(largest));
    for (long node : free) {
      zone.addNode(ResourceVector.of(node), ResourceVector.of(0));
    }
    zone.addUser("user", user(1000));
    zones.put(name, zone);
    return zone;
  }

  /** A user that holds nothing and has this limit. */
  private static UserHeadroom user(long... amounts) {
    ResourceVector limit = ResourceVector.of(amounts);
    ResourceVector none = ResourceVector.zero(amounts.length);
    return new UserHeadroom(none, none, limit, limit, 1);
  }

  private static List<Demand> of(String partition, long size, long count) {
    return List.of(new Demand(partition, ResourceVector.of(size), count));
  }

  /** A waiting application with a driver of 1 and executors of 2. */
  private void waits(String app, int executors) {
    plan.waits(app, "", "user", new Demand("", ResourceVector.of(1), 1), of("", 2, executors));
  }

  @Test
  void startsFollowTheOrderWithinHeadroom() {
    zone("", 2, 5, 5);
    waits("A", 1);
    waits("B", 1);
    assertThat(plan.shortages()).isEmpty();
    waits("C", 1);
    assertThat(plan.claims()).containsOnlyKeys("A", "B", "C");
    waits("D", 1);
    assertThat(plan.claims()).as("1 of 10 is left").containsOnlyKeys("A", "B", "C");
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.QUEUE));
  }

  @Test
  void shortageHoldsOnlyTheSamePartition() {
    zone("", 8, 8, 8);
    zone("gpu", 4, 4, 4);
    plan.waits("large", "", "user", new Demand("", ResourceVector.of(1), 1), of("", 9, 1));
    waits("small", 1);
    plan.waits("other", "gpu", "user", new Demand("gpu", ResourceVector.of(1), 1), of("gpu", 2, 1));
    assertThat(plan.claims()).containsOnlyKeys("other");
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.NODES));
  }

  @Test
  void unmetRunningDemandStopsStarts() {
    zone("", 4, 10);
    plan.runs("user", of("", 3, 1));
    waits("A", 1);
    assertThat(plan.claims()).containsOnlyKeys("A");
    plan.runs("user", of("", 3, 2));
    waits("B", 1);
    assertThat(plan.claims()).containsOnlyKeys("A");
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.DEMAND));
  }

  @Test
  void unsatisfiableDemandIsIgnored() {
    zone("", 4, 10);
    plan.runs("user", of("", 5, 1));
    waits("A", 1);
    assertThat(plan.claims()).containsOnlyKeys("A");
  }

  @Test
  void startingApplicationsKeepTheirClaims() {
    zone("", 2, 10);
    plan.starts("S", "user", of("", 2, 2));
    plan.starts("T", "user", of("", 1, 2));
    assertThat(plan.claims()).containsOnlyKeys("S", "T");
    waits("A", 1);
    assertThat(plan.shortages()).as("6 are claimed, A needs 3 of 4").isEmpty();
    waits("B", 1);
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.QUEUE));
  }

  @Test
  void queueLimitBoundsThePlan() {
    PartitionHeadroom zone =
        new PartitionHeadroom(ResourceVector.zero(1), ResourceVector.of(4), ResourceVector.of(0),
            ResourceVector.of(2));
    zone.addNode(ResourceVector.of(100), ResourceVector.of(0));
    zone.addUser("user", user(100));
    zones.put("", zone);
    waits("A", 1);
    waits("B", 1);
    assertThat(plan.claims()).containsOnlyKeys("A");
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.QUEUE));
  }

  @Test
  void userLimitBoundsThePlan() {
    PartitionHeadroom zone =
        new PartitionHeadroom(ResourceVector.zero(1), ResourceVector.of(100), ResourceVector.of(0),
            ResourceVector.of(2));
    zone.addNode(ResourceVector.of(100), ResourceVector.of(0));
    zone.addUser("user", user(2));
    zone.addUser("other", user(100));
    zones.put("", zone);
    plan.runs("user", of("", 2, 50));
    plan.waits("B", "", "other", new Demand("", ResourceVector.of(1), 1), of("", 2, 1));
    assertThat(plan.claims()).as("a user at its limit holds no other back")
        .containsOnlyKeys("B");
    waits("A", 1);
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.USER));
  }

  @Test
  void unknownUserWaitsForTheNextPlan() {
    zone("", 2, 100);
    plan.waits("A", "", "new", new Demand("", ResourceVector.of(1), 1), of("", 2, 1));
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.USER));
  }

  @Test
  void fragmentsAreNoHeadroom() {
    zone("", 2, 1, 1, 1, 1, 1, 1);
    waits("A", 1);
    assertThat(plan.shortages()).isNotEmpty();
  }

  @Test
  void everyTypeOfResourceCounts() {
    PartitionHeadroom zone =
        new PartitionHeadroom(ResourceVector.zero(2), ResourceVector.of(100, 9), ResourceVector.of(0, 0),
            ResourceVector.of(10, 2));
    zone.addNode(ResourceVector.of(60, 1), ResourceVector.of(0, 0));
    zone.addNode(ResourceVector.of(40, 5), ResourceVector.of(0, 0));
    zone.addUser("user", user(100, 100));
    zones.put("", zone);
    for (String app : List.of("A", "B", "C")) {
      plan.waits(app, "", "user", new Demand("", ResourceVector.of(1, 1), 1),
          List.of(new Demand("", ResourceVector.of(2, 2), 1)));
    }
    assertThat(plan.claims()).as("6 cores, and no 3 more are free").containsOnlyKeys("A", "B");
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.NODES));
  }

  @Test
  void executorsMayUseAnotherPartitionThanTheDriver() {
    zone("", 1, 10);
    zone("spot", 4, 4);
    for (String app : List.of("A", "B")) {
      plan.waits(app, "", "user", new Demand("", ResourceVector.of(1), 1), of("spot", 3, 1));
    }
    assertThat(plan.claims()).containsOnlyKeys("A");
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.QUEUE));
  }

  @Test
  void reserveKeepsRoomForTheLargestContainer() {
    zone("", 8, 8, 8, 8);
    waits("A", 1);
    waits("B", 1);
    waits("C", 1);
    assertThat(plan.claims()).as("each may be placed on another node").containsOnlyKeys("A", "B");
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.RESERVE));
  }

  @Test
  void runningApplicationsCountTowardTheReserve() {
    PartitionHeadroom zone =
        new PartitionHeadroom(ResourceVector.zero(1), ResourceVector.of(8), ResourceVector.of(16),
            ResourceVector.of(8));
    zone.addNode(ResourceVector.of(3), ResourceVector.of(5));
    zone.addNode(ResourceVector.of(5), ResourceVector.of(3));
    zone.addReservedNode(ResourceVector.of(0), ResourceVector.of(8));
    zone.addUser("user", user(100));
    zones.put("", zone);
    waits("A", 1);
    waits("B", 1);
    assertThat(plan.claims()).containsOnlyKeys("A", "B");
    waits("C", 1);
    assertThat(plan.claims()).containsOnlyKeys("A", "B");
  }

  @Test
  void reserveHoldsMinExecutors() {
    zone("", 4, 4, 4, 4, 4);
    waits("A", 3);
    waits("B", 3);
    assertThat(plan.claims()).containsOnlyKeys("A");
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.RESERVE));
  }

  @Test
  void reservedNodeIsExcluded() {
    PartitionHeadroom zone = zone("", 4);
    zone.addReservedNode(ResourceVector.of(100), ResourceVector.of(0));
    waits("A", 1);
    assertThat(plan.claims()).isEmpty();
  }

  @Test
  void smallDriversOnOneNodeShareTheReserve() {
    zone("", 8, 24);
    for (String app : List.of("A", "B", "C", "D", "E", "F", "G", "H")) {
      waits(app, 1);
    }
    assertThat(plan.claims()).as("8 drivers leave 16, and 8 executors of 2 fill it").hasSize(8);
  }

  @Test
  void userLimitGrowsByItsFractionOfTheQueue() {
    PartitionHeadroom zone =
        new PartitionHeadroom(ResourceVector.of(10), ResourceVector.of(90), ResourceVector.zero(1),
            ResourceVector.of(2));
    zone.addNode(ResourceVector.of(90), ResourceVector.of(0));
    ResourceVector ceiling = ResourceVector.of(100);
    zone.addUser("user", new UserHeadroom(ResourceVector.of(5), ResourceVector.zero(1),
        ResourceVector.of(8), ceiling, 0.5));
    zone.addUser("other", new UserHeadroom(ResourceVector.of(5), ResourceVector.zero(1),
        ResourceVector.of(8), ceiling, 0.5));
    zones.put("", zone);
    waits("A", 1);
    assertThat(plan.claims()).as("up to the current limit").containsOnlyKeys("A");
    waits("B", 1);
    assertThat(plan.shortages()).as("8 of 13 are more than half").isEqualTo(Map.of("", Shortage.USER));
  }

  @Test
  void soleUsersLimitGrowsUpToTheCeiling() {
    PartitionHeadroom zone =
        new PartitionHeadroom(ResourceVector.zero(1), ResourceVector.of(90), ResourceVector.zero(1),
            ResourceVector.of(2));
    zone.addNode(ResourceVector.of(90), ResourceVector.of(0));
    zone.addUser("user", new UserHeadroom(ResourceVector.zero(1), ResourceVector.zero(1),
        ResourceVector.of(3), ResourceVector.of(8), 1));
    zones.put("", zone);
    waits("A", 1);
    waits("B", 1);
    waits("C", 1);
    assertThat(plan.claims()).containsOnlyKeys("A", "B");
    assertThat(plan.shortages()).isEqualTo(Map.of("", Shortage.USER));
  }
}
