// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What clusters have beside batches of Spark: {@code auto} is not behind a limit that people guess. */
class BesideTest {

  private static final long SECOND = 1000;
  private static final double MAKESPAN = 1.05;
  private static final double MEAN_WAIT = 1.10;

  static Stream<String> names() {
    return Workloads.BESIDE.stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void autoIsNotBehindAGuessedLimit(String name) throws Exception {
    Workload workload = Workloads.of(name, 1);
    assertThat(workload).isEqualTo(Workloads.of(name, 1)).isNotEqualTo(Workloads.of(name, 2));
    assertThat(workload.name()).isEqualTo(name);

    Outcome limit = run(workload, SchedulerVariants.amPercent(30));
    Outcome auto = run(workload, SchedulerVariants.auto());

    assertThat(limit.makespanSeconds()).as("some have to wait").isFinite();
    assertThat(limit.meanWaitSeconds()).isGreaterThan(60);
    assertThat(auto.makespanSeconds()).isLessThanOrEqualTo(MAKESPAN * limit.makespanSeconds());
    assertThat(auto.meanWaitSeconds()).isLessThanOrEqualTo(MEAN_WAIT * limit.meanWaitSeconds());
  }

  @Test
  void sessionsAreOpenedBeforeTheBurstAndUsedDuringIt() throws Exception {
    List<ApplicationTimes> all = underLimit("sessions").courses();
    List<ApplicationTimes> sessions = all.subList(0, 15);
    List<ApplicationTimes> burst = all.subList(15, all.size());

    assertThat(sessions).allMatch(session -> !session.wantsExecutors());
    assertThat(sessions).allSatisfy(session -> assertThat(session.executorAt())
        .isGreaterThan(burst.get(burst.size() - 1).submittedAt() + 10 * 60 * SECOND));
    assertThat(burst).allMatch(ApplicationTimes::wantsExecutors)
        .anyMatch(late -> late.driverAt() > sessions.get(0).executorAt());
  }

  @Test
  void everyLauncherSubmitsTwo() throws Exception {
    assertThat(underLimit("launchers").courses()).hasSize(60)
        .filteredOn(ApplicationTimes::wantsExecutors).hasSize(40);
  }

  @Test
  void driversAloneWantNothing() {
    assertThat(Workloads.of("driver-only", 1).jobs()).hasSize(180)
        .filteredOn(Job::wantsExecutors).hasSize(60);
  }

  @Test
  void startUpIsLongerThanTheWork() throws Exception {
    Workload slow = Workloads.of("slow-start", 1).on(40, 8192);

    assertThat(run(slow, SchedulerVariants.amPercent(100)).courses()).allSatisfy(course -> {
      assertThat(course.executorAt() - course.driverAt()).isBetween(60 * SECOND, 65 * SECOND);
      assertThat(course.endedAt() - course.executorAt()).isLessThan(60 * SECOND);
    });
  }

  @Test
  void driversRunOnTheirLabelAndExecutorsAnywhere() throws Exception {
    Workload labels = Workloads.of("labels", 1);

    assertThat(run(labels, SchedulerVariants.amPercent(100)).utilisation())
        .as("of all nodes; those without the label are five of eight").isGreaterThan(0.7);

    assertThat(labels.jobs()).allMatch(job -> job.labels().equals(new Job.Labels("CORE", "")));
    assertThat(labels.nodes().label()).isEqualTo(new Workload.Label("CORE", true, 3));
  }

  @Test
  void oneAttemptIsAllThatAnybodyHas() throws Exception {
    Workload workload = Workloads.of("one-attempt", 1);

    assertThat(workload.jobs()).allMatch(job -> job.attempts() == 1);
    assertThat(run(workload, SchedulerVariants.auto()).failed()).isZero();
  }

  @Test
  void steadyArrivalsAreSpreadOverQueues() throws Exception {
    Workload one = Workloads.of("steady", 1);
    Workload spread = Workloads.steadyTenants(200, 1);

    assertThat(spread.jobs()).extracting(Job::submitMillis)
        .isEqualTo(one.jobs().stream().map(Job::submitMillis).toList());
    assertThat(spread.jobs()).extracting(Job::user).filteredOn("u1"::equals).hasSizeBetween(15, 45);
    assertThat(Set.copyOf(spread.jobs().stream().map(Job::user).toList())).hasSizeGreaterThan(30);
    assertThat(spread.jobs()).filteredOn(job -> job.program() instanceof Program.Launcher).isNotEmpty()
        .allSatisfy(job -> assertThat(((Program.Launcher) job.program()).jobs()).hasSize(2)
            .allMatch(step -> step.user().equals(job.user())));
    assertThat(Simulation.run(spread, QueueSetup.ofUsers(Workloads.users(200)),
        SchedulerVariants.autoOfTenants()).makespanSeconds()).isFinite();
  }

  @Test
  void executorsWantManyCoresAndFewInTurns() throws Exception {
    Workload vcores = Workloads.of("burst", 1).withVcores();

    assertThat(vcores.nodes()).isEqualTo(new Workload.Nodes(8192, 8, Workload.Label.NONE));
    assertThat(vcores.withVcores()).isSameAs(vcores);
    Program.Spark few = (Program.Spark) vcores.jobs().get(0).program();
    Program.Spark many = (Program.Spark) vcores.jobs().get(1).program();
    assertThat(few).isEqualTo(((Program.Spark) Workloads.of("burst", 1).jobs().get(0).program())
        .withVcores(memory -> 1));
    assertThat(many.vcores()).isEqualTo(2);
    assertThat(many.cores()).isEqualTo(1);
    assertThat(new Workload("one", "", List.of(one(2048), one(8192)), 6 * 1024, vcores.sizes())
        .withVcores().jobs()).as("no more than a node has").extracting(
            job -> ((Program.Tasks) job.program()).waves().get(0).get(0).vcores()).containsExactly(1, 6);
    assertThat(run(vcores, SchedulerVariants.auto()).makespanSeconds()).as("cores are short")
        .isGreaterThan(1.2 * run(Workloads.of("burst", 1), SchedulerVariants.auto()).makespanSeconds());
  }

  private static Job one(int memory) {
    return new Job("one", "TASKS", "user", 0, 0, 512, 1000, new Job.Fate.Well(),
        new Program.Tasks(List.of(List.of(new Program.Task(memory, 1000)))));
  }

  private static Outcome underLimit(String name) throws Exception {
    return run(Workloads.of(name, 1), SchedulerVariants.amPercent(30));
  }

  private static Outcome run(Workload workload, SchedulerVariant setting) throws Exception {
    return Simulation.run(workload, QueueSetup.wholeCluster(), setting);
  }
}
