// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** How often the expected start is right: what is counted, and the command. */
class ForecastStudyTest {

  @TempDir
  private Path folder;

  @Test
  void answersAreCountedByWhatCame() {
    List<ForecastAnswer> answers = List.of(new ForecastAnswer(1, true, 10, 20, 10),
        new ForecastAnswer(1, true, 10, 20, 20), new ForecastAnswer(1, true, 10, 20, 9.9),
        new ForecastAnswer(1, true, 10, 30, 30.1), new ForecastAnswer(2, false, 0, 0, 5),
        new ForecastAnswer(2, true, 0, 7, Double.POSITIVE_INFINITY));

    assertThat(ForecastStudy.Row.of("w", "s", 1, answers))
        .isEqualTo(new ForecastStudy.Row("w", "s", 1, 4, 4, 2, 1, 1, 10, 10));
    assertThat(ForecastStudy.Row.of("w", "s", 2, answers)).isEqualTo(
        new ForecastStudy.Row("w", "s", 2, 2, 1, 0, 0, 1, 7, Double.POSITIVE_INFINITY));
    assertThat(ForecastStudy.Row.of("w", "s", 5, answers).startIn()).isNaN();
  }

  @Test
  void commandAsksAllApplicationsOfABurst() throws Exception {
    StringWriter out = new StringWriter();
    int exit = Main.commandLine().setOut(new PrintWriter(out)).execute("--forecast-accuracy", "--workload",
        "burst", "--rounds", "1", "--settings", "max-starting = 4", "--processes", "1", "--out",
        folder.toString());

    assertThat(exit).isZero();
    assertThat(out.toString()).contains("burst        max-starting = 4             all");
    List<String> rows = Files.readAllLines(folder.resolve("forecast-accuracy.csv"));
    assertThat(rows).hasSize(7).first().asString().startsWith("workload,setting,place,asked,with_range");
    String[] all = rows.get(6).split(",");
    assertThat(all[2]).isEqualTo("all");
    int asked = Integer.parseInt(all[3]);
    int answered = Integer.parseInt(all[4]);
    assertThat(asked).isGreaterThan(1000);
    assertThat(answered).isBetween(asked / 2, asked);
    assertThat(Integer.parseInt(all[5]) + Integer.parseInt(all[6]) + Integer.parseInt(all[7]))
        .isEqualTo(answered);
    assertThat(Integer.parseInt(all[5])).as("within").isGreaterThan(answered * 2 / 3);
  }

  @Test
  void workloadsAreSummedUpForEachSetting() throws Exception {
    Plan plan = new Plan(List.of(Workloads.of("short", 1)), each -> QueueSetup.wholeCluster(),
        List.of(SchedulerVariants.tuned("max-starting", "4")));
    ForecastStudy study;
    try (Progress silent = new Progress(Progress.Kind.NONE, System.err, "simulations");
        Simulations simulations = new Simulations(1, silent)) {
      study = ForecastStudy.start(simulations, List.of(plan, plan), 60_000).await();
    }

    ForecastStudy.Row ofOne = study.rows().get(5);
    ForecastStudy.Row ofAll = study.rows().get(23);
    assertThat(study.rows()).hasSize(4 * 6);
    assertThat(ofOne.asked()).isPositive();
    assertThat(ofAll).isEqualTo(new ForecastStudy.Row("all", "all", ofOne.place(),
        2 * ofOne.asked(), 2 * ofOne.answered(), 2 * ofOne.within(), 2 * ofOne.earlier(),
        2 * ofOne.later(), ofOne.width(), ofOne.startIn()));
  }

  @Test
  void settingWithoutDripfeedIsRefused() {
    StringWriter err = new StringWriter();
    assertThat(Main.commandLine().setErr(new PrintWriter(err)).execute("--forecast-accuracy", "--settings",
        "AM limit 0.50", "--out", folder.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--settings", "'AM limit 0.50'");
  }
}
