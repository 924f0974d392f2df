// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload {@code scale}, with few nodes. */
class ScaleStudyTest {

  private static final int NODES = 20;
  private static final int JOBS = 30;
  private static final int QUEUES = 4;

  @TempDir
  private Path folder;

  @Test
  void costIsMeasuredForEachSetting() throws Exception {
    Workload workload = ScaleStudy.workload(NODES, JOBS, QUEUES, 1);
    ScaleStudy study;
    try (Progress silent = new Progress(Progress.Kind.NONE, System.err, "simulations");
        Simulations simulations = new Simulations(1, silent)) {
      study = ScaleStudy.start(simulations, workload, ScaleStudy.queues(workload, QUEUES),
          ScaleStudy.settings(QUEUES)).await();
    }

    assertThat(study.isAllEnded()).isTrue();
    assertThat(study.results()).hasSize(4).allSatisfy(result -> {
      assertThat(result.heapMb()).isPositive();
      assertThat(result.cpuSeconds()).isPositive().isLessThanOrEqualTo(result.seconds() * 1.1);
      assertThat(result.outcome().makespanSeconds()).isPositive().isFinite();
      // Of a dozen samples at this size: ProfileTest has what the share says.
      assertThat(result.dripfeedShare()).isBetween(0.0, 1.0);
    });
    assertThat(TextTable.of(study)).contains("30 jobs", "4 queues", "AM limit 0.20",
        "max-starting = 8", "auto, all queues");
    Path file = folder.resolve("scale.csv");
    CsvFile.writeScale(study, file);
    assertThat(Files.readAllLines(file)).hasSize(5).startsWith("setting,applications,ended,makespan,"
        + "wait_mean,wait_95,turnaround_mean,turnaround_95,"
        + "took,cpu,heap_mb,dripfeed_share,dripfeed_ms_per_second")
        .anyMatch(line -> line.matches("\"auto, all queues\",30,30(,[0-9.]+){10}"));
  }

  @Test
  void usersSubmitByZipfsLaw() throws Exception {
    Workload workload = ScaleStudy.workload(ScaleStudy.NODES, ScaleStudy.JOBS, ScaleStudy.QUEUES, 1);

    assertThat(workload.jobs()).hasSize(10_000);
    assertThat(workload.jobs().stream().map(Job::user).distinct()).hasSize(200);
    assertThat(workload.jobs().stream().filter(job -> job.user().equals("u1")).count())
        .isBetween(1_500L, 1_900L);
    assertThat(workload.jobs().get(9_999).submitMillis()).isEqualTo(30_219_000 / 128);
    assertThat(workload.sizes()).containsExactly(new Workload.Size(0, 4000));
  }
}
