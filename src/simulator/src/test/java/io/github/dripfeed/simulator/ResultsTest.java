// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written where nothing can be compared. */
class ResultsTest {

  static final ApplicationTimes ENDED = new ApplicationTimes("a", true, 0, 1000, 2000, 60_000, 1);
  static final ApplicationTimes NEVER = new ApplicationTimes("b", true, 0, 1000,
      Application.NEVER, Application.NEVER, 1);

  @TempDir
  private Path folder;

  static Outcome outcome(SchedulerVariant setting, boolean deadlocked,
      ApplicationTimes... courses) {
    return new Outcome("made up", setting, List.of(courses), deadlocked ? 5000 : Application.NEVER, 0.5,
        0.5, 0.1, 60_000, List.of());
  }

  static Results results(Function<SchedulerVariant, Outcome> outcomes) {
    Workload workload = new Workload("made up", "Made up", List.of(), 1024, List.of());
    return new Results(List.of(new Experiment(List.of(new WorkloadResult(workload,
        SchedulerVariants.all().stream().map(outcomes).toList(), 1)))), List.of(), null);
  }

  @Test
  void claimsSayThatUnderNoLimitAllEnd() throws Exception {
    Results results = results(setting -> setting.kind().isStatic() ? outcome(setting, true, NEVER)
        : outcome(setting, false, ENDED));
    Experiment study = results.studies().get(0);

    assertThat(study.first().bestStatic(Measure.MAKESPAN)).isEmpty();
    assertThat(study.fixes()).isEmpty();
    assertThat(results.claims()).extracting(Results.Claim::text).containsExactly(
        "Dripfeed never deadlocks, in one queue or in a group",
        "made up: no static limit lets all applications end, the default does");
    assertThat(results.claims()).allMatch(Results.Claim::observed);
    assertThat(TextTable.of(study)).contains("Under none of them all applications end.");
    CsvFile.writeRatios(results, folder.resolve("ratios.csv"));
    assertThat(Files.readAllLines(folder.resolve("ratios.csv"))).contains("made up,1,Dripfeed,,,,,");
    assertThat(Files.readString(new HtmlReport(folder).write(results))).contains("Made up");
  }

  /** The order of the fair limits differs, so they are no static limits to compare with. */
  @Test
  void limitsInFairOrderAreShownByTheirBest() throws Exception {
    Results results = results(setting -> outcome(setting, false, new ApplicationTimes("a", true, 0, 1000,
        2000, setting.kind() == SchedulerVariant.Kind.FAIR_AM_PERCENT
            ? (long) (1000 * (3 + Math.abs(setting.number() - 0.3))) : 60_000, 1)));
    Experiment study = results.studies().get(0);

    assertThat(TextTable.of(study)).contains("fair, AM limit 0.30", "of 32 static limits")
        .doesNotContain("fair, AM limit 0.25", "fair, AM limit 1.00");
    assertThat(study.medianRatio(SchedulerVariants.fairAmPercent(30))).isEqualTo(0.05);
    new HtmlReport(folder).write(results);
    assertThat(Files.readString(folder.resolve("made up.svg"))).contains("auto")
        .doesNotContain("fair, AM limit");
    CsvFile.writeOutcomes(results, folder.resolve("results.csv"));
    assertThat(Files.readString(folder.resolve("results.csv")))
        .contains("\"fair, AM limit 0.30\",fair_am_percent,0.3,");
  }

  @Test
  void resultSaysThatApplicationsFailed() {
    Results results = results(setting -> setting.name().equals("fifo, 64 at once")
        ? outcome(setting, false, ENDED, NEVER) : outcome(setting, false, ENDED));
    Experiment study = results.studies().get(0);

    assertThat(results.claims()).filteredOn(claim -> !claim.observed()).singleElement().satisfies(
        claim -> assertThat(claim.text()).startsWith("made up: every application succeeds")
            .contains("up to 1 did not"));
    assertThat(study.medianRatio(SchedulerVariants.maxParallel(64))).isInfinite();
    assertThat(TextTable.of(study)).contains("Up to 1 applications were refused by YARN");
  }
}
