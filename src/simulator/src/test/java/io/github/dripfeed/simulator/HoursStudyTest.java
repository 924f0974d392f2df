// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The hours of a trace: which count, on which cluster, and the command. */
class HoursStudyTest {

  @TempDir
  private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int simulate(String... args) {
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  /** A job every ten seconds, from 1,990 s on: 161 of them in the first hour. */
  private String trace(int jobs) throws Exception {
    String rows = IntStream.range(0, jobs)
        .mapToObj(i -> "job" + i + "\t" + (1990 + 10 * i) + "\t10\t0\t0\t0")
        .collect(Collectors.joining("\n"));
    return Files.writeString(folder.resolve("trace.tsv"), rows).toString();
  }

  @Test
  void busyHoursRunUnderAllLimits() throws Exception {
    int exit = simulate("--hours", "--trace", trace(200), "--nodes", "20x8192", "--shortest-task", "60",
        "--driver-memory", "1024", "--processes", "1", "--out", folder.toString());

    assertThat(exit).as(err.toString()).isZero();
    List<String> csv = Files.readAllLines(folder.resolve("hours.csv"));
    assertThat(csv).hasSize(2).startsWith("hour,jobs,nodes,busy,makespan_best,makespan_am_limit_0.30,"
        + "makespan_auto,wait_mean_best,wait_mean_am_limit_0.30,wait_mean_auto");
    String[] hour = csv.get(1).split(",");
    assertThat(hour[0]).isEqualTo("hour-0");
    assertThat(hour[1]).isEqualTo("161");
    assertThat(hour[2]).as("161 times 1 GB for 80 s and 4 GB for a minute, in 1,680 s").isIn("5", "6");
    assertThat(Double.parseDouble(hour[3])).isBetween(0.6, 0.9);
    assertThat(Double.parseDouble(hour[4])).isBetween(1650.0, 1900.0);
    assertThat(Double.parseDouble(hour[5])).as("limit 0.30 is one of those").isBetween(1.0, 2.0);
    assertThat(out.toString()).contains("mean wait, auto to limit 0.30", "1 of 1 at most 1.02");
  }

  @Test
  void fileThatHasNoBusyHourIsRefused() throws Exception {
    assertThat(simulate("--hours", "--trace", trace(150), "--out", folder.toString()))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("no hour with more than 150 jobs");
    assertThat(simulate("--hours", "--out", folder.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--hours wants --trace");
    assertThat(simulate("--hours", "--trace", trace(200), "--settings", "none", "--out", folder.toString()))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("no setting has 'none'");
    assertThat(simulate("--hours", "--trace", trace(200), "--forecast-accuracy")).isNotZero();
    assertThat(err.toString()).contains("neither --forecast-accuracy nor --dominant");
  }

  @Test
  void clusterIsFoundByHowMuchOfItIsUsed() {
    assertThat(found(10, nodes -> Math.min(1, 30.0 / nodes))).as("30 nodes' work").isBetween(34, 50);
    assertThat(found(500, nodes -> Math.min(1, 30.0 / nodes))).isBetween(34, 50);
    assertThat(found(6, nodes -> 0.3 / nodes)).as("not even one is busy").isEqualTo(1);
    assertThat(found(6, nodes -> nodes < 5 ? 0.95 : 0.55)).as("no number between").isEqualTo(5);
  }

  private static int found(int begin, IntToDoubleFunction used) {
    ClusterSearch search = new ClusterSearch(Workloads.of("burst", 1).on(begin, 8192));
    while (!search.isOver()) {
      assertThat(search.tried().sizes()).containsExactly(new Workload.Size(0, search.nodes()));
      search.learn(used.applyAsDouble(search.nodes()));
    }
    assertThat(search.busy()).isEqualTo(used.applyAsDouble(search.nodes()));
    return search.nodes();
  }
}
