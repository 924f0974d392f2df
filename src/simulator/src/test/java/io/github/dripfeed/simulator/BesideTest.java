// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

  private static Outcome underLimit(String name) throws Exception {
    return run(Workloads.of(name, 1), SchedulerVariants.amPercent(30));
  }

  private static Outcome run(Workload workload, SchedulerVariant setting) throws Exception {
    return Simulation.run(workload, QueueSetup.wholeCluster(), setting);
  }
}
