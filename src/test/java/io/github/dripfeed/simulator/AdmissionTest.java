/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
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
  void blockedApplicationStartsWhenTheOneBeforeIsReady() throws Exception {
    Outcome outcome = run(SchedulerVariants.kueueBlocking(), 4, job(0, 1, WELL), job(1, 1, WELL));
    assertThat(outcome.isDeadlocked()).isFalse();
    ApplicationTimes first = outcome.courses().get(0);
    ApplicationTimes second = outcome.courses().get(1);
    assertThat(second.driverAt()).isBetween(first.executorAt(), first.executorAt() + 2 * SECOND);
    assertThat(second.submittedAt()).as("counted from its submission").isEqualTo(SECOND);
  }

  /** Three drivers and no room for an executor: the evicted ones come back after a minute. */
  @Test
  void driversWithoutExecutorsAreEvictedAfterFiveMinutes() throws Exception {
    Job[] jobs = {job(0, 2, WELL), job(4, 2, WELL), job(8, 2, WELL)};
    assertThat(run(SchedulerVariants.amPercent(100), 3, jobs).isDeadlocked()).isTrue();
    Outcome outcome = run(SchedulerVariants.kueueEvicting(), 3, jobs);
    assertThat(outcome.courses()).hasSize(3).allMatch(ApplicationTimes::isEnded);
    assertThat(outcome.courses()).extracting(ApplicationTimes::executorAt)
        .allMatch(at -> at > 5 * MINUTE);
  }

  @Test
  void evictionsThatLeadNowhereAreADeadlock() throws Exception {
    // They were admitted at once, and are so again after each back-off.
    Outcome outcome = run(SchedulerVariants.kueueEvicting(), 3,
        job(0, 2, WELL), job(0, 2, WELL), job(0, 2, WELL));
    assertThat(outcome.isDeadlocked()).isTrue();
    assertThat(outcome.courses()).as("each once, whether it waits or not").hasSize(3);
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
    Configuration half = new Configuration(false);
    half.set("yarn.scheduler.capacity.root.queues", "batch,other");
    for (String queue : new String[] {"batch", "other"}) {
      half.set("yarn.scheduler.capacity.root." + queue + ".capacity", "50");
      half.set("yarn.scheduler.capacity.root." + queue + ".maximum-capacity", "50");
    }

    Outcome outcome = Simulation.run(workload(8, job(0, 3, WELL), job(1, 3, WELL)),
        new QueueSetup(half, "root.batch"), SchedulerVariants.gangOfAll());

    assertThat(outcome.courses().get(1).driverAt())
        .isGreaterThanOrEqualTo(outcome.courses().get(0).endedAt());
  }

  @Test
  void claimIsWhatYarnAllocates() {
    Job job = new Job("odd", "SPARK", "user", 0, 0, 300, 0, WELL, new Program.Spark(GB + 1, 1, 2, false,
        List.of(new Program.Stage(2, MINUTE))));

    AdmissionRule rule = SchedulerVariants.gangOfAll().admission();

    assertThat(rule.claim(job, 0, 8 * GB, memory -> (memory + 255) / 256 * 256))
        .isEqualTo(512 + 2 * (GB + 256));
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
    return new Job("job-" + submitSecond, "SPARK", "user", submitSecond * (long) SECOND, 0, GB,
        15L * SECOND, fate, new Program.Spark(GB, 1, executors, false, List.of(
            new Program.Stage(executors, 2 * MINUTE))));
  }

  private static Outcome run(SchedulerVariant setting, int clusterGb, Job... jobs) throws Exception {
    return Simulation.run(workload(clusterGb, jobs), QueueSetup.wholeCluster(), setting);
  }

  private static Workload workload(int clusterGb, Job... jobs) {
    return new Workload("test", "", List.of(jobs), clusterGb * GB, List.of(new Workload.Size(0, 1)));
  }
}
