// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulated applications behave on the real scheduler as real ones do. */
class SimulationTest {

  private static final int GB = 1024;
  private static final int SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final Job.Fate WELL = new Job.Fate.Well();

  @Test
  void equalSeedsGiveEqualRuns() throws Exception {
    for (SchedulerVariant setting : List.of(
        SchedulerVariants.fair(), SchedulerVariants.maxParallel(8), SchedulerVariants.dripfeed(),
            SchedulerVariants.auto())) {
      Outcome one = run(Workloads.of("autoscaled", 7), setting);
      long ids = ResourceManager.getClusterTimeStamp();
      assertThat(run(Workloads.of("autoscaled", 7), setting)).isEqualTo(one);
      assertThat(ResourceManager.getClusterTimeStamp()).isEqualTo(ids);
    }
    assertThat(Workloads.of("mixed", 8)).isNotEqualTo(Workloads.of("mixed", 7));
  }

  @Test
  void aBurstDeadlocksUnderStockFifoAndNotUnderDripfeed() throws Exception {
    Outcome stock = run(Workloads.of("burst", 1), SchedulerVariants.amPercent(100));
    Outcome dripfeed = run(Workloads.of("burst", 1), SchedulerVariants.dripfeed());

    assertThat(stock.isDeadlocked()).isTrue();
    assertThat(stock.ended()).isZero();
    assertThat(stock.usefulUtilisation()).isZero();
    assertThat(stock.makespanSeconds()).isInfinite();
    assertThat(stock.meanWaitSeconds()).isInfinite();
    assertThat(dripfeed.isDeadlocked()).isFalse();
    assertThat(dripfeed.ended()).isEqualTo(60);
  }

  @Test
  void burstsOverManyQueuesDeadlockUnlessTheyFormAGroup() throws Exception {
    Workload tenants = Workloads.tenants(50, 1);
    QueueSetup queues = QueueSetup.ofUsers(Workloads.users(50));

    Outcome stock = Simulation.run(tenants, queues, SchedulerVariants.fifo());
    Outcome alone = Simulation.run(tenants, queues, SchedulerVariants.perQueue());
    Outcome group = Simulation.run(tenants, queues, SchedulerVariants.group());
    Outcome slots = Simulation.run(tenants, queues, SchedulerVariants.group(4));

    assertThat(stock.isDeadlocked()).isTrue();
    assertThat(alone.isDeadlocked()).isTrue();
    assertThat(group.isDeadlocked()).isFalse();
    assertThat(group.ended()).isEqualTo(180);
    assertThat(slots.ended()).as("with several slots").isEqualTo(180);
  }

  @Test
  void staticSparkTakesAsLongAsItsTasks() throws Exception {
    // Two executors with two cores: three rounds of four tasks, then one.
    Outcome outcome = run(spark(10, new Program.Spark(GB, 2, 2, false,
        List.of(stage(12, 10), stage(4, 20)))), 2, SchedulerVariants.fifo());

    ApplicationTimes course = outcome.courses().get(0);
    assertThat(course.driverAt()).isBetween(0L, 1L * SECOND);
    // A heartbeat of the driver, and one of a node.
    assertThat(course.executorAt() - course.driverAt()).isBetween(10L * SECOND, 13L * SECOND);
    // The second executor by the next heartbeat; 3 s for a process, 50 s for the tasks, heartbeats.
    assertThat(course.endedAt() - course.executorAt()).isBetween(53L * SECOND, 58L * SECOND);
    assertThat(outcome.makespanSeconds()).isEqualTo(course.endedAt() / 1000.0);
  }

  /** On 8 GB, beside a driver of 1 GB; the last task starts with the first one, and takes a minute. */
  @Test
  void staticSparkBeginsWithFourFifthsOfItsExecutorsOrAfterHalfAMinute() throws Exception {
    ApplicationTimes two = run(spark(5, new Program.Spark(3 * GB, 1, 5, false, List.of(stage(2, 60)))), 1,
        SchedulerVariants.amPercent(100)).courses().get(0);
    ApplicationTimes four = run(spark(5, new Program.Spark(1536, 1, 5, false, List.of(stage(4, 60)))), 1,
        SchedulerVariants.amPercent(100)).courses().get(0);

    assertThat(two.endedAt() - two.driverAt()).as("30 s from when the driver has registered")
        .isBetween(95L * SECOND, 97L * SECOND);
    // Four heartbeats of the node, one of the driver, and 3 s for the process.
    assertThat(four.endedAt() - four.driverAt()).as("when the fourth works")
        .isBetween(70L * SECOND, 77L * SECOND);
  }

  @Test
  void dynamicSparkReleasesIdleExecutors() throws Exception {
    List<Program.Stage> wideThenNarrow = List.of(stage(24, 10), stage(1, 600));
    Outcome fixed =
        run(spark(5, new Program.Spark(GB, 1, 12, false, wideThenNarrow)), 2, SchedulerVariants.fifo());
    Outcome dynamic =
        run(spark(5, new Program.Spark(GB, 1, 12, true, wideThenNarrow)), 2, SchedulerVariants.fifo());

    // Driver and twelve executors of 16 GB; after the first minute and a half, two containers.
    assertThat(fixed.utilisation()).isBetween(0.76, 13 / 16.0);
    assertThat(dynamic.utilisation()).isBetween(2 / 16.0, 0.25);
    assertThat(dynamic.makespanSeconds()).isBetween(615.0, 670.0);
  }

  /** One executor finds room beside another application, which ends during the second stage. */
  @Test
  void dynamicSparkCancelsRequestsThatItsTasksNoLongerNeed() throws Exception {
    Job other = spark(5, new Program.Spark(2 * GB, 1, 2, false, List.of(stage(2, 300))));
    Job dynamic = new Job("dynamic", "SPARK", "user", 30 * SECOND, 0, GB, 5L * SECOND, WELL,
        new Program.Spark(2 * GB, 1, 12, true, List.of(stage(24, 5), stage(1, 600))));

    Outcome outcome = run(workload(List.of(other, dynamic), 1), SchedulerVariants.amPercent(100));

    ApplicationTimes first = outcome.courses().get(0);
    ApplicationTimes second = outcome.courses().get(1);
    assertThat(first.endedAt()).as("during the second stage")
        .isBetween(second.executorAt() + 130 * SECOND, second.endedAt() - 200 * SECOND);
    double held = outcome.utilisation() * 8 * outcome.makespanSeconds();
    double needed = held(first, 4) + held(second, 2);
    assertThat(held).as("GB, for so many seconds").isBetween(needed - 30, needed + 30);
  }

  /** A driver of 1 GB, and its executors together, in gigabytes times seconds. */
  private static double held(ApplicationTimes course, int executorsGb) {
    return (course.endedAt() - course.driverAt()
        + executorsGb * (course.endedAt() - course.executorAt())) / 1000.0;
  }

  @Test
  void mapReduceRunsATaskPerContainerAndReducesLast() throws Exception {
    Job job = new Job("mr", "MAPREDUCE", "user", 0, 0, GB, 5 * SECOND, WELL, new Program.Tasks(List.of(
        List.of(new Program.Task(GB, 30 * SECOND), new Program.Task(2 * GB, 20 * SECOND)),
        List.of(new Program.Task(4 * GB, 40 * SECOND)))));

    ApplicationTimes course = run(job, 1, SchedulerVariants.fifo()).courses().get(0);

    assertThat(course.endedAt()).isBetween(81L * SECOND, 95L * SECOND);
  }

  @Test
  void workLostWithANodeIsRepeated() throws Exception {
    Job job = spark(5, new Program.Spark(4 * GB, 1, 3, false, List.of(stage(6, 60))));
    Workload shrinking = new Workload("shrinking", "", List.of(job), 8 * GB, List.of(
        new Workload.Size(0, 3), new Workload.Size(30 * SECOND, 1), new Workload.Size(40 * SECOND, 3)));

    ApplicationTimes course = run(shrinking, SchedulerVariants.fifo()).courses().get(0);

    // Two rounds of tasks. The executors that are requested again repeat the first; the one that is
    // left alone would take six.
    assertThat(course.attempts()).isEqualTo(1);
    assertThat(course.endedAt()).isBetween(160L * SECOND, 190L * SECOND);
  }

  @Test
  void failedDriverIsRetriedAndHungDriverIsKilled() throws Exception {
    Program program = new Program.Spark(GB, 1, 1, false, List.of(stage(1, 10)));
    Job fails = new Job("fails", "SPARK", "user", 0, 0, GB, 5 * SECOND, new Job.Fate.Fails(1), program);
    Job failsAgain =
        new Job("fails again", "SPARK", "user", 0, 0, GB, 5 * SECOND, new Job.Fate.Fails(2), program);
    Job failsAtOnce = fails.withAttempts(1);
    Job hangs = new Job("hangs", "SPARK", "user", 0, 0, GB, 5 * SECOND,
        new Job.Fate.Hangs(2 * MINUTE), program);

    List<ApplicationTimes> courses =
        run(workload(List.of(fails, failsAgain, hangs, failsAtOnce), 2), SchedulerVariants.amPercent(100))
            .courses();

    assertThat(courses).allMatch(ApplicationTimes::isEnded);
    assertThat(courses).extracting(ApplicationTimes::attempts).containsExactly(2, 2, 1, 1);
    assertThat(courses).extracting(ApplicationTimes::hadExecutor)
        .containsExactly(true, false, false, false);
    assertThat(courses.get(2).endedAt()).isBetween(2 * MINUTE + 5 * SECOND, 2 * MINUTE + 8 * SECOND);
  }

  /** The driver runs on one of two nodes of 8 GB. Twelve tasks of a minute, each in an executor of 1 GB. */
  @Test
  void nodesWithALabelAreSharedOrNot() throws Exception {
    Job job = spark(5, new Program.Spark(GB, 1, 12, false, List.of(stage(12, 60))));
    Job onLabel = job.on(new Job.Labels("CORE", ""));
    Job there = job.on(new Job.Labels("CORE", "CORE"));

    assertThat(makespanWithLabel(onLabel, true)).as("15 GB for executors").isBetween(70.0, 100.0);
    assertThat(makespanWithLabel(onLabel, false)).as("8 GB, half a minute later").isBetween(155.0, 175.0);
    assertThat(makespanWithLabel(there, true)).as("7 GB, half a minute later").isBetween(155.0, 175.0);
    assertThat(makespanWithLabel(job, true)).as("not without the label").isBetween(70.0, 100.0);
  }

  private static double makespanWithLabel(Job job, boolean shareable) throws Exception {
    Workload.Nodes nodes = new Workload.Nodes(8 * GB, 0, new Workload.Label("CORE", shareable, 1));
    return run(new Workload("test", "", List.of(job), nodes, List.of(new Workload.Size(0, 2))),
        SchedulerVariants.amPercent(100)).makespanSeconds();
  }

  /** Eight gigabytes, and four virtual cores, of which the driver has one. */
  @Test
  void virtualCoresCountWhereNodesHaveSome() throws Exception {
    Job job = new Job("two sizes", "SPARK", "user", 0, 0, GB, 5 * SECOND, WELL, new Program.Tasks(List.of(
        List.of(new Program.Task(GB, 3, 60 * SECOND), new Program.Task(GB, 3, 60 * SECOND)),
        List.of(new Program.Task(6 * GB, 1, 60 * SECOND)))));
    Workload memory = workload(List.of(job), 1);
    Workload both = new Workload("test", "", List.of(job), new Workload.Nodes(8 * GB, 4,
        Workload.Label.NONE), memory.sizes());

    assertThat(run(memory, SchedulerVariants.amPercent(100)).makespanSeconds()).isBetween(130.0, 145.0);
    assertThat(run(both, SchedulerVariants.amPercent(100)).makespanSeconds()).isBetween(190.0, 215.0);
  }

  @Test
  void sessionRequestsNothingUntilItIsUsed() throws Exception {
    Program.Spark work = new Program.Spark(GB, 1, 1, true, List.of(stage(1, 10)));
    Job session = new Job("session", "TEZ", "user", 0, 0, GB, 5 * SECOND, WELL,
        new Program.Session(10 * MINUTE, work));

    Outcome outcome = run(session, 1, SchedulerVariants.fifo());

    ApplicationTimes course = outcome.courses().get(0);
    assertThat(course.executorAt() - course.driverAt())
        .isBetween(10 * MINUTE + 5 * SECOND, 10 * MINUTE + 9 * SECOND);
    assertThat(course.endedAt() - course.executorAt()).isBetween(13L * SECOND, 16L * SECOND);
    assertThat(outcome.meanWaitSeconds()).as("nobody waits for that").isZero();
  }

  @Test
  void launcherHoldsItsChildUnlessItsTypeIsExempt() throws Exception {
    Job child = spark(5, new Program.Spark(GB, 1, 1, false, List.of(stage(1, 10))));
    Job launcher = new Job("launcher", "LAUNCHER", "user", 0, 0, GB, 5 * SECOND, WELL,
        new Program.Launcher(List.of(child, child)));

    Outcome held = run(launcher, 1, SchedulerVariants.dripfeed());
    Outcome exempt = run(launcher, 1, SchedulerVariants.tuned("exempt-application-types", "LAUNCHER"));

    assertThat(held.courses()).hasSize(3).allMatch(ApplicationTimes::isEnded);
    // The time limit on starting is five minutes, from when its driver was allocated.
    assertThat(held.courses().get(1).driverAt() - held.courses().get(0).driverAt())
        .isBetween(5 * MINUTE, 5 * MINUTE + 2 * SECOND);
    assertThat(exempt.makespanSeconds()).isLessThan(60);
  }

  @Test
  void waitAndTurnaroundOfManySmallApplicationsAreMeasured() throws Exception {
    // Ten a second apart, each alone with its driver's five seconds and ten seconds of work.
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      jobs.add(new Job("small-" + i, "SPARK", "user", i * SECOND, 0, GB, 5L * SECOND, WELL,
          new Program.Spark(GB, 1, 1, false, List.of(stage(1, 10)))));
    }

    Outcome stock = run(workload(jobs, 4), SchedulerVariants.amPercent(100));
    Outcome dripfeed = run(workload(jobs, 4), SchedulerVariants.dripfeed());

    assertThat(stock.meanWaitSeconds()).isBetween(5.0, 8.0);
    assertThat(stock.waitSeconds(0.95)).isBetween(stock.waitSeconds(0.5), 9.0);
    assertThat(stock.meanTurnaroundSeconds() - stock.meanWaitSeconds()).isBetween(13.0, 16.0);
    assertThat(stock.turnaroundSeconds(0.95)).isBetween(stock.turnaroundSeconds(0.5), 25.0);
    // One start-up after the other, while one comes each second.
    assertThat(dripfeed.meanWaitSeconds()).isGreaterThan(3 * stock.meanWaitSeconds());
    assertThat(dripfeed.waitSeconds(0.95)).isGreaterThan(45);
    assertThat(Measure.ALL).allSatisfy(measure ->
        assertThat(measure.of(dripfeed)).as(measure.title()).isGreaterThan(measure.of(stock)));
  }

  @Test
  void defaultStartsOneAtATimeDespiteRoom() throws Exception {
    Workload idle = Workloads.idleCluster(10, 50, 20);

    List<Long> starts = new ArrayList<>();
    run(idle, SchedulerVariants.dripfeed()).courses().forEach(course -> starts.add(course.driverAt()));
    Outcome stock = run(idle, SchedulerVariants.amPercent(100));

    for (int i = 1; i < starts.size(); i++) {
      assertThat(starts.get(i) - starts.get(i - 1)).isBetween(20L * SECOND, 23L * SECOND);
    }
    assertThat(stock.lastExecutorSeconds()).isLessThan(30);
  }

  @Test
  void autoStartsAllAtOnce() throws Exception {
    Workload idle = Workloads.idleCluster(30, 30, 20);
    QueueSetup queue = QueueSetup.wholeCluster().withLargestContainer(8 * GB);

    double stock = Simulation.run(idle, queue, SchedulerVariants.amPercent(100)).lastExecutorSeconds();

    assertThat(Simulation.run(idle, queue, SchedulerVariants.auto()).lastExecutorSeconds())
        .as("the start-up, and hardly more").isBetween(20.0, stock * IdleStudy.TOLERANCE);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void wrongEstimatesCauseNoDeadlock(long seed) throws Exception {
    Workload changing = Workloads.of("changing", seed);

    Outcome outcome = run(changing, SchedulerVariants.auto());

    assertThat(outcome.isDeadlocked()).isFalse();
    assertThat(outcome.ended()).isEqualTo(changing.jobs().size());
  }

  @Test
  void applicationsThatWantManyExecutorsDoNotStartAllAtOnce() throws Exception {
    Workload wide = Workloads.of("wide-20", 1);
    QueueSetup queue = QueueSetup.wholeCluster().withLargestContainer(Workloads.WIDE_LARGEST_MB);

    Outcome auto = Simulation.run(wide, queue, SchedulerVariants.auto());
    Outcome all = Simulation.run(wide, queue, SchedulerVariants.amPercent(100));
    Outcome few = Simulation.run(wide, queue, SchedulerVariants.amPercent(10));

    assertThat(auto.ended()).isEqualTo(100);
    assertThat(auto.makespanSeconds()).isLessThan(0.95 * all.makespanSeconds())
        .isLessThan(Experiment.TOLERANCE * few.makespanSeconds());
  }

  @Test
  void comparedVariantsAreConfiguredAsNamed() throws Exception {
    // Forty percent of 16 GB: six drivers of 1 GB. None of them can get the whole node that it requests.
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      jobs.add(spark(20, new Program.Spark(8 * GB, 1, 1, false, List.of(stage(1, 10)))));
    }

    assertThat(drivers(run(workload(jobs, 2), SchedulerVariants.amPercent(40)))).isEqualTo(6);
    assertThat(drivers(run(workload(jobs, 2), SchedulerVariants.maxParallel(3)))).isEqualTo(3);
    assertThat(drivers(run(workload(jobs, 2), SchedulerVariants.amPercent(100)))).isEqualTo(12);
  }

  @Test
  void asynchronousSchedulingOfAFileDoesNotDependOnRealTime() throws Exception {
    Configuration scheduler = QueueSetup.wholeCluster().with(SchedulerVariants.fifo());
    scheduler.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", true);
    Workload burst = Workloads.of("short", 1);

    assertThat(Simulation.run(burst, new QueueSetup(scheduler, "root.batch"), SchedulerVariants.fifo()))
        .isEqualTo(run(burst, SchedulerVariants.fifo()));
  }

  @Test
  void multiNodePlacementOfAFileDoesNotDependOnRealTime() throws Exception {
    Configuration scheduler = QueueSetup.wholeCluster().with(SchedulerVariants.fifo());
    scheduler.setBoolean("yarn.scheduler.capacity.multi-node-placement-enabled", true);
    scheduler.set("yarn.scheduler.capacity.multi-node-sorting.policy.names", "by-usage");
    scheduler.set("yarn.scheduler.capacity.multi-node-sorting.policy", "by-usage");
    scheduler.set("yarn.scheduler.capacity.multi-node-sorting.policy.by-usage.class",
        ResourceUsageMultiNodeLookupPolicy.class.getName());
    Workload burst = Workloads.of("short", 1);

    assertThat(Simulation.run(burst, new QueueSetup(scheduler, "root.batch"), SchedulerVariants.fifo()))
        .isEqualTo(run(burst, SchedulerVariants.fifo()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void refusedApplicationsNeverEnd(boolean gang) throws Exception {
    Configuration scheduler = QueueSetup.wholeCluster().with(SchedulerVariants.fifo());
    scheduler.set("yarn.scheduler.capacity.root.batch.maximum-applications", "2");
    Job job = spark(5, new Program.Spark(GB, 1, 1, false, List.of(stage(1, 10))));

    Outcome outcome = Simulation.run(workload(List.of(job, job, job, job, job), 4),
        new QueueSetup(scheduler, "root.batch"),
        gang ? SchedulerVariants.gangOfFirst() : SchedulerVariants.amPercent(100));

    assertThat(outcome.isDeadlocked()).isFalse();
    assertThat(outcome.ended()).isEqualTo(2);
    assertThat(outcome.failed()).isEqualTo(3);
    assertThat(Measure.ALL).allSatisfy(measure -> assertThat(measure.of(outcome)).isInfinite());
  }

  /** A launcher starts for forty minutes, since its child waits for it. */
  @Test
  void applicationBehindALongTimeLimitIsNoDeadlock() throws Exception {
    Job child = spark(5, new Program.Spark(GB, 1, 1, false, List.of(stage(1, 10))));
    Job launcher = new Job("launcher", "LAUNCHER", "user", 0, 0, GB, 5 * SECOND, WELL,
        new Program.Launcher(List.of(child)));

    Outcome outcome = run(launcher, 1, SchedulerVariants.tuned("starting-timeout", "40m"));

    assertThat(outcome.isDeadlocked()).isFalse();
    assertThat(outcome.courses().get(1).driverAt()).isBetween(40 * MINUTE, 41 * MINUTE);
  }

  /** A recording of years is not replayed for days. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void quietTimeIsSkipped() throws Exception {
    Job early = spark(10, new Program.Spark(GB, 1, 2, false, List.of(stage(2, 30))));
    List<Job> jobs = List.of(early, early.at(30 * MINUTE), early.at(6 * 365 * 24 * 60 * MINUTE));
    Outcome outcome = run(workload(jobs, 2), SchedulerVariants.auto());
    assertThat(outcome.ended()).isEqualTo(3);
    assertThat(outcome.courses().get(1).submittedAt()).as("less than an hour").isEqualTo(30 * MINUTE);
    assertThat(outcome.courses().get(2).submittedAt()).isBetween(90 * MINUTE, 92 * MINUTE);
  }

  private static long drivers(Outcome outcome) {
    assertThat(outcome.isDeadlocked()).isTrue();
    return outcome.courses().stream().filter(course -> course.driverAt() != Application.NEVER).count();
  }

  private static Program.Stage stage(int tasks, int seconds) {
    return new Program.Stage(tasks, seconds * (long) SECOND);
  }

  private static Job spark(int startUpSeconds, Program.Spark program) {
    return new Job("spark", "SPARK", "user", 0, 0, GB, startUpSeconds * (long) SECOND, WELL, program);
  }

  /** On nodes of 8 GB. */
  private static Workload workload(List<Job> jobs, int nodes) {
    return new Workload("test", "", jobs, 8 * GB, List.of(new Workload.Size(0, nodes)));
  }

  private static Outcome run(Job job, int nodes, SchedulerVariant setting) throws Exception {
    return run(workload(List.of(job), nodes), setting);
  }

  private static Outcome run(Workload workload, SchedulerVariant setting) throws Exception {
    return Simulation.run(workload, QueueSetup.wholeCluster(), setting);
  }
}
