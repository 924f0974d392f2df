// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** The rules of other systems, as controllers in front of stock fifo. */
class AdmissionTest {

  private static final int GB = 1024;
  private static final int SECOND = 1000;
  private static final int MINUTE = 60 * SECOND;
  private static final Job.Fate WELL = new Job.Fate.Well();

  @Test
  void blockedApplicationStartsWhenTheOneBeforeHasAllItsExecutors() throws Exception {
    Outcome outcome = run(SchedulerVariants.kueueBlocking(), 12, job(0, 5, WELL), job(1, 5, WELL));
    assertThat(outcome.isDeadlocked()).isFalse();
    ApplicationTimes first = outcome.courses().get(0);
    ApplicationTimes second = outcome.courses().get(1);
    // The node gets a container a second.
    assertThat(second.driverAt())
        .isBetween(first.executorAt() + 4 * SECOND, first.executorAt() + 6 * SECOND);
    assertThat(second.submittedAt()).as("counted from its submission").isEqualTo(SECOND);
  }

  /** The quota is the whole cluster, and YARN gives one user half of it: not all of the executors. */
  @Test
  void nobodyIsAdmittedAsLongAsExecutorsAreMissing() throws Exception {
    Job first = job(0, 15, new Program.Spark(GB, 1, 6, false,
        List.of(new Program.Stage(6, 90L * SECOND))));
    Job second = new Job("second", "ANY", "other", SECOND, 0, GB, 0, WELL,
        new Program.DriverOnly(MINUTE));
    QueueSetup queue = new QueueSetup(half("100"), "root.batch");

    List<ApplicationTimes> blocked = Simulation.run(
        workload(8, first, second), queue, SchedulerVariants.kueueBlocking()).courses();
    List<ApplicationTimes> free = Simulation.run(
        workload(8, first, second), queue, SchedulerVariants.kueueEvicting()).courses();

    assertThat(blocked.get(1).driverAt())
        .isBetween(blocked.get(0).endedAt(), blocked.get(0).endedAt() + 2 * SECOND);
    assertThat(free.get(1).driverAt()).isLessThan(5 * SECOND);
  }

  /** Three drivers find room, but leave none for executors. */
  @Test
  void quotaHoldsAllExecutorsThatAreDeclared() throws Exception {
    Job[] jobs = {job(0, 2, WELL), job(4, 2, WELL), job(8, 2, WELL)};
    assertThat(run(SchedulerVariants.amPercent(100), 3, jobs).isDeadlocked()).isTrue();
    List<ApplicationTimes> courses = run(SchedulerVariants.kueueEvicting(), 3, jobs).courses();
    assertThat(courses).hasSize(3).allMatch(ApplicationTimes::isEnded);
    assertThat(courses.get(1).driverAt()).isGreaterThanOrEqualTo(courses.get(0).endedAt());
    assertThat(courses.get(2).driverAt()).isGreaterThanOrEqualTo(courses.get(1).endedAt());
  }

  /** Executors of a dynamic one take the room that the quota had for the other. */
  @Test
  void applicationWithoutAllItsExecutorsIsEvictedAfterFiveMinutes() throws Exception {
    Job dynamic = job(0, 15, new Program.Spark(GB, 1, 3, true,
        List.of(new Program.Stage(3, 8 * MINUTE))));
    Job fixed = job(1, 60, new Program.Spark(GB, 1, 2, false,
        List.of(new Program.Stage(2, 5 * MINUTE))));

    List<ApplicationTimes> courses = run(SchedulerVariants.kueueEvicting(), 6, dynamic, fixed).courses();

    assertThat(courses).hasSize(2).allMatch(ApplicationTimes::isEnded);
    assertThat(courses.get(1).submittedAt()).isEqualTo(SECOND);
    assertThat(courses.get(1).driverAt()).as("one executor was not enough, and then there was no quota")
        .isBetween(courses.get(0).endedAt(), courses.get(0).endedAt() + 2 * SECOND);
  }

  @Test
  void dynamicSparkIsReadyWithItsDriver() throws Exception {
    Job dynamic = job(0, 15, new Program.Spark(GB, 1, 3, true,
        List.of(new Program.Stage(3, 8 * MINUTE))));

    List<ApplicationTimes> courses =
        run(SchedulerVariants.kueueBlocking(), 12, dynamic, job(0, 1, WELL)).courses();

    assertThat(courses.get(1).driverAt())
        .isBetween(courses.get(0).driverAt(), courses.get(0).driverAt() + 2 * SECOND);
    assertThat(courses.get(0).executorAt()).isGreaterThan(courses.get(1).driverAt());
  }

  /** Its first tasks end before the last of them start. */
  @Test
  void mapReduceIsReadyWithItsFirstRequests() throws Exception {
    Program.Tasks tasks = new Program.Tasks(List.of(
        Collections.nCopies(8, new Program.Task(GB, SECOND)), List.of(new Program.Task(GB, MINUTE))));

    List<ApplicationTimes> courses =
        run(SchedulerVariants.kueueBlocking(), 12, job(0, 5, tasks), job(0, 1, WELL)).courses();

    assertThat(courses.get(1).driverAt()).isBetween(
        courses.get(0).executorAt() + 7 * SECOND, courses.get(0).executorAt() + 9 * SECOND);
  }

  @Test
  void applicationLargerThanTheQueueIsReadyWithWhatTheQueueHolds() throws Exception {
    List<ApplicationTimes> courses =
        run(SchedulerVariants.kueueEvicting(), 4, job(0, 9, WELL), job(1, 9, WELL)).courses();

    assertThat(courses).hasSize(2).allMatch(ApplicationTimes::isEnded);
    assertThat(courses.get(0).driverAt()).as("not evicted").isLessThan(2 * SECOND);
    assertThat(courses.get(1).driverAt()).isBetween(
        courses.get(0).endedAt(), courses.get(0).endedAt() + 2 * SECOND);
  }

  /** The quota is the whole cluster, and YARN gives one user half of it. */
  @Test
  void evictionsThatLeadNowhereAreADeadlock() throws Exception {
    Program.Spark program = new Program.Spark(GB, 1, 6, false,
        List.of(new Program.Stage(6, 10 * MINUTE)));

    Outcome outcome = Simulation.run(workload(8, job(0, 15, program), job(1, 15, program)),
        new QueueSetup(half("100"), "root.batch"), SchedulerVariants.kueueEvicting());

    assertThat(outcome.isDeadlocked()).isTrue();
    assertThat(outcome.ended()).isZero();
    assertThat(outcome.endMillis()).as("although each had its first executor again and again")
        .isBetween(24 * 60L * MINUTE, 27 * 60L * MINUTE);
    assertThat(outcome.courses()).as("each once, whether it waits or not").hasSize(2);
  }

  @Test
  void applicationThatRunsForMoreThanADayIsNoDeadlock() throws Exception {
    Job longest = new Job("long", "SPARK", "user", 0, 0, GB, 15L * SECOND, WELL,
        new Program.Spark(GB, 1, 1, false, List.of(new Program.Stage(1, 25 * 60L * MINUTE))));

    assertThat(run(SchedulerVariants.kueueEvicting(), 4, longest).isDeadlocked()).isFalse();
  }

  @Test
  void progressCountsEndsAlsoWhereApplicationsAreHeldBack() throws Exception {
    List<Integer> ended = new ArrayList<>();
    Workload workload = workload(4, job(0, 3, WELL), job(1, 3, WELL), job(2, 3, WELL));

    Simulation.run(new SimulationTask(workload, QueueSetup.wholeCluster(), SchedulerVariants.gangOfAll()),
        (virtualMillis, count) -> ended.add(count));

    assertThat(ended).startsWith(0).isSorted().contains(1, 2).allMatch(count -> count >= 0);
  }

  /** Two applications of 4 GB find room in the cluster, and one in the queue. */
  @Test
  void gangsCountTheRoomOfTheQueue() throws Exception {
    Outcome outcome = Simulation.run(workload(8, job(0, 3, WELL), job(1, 3, WELL)),
        new QueueSetup(half("50"), "root.batch"), SchedulerVariants.gangOfAll());

    assertThat(outcome.courses().get(1).driverAt())
        .isGreaterThanOrEqualTo(outcome.courses().get(0).endedAt());
  }

  @Test
  void claimIsWhatYarnAllocates() {
    Job job = new Job("odd", "SPARK", "user", 0, 0, 300, 0, WELL, new Program.Spark(GB + 1, 1, 2, false,
        List.of(new Program.Stage(2, MINUTE))));

    AdmissionRule rule = SchedulerVariants.gangOfAll().admission();

    assertThat(rule.claim(job, new AdmissionRule.Room(8 * GB, 1, 8 * GB), AdmissionTest::rounded))
        .isEqualTo(new AdmissionRule.Claim(512 + 2 * (GB + 256), 3));
  }

  /** The rest of three nodes of 4 GB is room for a fourth executor of 2.5 GB, but on no node. */
  @Test
  void quotaCountsWhatNodesHold() {
    Job job = job(0, 15, new Program.Spark(5 * GB / 2, 1, 9, false,
        List.of(new Program.Stage(9, MINUTE))));
    AdmissionRule.Claim three = new AdmissionRule.Claim(GB + 3 * 5 * GB / 2, 4);
    AdmissionRule rule = SchedulerVariants.kueueEvicting().admission();

    assertThat(rule.claim(job, new AdmissionRule.Room(12 * GB, 3, 4 * GB), AdmissionTest::rounded))
        .isEqualTo(three);
    assertThat(rule.claim(job, new AdmissionRule.Room(9 * GB, 9, 4 * GB), AdmissionTest::rounded))
        .as("in a queue that may have 9 GB").isEqualTo(three);
  }

  @Test
  void hungDriverIsGivenUpWhenEvicted() throws Exception {
    Outcome outcome = run(SchedulerVariants.kueueEvicting(), 4, job(0, 1, new Job.Fate.Hangs(60 * MINUTE)));
    assertThat(outcome.courses()).singleElement().satisfies(hung ->
        assertThat(hung.endedAt()).isBetween(5L * MINUTE, 5L * MINUTE + 5 * SECOND));
  }

  @Test
  void aGangIsAdmittedWithRoomForAllOfIt() throws Exception {
    Job[] jobs = {job(0, 3, WELL), job(1, 3, WELL), job(2, 1, WELL)};
    Outcome first = run(SchedulerVariants.gangOfFirst(), 6, jobs);
    Outcome all = run(SchedulerVariants.gangOfAll(), 6, jobs);
    assertThat(first.courses().get(1).driverAt()).as("driver and one executor fit beside 4 GB")
        .isLessThan(first.courses().get(0).endedAt());
    assertThat(all.courses().get(1).driverAt()).as("driver and three do not")
        .isGreaterThanOrEqualTo(all.courses().get(0).endedAt());
    assertThat(all.courses().get(2).driverAt()).as("and it holds back the one behind it")
        .isGreaterThanOrEqualTo(all.courses().get(0).endedAt());
  }

  @Test
  void aGangLargerThanTheClusterIsAdmittedAlone() throws Exception {
    Outcome outcome = run(SchedulerVariants.gangOfAll(), 4, job(0, 9, WELL), job(1, 9, WELL));
    assertThat(outcome.isDeadlocked()).isFalse();
    assertThat(outcome.courses().get(1).driverAt())
        .isGreaterThanOrEqualTo(outcome.courses().get(0).endedAt());
  }

  @Test
  void backOffDoublesUpToAnHour() {
    assertThat(Arrays.asList(1, 2, 3, 6, 7, 100)).extracting(AdmissionRule::backOffMillis)
        .containsExactly(60_000L, 120_000L, 240_000L, 1_920_000L, 3_600_000L, 3_600_000L);
  }

  @Test
  void yuniKornStartsOneAtATime() throws Exception {
    Outcome outcome = run(SchedulerVariants.yunikorn(), 8,
        job(0, 1, new Job.Fate.Hangs(60 * MINUTE)), job(1, 1, WELL), job(2, 1, WELL));
    List<ApplicationTimes> courses = new ArrayList<>(outcome.courses());
    assertThat(courses.get(1).driverAt()).as("after five minutes")
        .isBetween(5L * MINUTE, 5L * MINUTE + 5 * SECOND);
    assertThat(courses.get(2).driverAt()).isGreaterThanOrEqualTo(courses.get(1).executorAt());
  }

  /** With a driver of 1 GB and executors of 1 GB, for a task of two minutes each. */
  private static Job job(int submitSecond, int executors, Job.Fate fate) {
    return job(submitSecond, 15, fate, new Program.Spark(GB, 1, executors, false, List.of(
        new Program.Stage(executors, 2 * MINUTE))));
  }

  private static Job job(int submitSecond, int startUpSeconds, Program program) {
    return job(submitSecond, startUpSeconds, WELL, program);
  }

  private static Job job(int submitSecond, int startUpSeconds, Job.Fate fate, Program program) {
    return new Job("job-" + submitSecond, "ANY", "user", submitSecond * (long) SECOND, 0, GB,
        startUpSeconds * (long) SECOND, fate, program);
  }

  private static long rounded(long memory) {
    return (memory + 255) / 256 * 256;
  }

  /** A queue with half of the cluster. */
  private static Configuration half(String maximumCapacity) {
    Configuration half = new Configuration(false);
    half.set("yarn.scheduler.capacity.root.queues", "batch,other");
    for (String queue : new String[] {"batch", "other"}) {
      half.set("yarn.scheduler.capacity.root." + queue + ".capacity", "50");
      half.set("yarn.scheduler.capacity.root." + queue + ".maximum-capacity", maximumCapacity);
    }
    return half;
  }

  private static Outcome run(SchedulerVariant setting, int clusterGb, Job... jobs) throws Exception {
    return Simulation.run(workload(clusterGb, jobs), QueueSetup.wholeCluster(), setting);
  }

  private static Workload workload(int clusterGb, Job... jobs) {
    return new Workload("test", "", List.of(jobs), clusterGb * GB, List.of(new Workload.Size(0, 1)));
  }
}
