// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.wire.Wire.Wait;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rule, line by line. Amounts are memory, or memory, cores and GPUs. A waiting application has a driver
 * of 1 and a first executor of 2 if nothing else is said.
 */
class StartPlanTest {

  private static final ResourceVector DRIVER = ResourceVector.of(1);

  /** A queue that may use what the nodes have, with the users "user" and "poor", who may take 4 more. */
  private final class Queue {
    final PlanQueue<String> plan;
    final Map<String, PlanPartition> partitions = new HashMap<>();
    final Map<String, Account> users = new HashMap<>();

    Queue(String name) {
      plan = new PlanQueue<>(name, partitions::get, (user, partition) -> users.computeIfAbsent(user,
          u -> account(null, ResourceVector.of(1000), 0)));
      users.put("poor", account(null, ResourceVector.of(4), 0));
      all.add(plan);
    }

    Queue in(String partition, long guaranteed, long used, long drivers, Account... levels) {
      partitions.put(partition, new PlanPartition(List.of(levels), lent,
          ResourceVector.of(guaranteed), ResourceVector.of(used), ResourceVector.of(drivers)));
      return this;
    }

    /** It runs, and requests so many executors of 1. */
    Queue runs(String user, long claims) {
      plan.started("R", user, List.of(), List.of(new Demand("", DRIVER, claims)));
      return this;
    }

    Queue waits(String... apps) {
      for (String app : apps) {
        waits(app, "user", "", executors("", 2, 1), List.of(), false);
      }
      return this;
    }

    Queue waits(String app, String user, String line, List<Demand> first, List<Demand> further,
        boolean keepsReserve) {
      plan.accepted(app, line, user, () ->
          new Needs(new Demand(line, DRIVER, 1), first, further, keepsReserve, cold));
      return this;
    }

    String starts() {
      return String.join(" ", plan.starts());
    }

    Wait waitsFor(String line) {
      WaitReason reason = plan.reasons().get(line);
      return reason == null ? null : reason.code();
    }
  }

  private final StartPlan<String> all = new StartPlan<>();
  private List<Account> lent = List.of();
  private boolean cold;

  private static Account account(String name, ResourceVector free, long soon) {
    return new Account(name, free, ResourceVector.of(free.types(), type -> soon), new Reserve(List::of));
  }

  private static Account nodes(long free) {
    return account(null, ResourceVector.of(free), 0);
  }

  private static List<Demand> executors(String partition, long size, long count) {
    return List.of(new Demand(partition, ResourceVector.of(size), count));
  }

  private Queue queue(long free, long soon) {
    return new Queue("root.q").in("", 100, 0, 0, account(null, ResourceVector.of(free), soon));
  }

  @ParameterizedTest(name = "{0} are free, {1} come free soon, {2} are claimed before them: {3} start")
  @CsvSource({"12, 0, 0, 'A B C D'", "11, 0, 0, 'A B C'", "11, 1, 0, 'A B C D'", "0, 6, 0, 'A B'",
      "-3, 6, 0, A", "0, 0, 0, ''", "11, 0, 5, 'A B'", "11, 0, 100, ''", "5, 6, 2, 'A B C'",
      // All fit into what is free now, whatever others want.
      "12, 0, 100, 'A B C D'"})
  void roomIsWhatIsFreeNowAndSoonWithoutWhatIsClaimedBefore(
      long free, long soon, long claimed, String starts) {
    Queue queue = queue(free, soon).runs("user", claimed).waits("A", "B", "C", "D");
    all.make();
    assertThat(queue.starts()).isEqualTo(starts);
    assertThat(queue.waitsFor("")).isEqualTo(starts.endsWith("D") ? null : Wait.PLAN_NODES);
  }

  @Test
  void reasonSaysWhatIsNeededAndLeft() {
    Queue queue = new Queue("root.p.q").in("", 100, 0, 0, account("root.p.q", ResourceVector.of(50), 0),
        account("root.p", ResourceVector.of(4), 0), nodes(50)).waits("A", "B");
    all.make();
    WaitReason reason = queue.plan.reasons().get("");
    assertThat(reason.code()).isEqualTo(Wait.PLAN_QUEUE);
    assertThat(reason.parent()).isEqualTo("root.p");
    assertThat(reason.needed()).isEqualTo(ResourceVector.of(3));
    assertThat(reason.left()).isEqualTo(ResourceVector.of(1));
  }

  @Test
  void whatStartingOnesOfAllQueuesLackIsTakenFirst() {
    Account shared = nodes(8);
    Queue one = new Queue("one").in("", 100, 0, 0, shared).waits("A", "B");
    Queue other = new Queue("other").in("", 100, 50, 0, shared);
    other.plan.started("S", "user", executors("", 2, 2), List.of());
    all.make();
    assertThat(one.starts()).as("4 of 8 are left, also of what is free now").isEqualTo("A");
  }

  @Test
  void whatAnApplicationIsExpectedToRequestLaterCountsBeforeThoseBehindIt() {
    Queue queue = queue(10, 0)
        .waits("A", "user", "", executors("", 2, 1), executors("", 1, 5), false).waits("B", "C", "D");
    all.make();
    assertThat(queue.starts()).as("2 are left").isEqualTo("A");
  }

  @Test
  void oneThatRequestsNoDriverNowIsLeftOut() {
    Queue queue = queue(3, 0);
    queue.plan.accepted("A", "", "user", () -> null);
    queue.waits("B");
    all.make();
    assertThat(queue.starts()).isEqualTo("B");
  }

  @ParameterizedTest(name = "{0} behind, a guess: {1}, drivers hold {2} of 60: {3} start")
  @CsvSource({"0, false, 30, 'A B C'", "1, false, 30, 'A B C'", "2, false, 30, 'A B'", "100, false, 30, ''",
      "100, false, 9, A", "100, false, 8, 'A B'", "100, false, 0, 'A B C'", "0, true, 9, A",
      "0, true, 30, ''", "0, true, 0, 'A B C'"})
  void driversHoldASixthWhereMoreIsClaimedBehindOrNothingIsKnown(
      long behind, boolean guess, long drivers, String starts) {
    cold = guess;
    Queue queue = new Queue("root.q").in("", 100, 50, drivers, nodes(10)).waits("A", "B", "C")
        .runs("user", behind).waits("D");
    all.make();
    assertThat(queue.starts()).isEqualTo(starts);
    assertThat(queue.waitsFor("")).isEqualTo(
        starts.endsWith("C") ? Wait.PLAN_NODES : Wait.PLAN_EXPECTED);
  }

  @ParameterizedTest(name = "{0} are free, {1} come free soon, drivers hold {2} of 60: closed {3}")
  @CsvSource({"2, 9, 10, true", "3, 9, 10, false", "2, 9, 9, false", "0, 0, 10, true", "0, 0, 9, false"})
  void slotClosesWhereDriversHoldTheirPartOfAFullQueue(
      long free, long soon, long drivers, boolean closed) {
    Account nodes = account(null, ResourceVector.of(free), soon);
    Queue queue = new Queue("root.q").in("", 60, 60 - free, drivers, nodes).waits("A").runs("user", 100);
    queue.plan.setFair();
    all.make();
    assertThat(queue.plan.withoutSlot().contains("")).isEqualTo(closed);
  }

  @Test
  void inFairOrderRoomForAllIsNoReasonToStartAll() {
    Queue queue = new Queue("root.q").in("", 100, 48, 9, nodes(12)).waits("A", "B", "C").runs("user", 100);
    queue.plan.setFair();
    all.make();
    assertThat(queue.starts()).as("10 of 60").isEqualTo("A");
  }

  @Test
  void firstDriverIsAlwaysWithinItsPart() {
    Queue queue = new Queue("root.q").in("", 100, 0, 0, nodes(4)).waits("A").runs("user", 9).waits("B");
    all.make();
    assertThat(queue.starts()).isEqualTo("A");
  }

  @Test
  void userWithTooLittleIsPassedOver() {
    Queue queue = queue(100, 0).waits("A", "poor", "", executors("", 2, 1), List.of(), false)
        .waits("B", "poor", "", executors("", 2, 1), List.of(), false).waits("C");
    all.make();
    assertThat(queue.starts()).isEqualTo("A C");
    assertThat(queue.waitsFor("")).isEqualTo(Wait.PLAN_USER);
  }

  @Test
  void userClaimsNoMoreThanItsLimitLeaves() {
    Queue queue = queue(10, 0).runs("poor", 1000).waits("A", "B", "C", "D");
    all.make();
    assertThat(queue.starts()).as("4 of 10 are claimed").isEqualTo("A B");
  }

  @Test
  void rareTypeThatIsShortHoldsOnlyThoseThatNeedIt() {
    ResourceVector small = ResourceVector.of(1, 1, 0);
    ResourceVector gpu = ResourceVector.of(1, 1, 1);
    Queue queue = new Queue("root.q");
    Account free = account(null, ResourceVector.of(10, 10, 1), 0);
    queue.users.put("user", account(null, ResourceVector.of(99, 99, 99), 0));
    queue.partitions.put("", new PlanPartition(List.of(free), List.of(), ResourceVector.of(9, 9, 9),
        ResourceVector.zero(3), ResourceVector.zero(3)));
    for (String app : List.of("gpu1", "gpu2", "none", "large", "last")) {
      queue.plan.accepted(app, "", "user", () -> new Needs(new Demand("", small, 1),
          List.of(new Demand("", app.startsWith("gpu") ? gpu : small, app.equals("large") ? 9 : 1)),
          List.of(), false, false));
    }
    all.make();
    assertThat(queue.starts()).as("10 are too many: no memory ends the line").isEqualTo("gpu1 none");
  }

  @Test
  void claimWhoseRareTypeIsLackingTakesNothing() {
    Queue queue = new Queue("root.q");
    queue.users.put("user", account(null, ResourceVector.of(99, 99, 99), 0));
    queue.partitions.put("", new PlanPartition(List.of(account(null, ResourceVector.of(10, 10, 1), 0)),
        List.of(), ResourceVector.of(9, 9, 9), ResourceVector.zero(3), ResourceVector.zero(3)));
    queue.plan.started("R", "user", List.of(),
        List.of(new Demand("", ResourceVector.of(4, 4, 1), 100)));
    ResourceVector one = ResourceVector.of(1, 1, 0);
    for (String app : List.of("A", "B", "C", "D", "E", "F", "G")) {
      queue.plan.accepted(app, "", "user",
          () -> new Needs(new Demand("", one, 1), List.of(new Demand("", one, 1)), List.of(), false,
              false));
    }
    all.make();
    assertThat(queue.starts()).as("6 are left beside the GPU's container").isEqualTo("A B C");
  }

  @Test
  void shortLabelHoldsOnlyThoseThatNeedIt() {
    Queue queue = new Queue("root.q").in("", 100, 0, 0, nodes(9)).in("x", 100, 0, 0, nodes(3));
    queue.waits("A", "user", "", executors("x", 2, 1), List.of(), false);
    queue.waits("B", "user", "", executors("x", 2, 1), List.of(), false);
    queue.waits("C", "D", "E");
    queue.waits("F", "user", "x", executors("x", 1, 1), List.of(), false);
    queue.waits("G", "user", "x", List.of(), List.of(), false);
    all.make();
    assertThat(queue.starts()).as("B needs x: C and D go on, E does not fit; F ends its line")
        .isEqualTo("A C D");
    assertThat(queue.waitsFor("x")).isEqualTo(Wait.PLAN_NODES);
  }

  @Test
  void requestsWithoutALabelMayUseWhatIsLent() {
    lent = List.of(nodes(4));
    Queue queue = queue(3, 0).waits("A", "B", "C");
    all.make();
    assertThat(queue.starts()).as("3 of 3, and 3 of 4").isEqualTo("A B");
  }

  @Test
  void queueThatUsesTheLeastOfItsGuaranteeIsNext() {
    Account shared = nodes(13);
    Queue rich = new Queue("rich").in("", 100, 80, 0, shared).waits("A", "B", "C");
    Queue none = new Queue("none").in("", 0, 0, 0, shared).waits("G");
    Queue poor = new Queue("poor").in("", 100, 0, 0, shared).waits("D", "E", "F");
    all.make();
    assertThat(poor.starts()).isEqualTo("D E F");
    assertThat(rich.starts()).isEqualTo("A");
    assertThat(none.starts()).as("without capacity").isEmpty();
  }

  @Test
  void claimsOfAnotherQueueCountAsFarAsItIsNext() {
    Account shared = nodes(12);
    new Queue("greedy").in("", 100, 50, 0, shared).runs("user", 100).waits("Z");
    Queue queue = new Queue("q").in("", 100, 0, 0, shared).waits("A", "B");
    all.make();
    assertThat(queue.starts()).isEqualTo("A B");
  }

  @Test
  void parentIsSharedByItsQueues() {
    Account parent = account("root.p", ResourceVector.of(7), 0);
    Queue one = new Queue("root.p.a").in("", 100, 0, 0, parent, nodes(99)).waits("A", "B");
    Queue other = new Queue("root.p.b").in("", 100, 0, 0, parent, nodes(99)).waits("C", "D");
    all.make();
    assertThat(one.starts() + other.starts()).as("two of 3").hasSize(2);
  }

  @ParameterizedTest(name = "cannot be taken back: {0}, a starting one neither: {1}")
  @CsvSource({"false, false, 'A B C D'", "true, false, 'A B'", "false, true, 'A B'"})
  void roomIsKeptOnlyBesideDriversThatCannotBeTakenBack(boolean they, boolean another, String starts) {
    ResourceVector later = ResourceVector.of(10);
    Account level = new Account("root.q", ResourceVector.of(12), ResourceVector.zero(1),
        new Reserve(() -> List.of(SafetyReserve.ofLimit(later, ResourceVector.of(8)))));
    Queue queue = new Queue("root.q").in("", 100, 0, 0, level, nodes(50));
    for (String app : List.of("A", "B", "C", "D")) {
      queue.waits(app, "user", "", executors("", 2, 1), List.of(), they);
    }
    if (another) {
      queue.plan.keepReserve("", "user");
    }
    all.make();
    assertThat(queue.starts()).as("8 of 10").isEqualTo(starts);
    assertThat(queue.waitsFor("")).isEqualTo(starts.endsWith("D") ? null : Wait.PLAN_RESERVE);
  }

  @Test
  void reserveOfNodesIsKeptOnceForAllQueues() {
    SafetyReserve room = new SafetyReserve(ResourceVector.of(8));
    for (int node = 0; node < 3; node++) {
      room.addNode(ResourceVector.of(8));
      room.addBest(ResourceVector.of(8));
    }
    room.need(1);
    Account shared = new Account(null, ResourceVector.of(24), ResourceVector.zero(1),
        new Reserve(() -> List.of(room)));
    List<Queue> queues = List.of(new Queue("one"), new Queue("other"));
    for (Queue queue : queues) {
      queue.in("", 100, 0, 0, shared);
      queue.waits("A", "user", "", executors("", 2, 1), List.of(), true);
      queue.waits("B", "user", "", executors("", 2, 1), List.of(), true);
    }
    all.make();
    assertThat(queues.get(0).starts() + queues.get(1).starts()).as("each may be placed on another node")
        .hasSize(2);
  }

  /** A plan for 200 queues with 2,000 applications takes linear time. */
  @Test
  void manyQueues() {
    bytesOfPlan(20);
    long few = bytesOfPlan(20);
    long many = bytesOfPlan(200);
    assertThat((double) many / few).as("ten times the queues and applications").isLessThan(15);
  }

  /** What a plan for so many queues allocates, with ten applications each. */
  private static long bytesOfPlan(int queues) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    StartPlanTest test = new StartPlanTest();
    Account shared = nodes(100L * queues);
    List<Queue> planned = new ArrayList<>();
    for (int i = 0; i < queues; i++) {
      planned.add(test.new Queue("q" + i).in("", 100, i, 0, shared)
          .waits("A", "B", "C", "D", "E", "F", "G", "H", "I", "J"));
    }
    test.all.make();
    long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(planned.stream().mapToInt(queue -> queue.plan.starts().size()).sum())
        .isEqualTo(10 * queues);
    return bytes;
  }
}
