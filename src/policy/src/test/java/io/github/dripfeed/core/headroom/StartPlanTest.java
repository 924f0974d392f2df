// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.wire.Wire.Wait;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Start plans worked out by hand. Amounts are memory, or memory and cores. */
class StartPlanTest {

  /** A queue with its plan. The root is the only other level. */
  private final class Queue {
    final Map<String, PartitionHeadroom> headrooms = new HashMap<>();
    final QueuePlan<String> plan;
    private int types = 1;

    Queue(String name) {
      plan = new QueuePlan<>(name, name, 1,
          PlanSteps.headroom(headrooms::get, () -> types), List.of());
      all.add(plan);
    }

    Queue in(String partition, ResourceVector free, ResourceVector used, ResourceVector largest) {
      return in(partition, free, used, largest, 1);
    }

    /** Keeps room for so many of the largest containers. */
    Queue in(String partition, ResourceVector free, ResourceVector used, ResourceVector largest,
        int kept) {
      types = free.types();
      ResourceVector none = ResourceVector.zero(types);
      List<LevelRoom> levels = List.of(new LevelRoom(plan.name(), free, none, none), roots.get(partition));
      PartitionHeadroom headroom = new PartitionHeadroom(rooms.get(partition), levels, used,
          free.plus(used), largest);
      headroom.addUser("user", user(free.types(), 1000));
      headroom.addUser("poor", user(free.types(), 4));
      headroom.keepReserve(List.of(), kept);
      headrooms.put(partition, headroom);
      return this;
    }

    /** A user that holds this much, all of it in drivers, as {@link UserHeadroom} has it. */
    Queue has(String user, long used, long limit, long ceiling, double fraction) {
      headrooms.get("").addUser(user, new UserHeadroom(ResourceVector.of(used), ResourceVector.zero(1),
          ResourceVector.of(limit), ResourceVector.of(ceiling), fraction));
      return this;
    }

    /** Waiting applications with a driver of 1 and an executor of 2. */
    Queue waits(String... apps) {
      for (String app : apps) {
        waits(app, "user", 2);
      }
      return this;
    }

    void waits(String app, String user, long executor) {
      plan.waits(app, "", user,
          PlanSteps.needs(new Demand("", ResourceVector.of(1), 1), demand(executor, 1)));
    }

    /** A driver of 1 in its line, and executors in another partition or in the same. */
    void waitsIn(String line, String app, String partition, long executor, long executors) {
      plan.waits(app, line, "user",
          PlanSteps.needs(new Demand(line, ResourceVector.of(1), 1),
              List.of(new Demand(partition, ResourceVector.of(executor), executors))));
    }
  }

  private final StartPlan<String> all = new StartPlan<>();
  private final Map<String, PartitionRoom> rooms = new HashMap<>();
  private final Map<String, LevelRoom> roots = new HashMap<>();

  private static UserHeadroom user(int types, long limit) {
    ResourceVector none = ResourceVector.zero(types);
    ResourceVector most = ResourceVector.of(types, type -> limit);
    return new UserHeadroom(none, none, most, most, 1);
  }

  private static List<Demand> demand(long size, long count) {
    return List.of(new Demand("", ResourceVector.of(size), count));
  }

  private void nodes(long... free) {
    nodesIn("", free);
  }

  private void nodesIn(String partition, long... free) {
    List<ResourceVector> nodes = new ArrayList<>();
    for (long node : free) {
      nodes.add(ResourceVector.of(node));
    }
    nodes(partition, nodes, nodes);
  }

  private void nodes(String partition, List<ResourceVector> free, List<ResourceVector> totals) {
    PartitionRoom room = new PartitionRoom();
    ResourceVector sum = ResourceVector.zero(free.get(0).types());
    for (int i = 0; i < free.size(); i++) {
      room.addNode(totals.get(i), free.get(i), free.get(i), free.get(i));
      sum = sum.plus(free.get(i));
    }
    ResourceVector none = ResourceVector.zero(sum.types());
    rooms.put(partition, room);
    roots.put(partition, new LevelRoom("root", sum, none, none));
  }

  private Queue queue(String name, long free, long used, long largest) {
    return new Queue(name).in("", ResourceVector.of(free), ResourceVector.of(used),
        ResourceVector.of(largest));
  }

  @Test
  void startsFollowTheOrderWithinHeadroom() {
    nodes(5, 5);
    Queue queue = queue("q", 10, 0, 2).waits("A", "B", "C", "D");
    all.make();
    assertThat(queue.plan.claims()).as("1 of 10 is left").containsOnlyKeys("A", "B", "C");
    assertThat(queue.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_QUEUE));
  }

  private static List<String> passes(Queue queue) {
    List<String> passes = new ArrayList<>();
    queue.plan.claims().forEach((app, claim) -> {
      if (claim.isPass()) {
        passes.add(app);
      }
    });
    passes.sort(null);
    return passes;
  }

  @Test
  void queueFurthestBelowItsShareIsNext() {
    nodes(7, 6);
    Queue rich = queue("rich", 100, 80, 2).waits("A", "B", "C");
    Queue poor = queue("poor", 100, 0, 2).waits("D", "E", "F");
    all.make();
    assertThat(passes(poor)).containsExactly("D", "E", "F");
    assertThat(passes(rich)).containsExactly("A");
    assertThat(all.shortfalls(rich.plan).get("").claimant()).isEqualTo("poor");
  }

  @Test
  void reserveIsKeptOnceForAll() {
    nodes(8, 8, 8);
    Queue one = queue("one", 24, 0, 8).waits("A", "B");
    Queue other = queue("other", 24, 0, 8).waits("C", "D");
    all.make();
    assertThat(passes(one).size() + passes(other).size()).as("each may be placed on another node")
        .isEqualTo(2);
  }

  @Test
  void onlyDemandBeforeItInItsQueueCountsBeforeIt() {
    nodes(10);
    Queue queue = queue("q", 10, 0, 2).waits("A");
    queue.plan.runs("user", demand(1, 100), List.of(), Map.of());
    queue.waits("B");
    all.make();
    assertThat(passes(queue)).containsExactly("A");
    assertThat(queue.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_DEMAND));
  }

  @Test
  void laterDemandLendsWhatItHolds() {
    nodes(4);
    Queue queue = queue("q", 4, 60, 2).waits("A", "B", "C");
    queue.plan.runs("user", demand(1, 100), List.of(), Map.of("", ResourceVector.of(3)));
    queue.waits("D");
    all.make();
    assertThat(passes(queue)).as("3 are free, 3 are held").containsExactly("A", "B");
  }

  @Test
  void demandOfAnotherQueueCountsAsFarAsItIsNext() {
    nodes(12);
    Queue greedy = queue("greedy", 100, 50, 2);
    greedy.plan.runs("user", demand(1, 100), List.of(), Map.of());
    Queue queue = queue("q", 100, 0, 2).waits("A", "B");
    all.make();
    assertThat(passes(queue)).containsExactly("A", "B");
  }

  @Test
  void impossibleDemandIsIgnored() {
    nodes(10);
    Queue queue = queue("q", 10, 0, 4);
    queue.plan.runs("user", demand(11, 1), List.of(), Map.of());
    queue.waits("A");
    all.make();
    assertThat(passes(queue)).containsExactly("A");
  }

  @Test
  void userAtItsLimitIsPassedOver() {
    nodes(30);
    Queue queue = queue("q", 30, 0, 2);
    queue.waits("A", "poor", 2);
    queue.waits("B", "poor", 2);
    queue.waits("C");
    queue.waits("D", "unknown", 2);
    queue.waits("E");
    all.make();
    assertThat(passes(queue)).containsExactly("A", "C", "E");
    assertThat(queue.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_USER));
  }

  @Test
  void startingApplicationsOfAllQueuesComeFirst() {
    nodes(6);
    Queue one = queue("one", 6, 0, 2).waits("A");
    Queue other = queue("other", 6, 0, 2);
    other.plan.starts("S", "user", demand(2, 2), List.of());
    all.make();
    assertThat(passes(one)).isEmpty();
    assertThat(other.plan.claims()).containsOnlyKeys("S");
  }

  @Test
  void whatDoesNotFitIsGivenBack() {
    nodes(6, 4);
    Queue one = queue("one", 10, 0, 2);
    one.waits("A", "user", 7);
    Queue other = queue("other", 10, 1, 2).waits("B", "C", "D");
    all.make();
    assertThat(passes(one)).isEmpty();
    assertThat(passes(other)).containsExactly("B", "C", "D");
  }

  @Test
  void shapesAreNotMixedAcrossKindsOfNodes() {
    List<ResourceVector> nodes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      nodes.add(ResourceVector.of(256, 16));
      nodes.add(ResourceVector.of(64, 64));
    }
    nodes("", nodes, nodes);
    ResourceVector free = ResourceVector.of(1280, 320);
    Queue queue = new Queue("q").in("", free, ResourceVector.zero(2), ResourceVector.of(256, 64));
    for (String app : List.of("A", "B", "C")) {
      queue.plan.waits(app, "", "user",
          PlanSteps.needs(new Demand("", ResourceVector.of(1, 1), 1),
              List.of(new Demand("", ResourceVector.of(2, 2), 1))));
    }
    all.make();
    assertThat(passes(queue)).containsExactly("A", "B", "C");
    assertThat(rooms.get("").possible(ResourceVector.of(256, 64))).isEqualTo(ResourceVector.of(256, 16));
  }

  @Test
  void whatOthersHoldOnEachNodeMakesTheShapesSmaller() {
    List<ResourceVector> totals = new ArrayList<>();
    List<ResourceVector> free = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      totals.add(ResourceVector.of(64, 16, 4));
      free.add(ResourceVector.of(63, 15, 3));
    }
    nodes("", free, totals);
    Queue queue = new Queue("q")
        .in("", ResourceVector.of(378, 90, 18), ResourceVector.zero(3), ResourceVector.of(64, 16, 4));
    for (String app : List.of("A", "B", "C", "D", "E", "F")) {
      queue.plan.waits(app, "", "user",
          PlanSteps.needs(new Demand("", ResourceVector.of(1, 1, 0), 1),
              List.of(new Demand("", ResourceVector.of(2, 2, 0), 1))));
    }
    all.make();
    assertThat(passes(queue)).as("one of six nodes keeps three GPUs").hasSize(5);
  }

  @Test
  void containerThatFewNodesHoldIsKeptOnceItWasRequested() {
    nodes(9, 9, 9, 9, 9, 9, 9, 9, 9, 20);
    Queue queue = queue("q", 101, 0, 20).waits("A", "B");
    all.make();
    assertThat(passes(queue)).containsExactly("A", "B");
    nodes(9, 9, 9, 9, 9, 9, 9, 9, 9, 20);
    StartPlan<String> next = new StartPlan<>();
    Queue again = queue("r", 101, 0, 20).waits("A", "B");
    again.headrooms.get("").keepReserve(List.of(ResourceVector.of(20)), 1);
    next.add(again.plan);
    next.make();
    assertThat(passes(again)).as("a driver may be placed on the only node that holds 20").isEmpty();
  }

  @Test
  void reservedNodeIsExcluded() {
    nodes(4);
    rooms.get("").addNode(ResourceVector.of(100), null, ResourceVector.of(0), ResourceVector.of(0));
    Queue queue = queue("q", 104, 0, 4).waits("A", "B");
    all.make();
    assertThat(passes(queue)).isEmpty();
  }

  @Test
  void shortageHoldsOnlyTheSamePartition() {
    nodes(8, 8);
    nodesIn("gpu", 4, 4);
    Queue queue = queue("q", 16, 0, 8).in("gpu", ResourceVector.of(8), ResourceVector.zero(1),
        ResourceVector.of(4));
    queue.waitsIn("", "large", "", 9, 1);
    queue.waitsIn("", "small", "", 2, 1);
    queue.waitsIn("gpu", "other", "gpu", 2, 1);
    all.make();
    assertThat(passes(queue)).containsExactly("other");
    assertThat(queue.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_NODES));
  }

  @Test
  void executorsMayUseAnotherPartitionThanTheDriver() {
    nodes(10);
    nodesIn("spot", 4);
    Queue queue = queue("q", 10, 0, 1).in("spot", ResourceVector.of(4), ResourceVector.zero(1),
        ResourceVector.of(4));
    queue.waitsIn("", "A", "spot", 3, 1);
    queue.waitsIn("", "B", "spot", 3, 1);
    all.make();
    assertThat(passes(queue)).containsExactly("A");
    assertThat(queue.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_QUEUE));
  }

  @Test
  void partitionOfTwoQueuesIsSharedAndTheOtherIsNot() {
    nodes(6);
    nodesIn("gpu", 6);
    Queue one = queue("one", 6, 0, 2);
    Queue both = queue("both", 6, 1, 2).in("gpu", ResourceVector.of(6), ResourceVector.zero(1),
        ResourceVector.of(2));
    one.waits("A", "B");
    both.waits("C", "D");
    both.waitsIn("gpu", "E", "gpu", 2, 1);
    both.waitsIn("gpu", "F", "gpu", 2, 1);
    all.make();
    assertThat(passes(one)).containsExactly("A");
    assertThat(passes(both)).as("6 hold two of 3 in each partition").containsExactly("C", "E", "F");
  }

  @Test
  void reserveHoldsMinExecutors() {
    nodes(4, 4, 4, 4);
    Queue queue = new Queue("q").in("", ResourceVector.of(16), ResourceVector.zero(1),
        ResourceVector.of(4), 3);
    queue.waitsIn("", "A", "", 2, 3);
    queue.waitsIn("", "B", "", 2, 3);
    all.make();
    assertThat(passes(queue)).as("three of four nodes stay free").containsExactly("A");
    assertThat(queue.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_RESERVE));
  }

  @Test
  void usersLimitKeepsMinExecutors() {
    nodes(60);
    Queue queue = new Queue("q").in("", ResourceVector.of(60), ResourceVector.zero(1),
        ResourceVector.of(8), 3);
    queue.has("user", 0, 18, 18, 0.5);
    for (String app : List.of("A", "B", "C")) {
      queue.waitsIn("", app, "", 1, 3);
    }
    queue.waits("D", "poor", 1);
    all.make();
    assertThat(passes(queue)).as("YARN allocates the third of 8 beside 18")
        .containsExactly("A", "B", "D");
    assertThat(queue.plan.shortages()).as("holds back no other user")
        .isEqualTo(Map.of("", Wait.HEADROOM_USER));
  }

  @Test
  void severalDriversOnOneNodeShareTheReserve() {
    nodes(24);
    Queue queue = queue("q", 24, 0, 8).waits("A", "B", "C", "D", "E", "F", "G", "H");
    all.make();
    assertThat(passes(queue)).as("8 drivers leave 16, and 8 executors of 2 fill it").hasSize(8);
  }

  @Test
  void severalDriversOnOneNodeLeaveTheLargestContainer() {
    nodes(24);
    Queue queue = queue("q", 24, 0, 22);
    queue.waits("A", "user", 1);
    queue.waits("B", "user", 1);
    queue.waits("C", "user", 1);
    all.make();
    assertThat(passes(queue)).as("22 of 24").containsExactly("A", "B");
    assertThat(queue.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_RESERVE));
  }

  @Test
  void userLimitGrowsByItsFractionOfTheQueue() {
    nodes(90);
    Queue queue = queue("q", 90, 10, 2).has("user", 5, 8, 100, 0.5).waits("A");
    all.make();
    assertThat(passes(queue)).as("up to the current limit").containsExactly("A");
    nodes(90);
    Queue next = queue("r", 90, 10, 2).has("user", 5, 8, 100, 0.5).has("other", 5, 8, 100, 0.5)
        .waits("A", "B");
    next.waits("C", "other", 2);
    StartPlan<String> again = new StartPlan<>();
    again.add(next.plan);
    again.make();
    assertThat(passes(next)).as("8 of 13 are more than half").containsExactly("A", "C");
    assertThat(next.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_USER));
  }

  @Test
  void soleUsersLimitGrowsUpToTheCeiling() {
    nodes(90);
    Queue queue = queue("q", 90, 0, 2).has("user", 0, 3, 8, 1).waits("A", "B", "C");
    all.make();
    assertThat(passes(queue)).containsExactly("A", "B");
    assertThat(queue.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_USER));
  }

  @Test
  void runningApplicationsCountTowardTheReserve() {
    PartitionRoom room = new PartitionRoom();
    ResourceVector size = ResourceVector.of(8);
    room.addNode(size, ResourceVector.of(3), size, size);
    room.addNode(size, ResourceVector.of(5), size, size);
    room.addNode(size, null, size, size);
    rooms.put("", room);
    roots.put("", new LevelRoom("root", ResourceVector.of(8), ResourceVector.of(16),
        ResourceVector.zero(1)));
    Queue queue = queue("q", 8, 16, 8);
    List<LevelRoom> levels = List.of(roots.get(""));
    PartitionHeadroom headroom = new PartitionHeadroom(room, levels, ResourceVector.of(16),
        ResourceVector.of(24), size);
    headroom.addUser("user", user(1, 100));
    headroom.keepReserve(List.of(), 1);
    queue.headrooms.put("", headroom);
    queue.waits("A", "B", "C");
    all.make();
    assertThat(passes(queue)).containsExactly("A", "B");
  }

  @Test
  void fragmentsAreNoHeadroom() {
    nodes(1, 1, 1, 1, 1, 1);
    Queue queue = queue("q", 6, 0, 2).waits("A");
    all.make();
    assertThat(passes(queue)).isEmpty();
    assertThat(queue.plan.shortages()).isEqualTo(Map.of("", Wait.HEADROOM_NODES));
  }

  @Test
  void parentsMaximumIsSharedByItsQueues() {
    nodes(100);
    ResourceVector none = ResourceVector.zero(1);
    LevelRoom parent = new LevelRoom("root.p", ResourceVector.of(16), none, none);
    List<Queue> children = List.of(new Queue("root.p.a"), new Queue("root.p.b"));
    for (Queue child : children) {
      PartitionHeadroom headroom = new PartitionHeadroom(rooms.get(""), List.of(
          new LevelRoom(child.plan.name(), ResourceVector.of(100), none, none), parent, roots.get("")),
          none, ResourceVector.of(50), ResourceVector.of(13));
      headroom.addUser("user", user(1, 1000));
      headroom.keepReserve(List.of(), 1);
      child.headrooms.put("", headroom);
      child.waits("A", "user", 1);
      child.waits("B", "user", 1);
      child.waits("C", "user", 1);
    }
    Queue beside = queue("root.other", 100, 0, 13).waits("A", "B", "C", "D");
    all.make();
    assertThat(passes(children.get(0)).size() + passes(children.get(1)).size())
        .as("13 of 16 stay for both").isEqualTo(3);
    assertThat(passes(beside)).hasSize(4);
  }

  /** A plan for 200 queues with 2,000 applications on 1,000 nodes takes linear time. */
  @Test
  void manyQueuesAndNodes() {
    bytesOfPlan(20);
    long few = bytesOfPlan(20);
    long many = bytesOfPlan(200);
    assertThat((double) many / few).as("ten times the queues, applications and nodes").isLessThan(15);
  }

  /** What a plan for so many queues allocates, with ten applications and five nodes each. */
  private long bytesOfPlan(int queues) {
    long[] free = new long[5 * queues];
    Arrays.fill(free, 64);
    StartPlan<String> plan = new StartPlan<>();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    nodes(free);
    List<Queue> planned = new ArrayList<>();
    for (int i = 0; i < queues; i++) {
      Queue queue = queue("q" + i, 64L * free.length, i, 16);
      for (int app = 0; app < 10; app++) {
        queue.waits("A" + app);
      }
      plan.add(queue.plan);
      planned.add(queue);
    }
    plan.make();
    long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(planned.stream().mapToInt(queue -> passes(queue).size()).sum()).isEqualTo(10 * queues);
    return bytes;
  }
}
