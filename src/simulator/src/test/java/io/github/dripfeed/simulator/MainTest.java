// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The simulator as an operator starts it, with a recording of two applications. */
class MainTest {

  private static final String TWO_JOBS = """
      {"job.start.ms": 0, "job.queue.name": "drip", "job.id": "one",
       "job.tasks": [{"duration.ms": 20000, "count": 4}]}
      {"job.start.ms": 1000, "job.queue.name": "drip", "job.id": "two",
       "job.tasks": [{"duration.ms": 10000, "count": 2}]}
      """;
  private static final String SCHEDULER = """
      <configuration>
      <property><name>yarn.scheduler.capacity.root.queues</name><value>drip,other</value></property>
      <property><name>yarn.scheduler.capacity.root.drip.capacity</name><value>50</value></property>
      <property><name>yarn.scheduler.capacity.root.other.capacity</name><value>50</value></property>
      </configuration>
      """;

  /** The third is not in the part that is replayed. */
  private static final String THREE_ROWS =
      "a\t10\t0\t9000000000\t0\t0\nb\t11\t1\t1\t0\t0\nc\t99\t88\t1\t0\t0\n";

  @TempDir
  private static Path all;
  private static final StringWriter ALL_OUT = new StringWriter();
  private static final StringWriter ALL_ERR = new StringWriter();
  private static int allExit;

  @TempDir
  private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** All variants, once for all that is written about them. */
  @BeforeAll
  static void replayUnderAllVariants() throws Exception {
    allExit = simulate(ALL_OUT, ALL_ERR, "--trace",
        Files.writeString(all.resolve("jobs.tsv"), THREE_ROWS).toString(), "--to", "99", "--scheduler",
        Files.writeString(all.resolve("capacity-scheduler.xml"), SCHEDULER).toString(), "--queue",
        "root.drip", "--nodes", "2x16384", "--max-executors", "2", "--start-up", "5", "--out",
        all.toString());
  }

  private static int simulate(StringWriter out, StringWriter err, String... args) {
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  private int simulate(String... args) {
    return simulate(out, err, args);
  }

  private String write(String name, String content) throws Exception {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  @Test
  void operatorsQueueIsReplayedUnderAllVariants() throws Exception {
    assertThat(ALL_ERR.toString()).isEmpty();
    assertThat(allExit).as(ALL_OUT.toString()).isIn(0, 1);
    assertThat(ALL_OUT.toString()).contains("2 recorded applications on 2 nodes", "as configured",
        "observed:     Dripfeed never deadlocks");
    assertThat(ALL_OUT.toString().lines()).allMatch(line ->
        line.length() <= 80 || line.startsWith("observed") || line.startsWith("NOT observed")
            || line.startsWith("Charts"));
    List<String> csv = Files.readAllLines(all.resolve("results.csv"));
    assertThat(csv).hasSize(1 + 1 + SchedulerVariants.all().size());
    assertThat(csv.get(0)).startsWith("workload,round,setting,kind");
    assertThat(csv).filteredOn(line -> line.startsWith("replay,1,Dripfeed,")).singleElement()
        .asString().contains(",2,2,");
    String page = Files.readString(all.resolve("report.html"));
    assertThat(page).contains("2 recorded applications", "as configured").doesNotContain("${");
    assertThat(Files.readString(all.resolve("replay.svg"))).startsWith("<svg").contains("makespan");
  }

  @Test
  void recordedQueueIsReplayedInItsPlace() throws Exception {
    int exit = simulate("--trace", write("trace.json", TWO_JOBS), "--scheduler",
        write("capacity-scheduler.xml", SCHEDULER), "--queue", "root.drip", "--nodes", "2x8192",
        "--settings", "as configured", "--processes", "1", "--out", folder.toString());

    assertThat(err.toString()).isEmpty();
    assertThat(exit).as(out.toString()).isZero();
    assertThat(out.toString())
        .matches("replay, round 1, as configured: makespan \\d+ s, mean wait \\d+ s\\R");
  }

  @Test
  void badInputIsNamedAndStopsTheRun() throws Exception {
    String trace = write("trace.json", TWO_JOBS);
    assertThat(simulate("--trace", trace, "--nodes", "many", "--out", folder.toString()))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--nodes", "many", "COUNTxMB");
    assertThat(simulate("--workload", "none", "--out", folder.toString()))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("no workload 'none'");
    assertThat(simulate("--trace", trace, "--scheduler", write("cs.xml", SCHEDULER), "--out",
        folder.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--scheduler needs --queue");
    assertThat(simulate("--trace", trace, "--scheduler", write("cs.xml", SCHEDULER), "--queue",
        "root.drip.none", "--out", folder.toString())).isNotZero();
    assertThat(err.toString()).contains("no application").contains("root.drip.none");
    assertThat(simulate("--trace", write("jobs.tsv", "job0\t1\t1\t2\t3\tfour\n"), "--out",
        folder.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("jobs.tsv, line 1: bytes of output = 'four'", "allowed");
    assertThat(simulate("--trace", "none.tsv", "--out", folder.toString()))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("none.tsv", "no such file");
    assertThat(simulate("--trace", trace, "--throughput", "0")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--throughput = '0'");
    assertThat(simulate("--trace", trace, "--from", "9", "--to", "9"))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--to after --from");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void waitAndTurnaroundStandBesideTheMakespan() throws Exception {
    assertThat(ALL_OUT.toString()).contains("2 recorded applications on 2 nodes",
        "Left out: 1 applications submitted before or after the part", "wait: for the first executor",
        "multiples of the static limit that is best");
    List<String> csv = Files.readAllLines(all.resolve("results.csv"));
    assertThat(csv.get(0)).contains("wait_mean,wait_median,wait_95", "turnaround_mean,turnaround_95",
        "makespan_ratio,wait_mean_ratio,wait_95_ratio,turnaround_mean_ratio,turnaround_95_ratio");
    assertThat(csv).allSatisfy(line -> assertThat(line.split(",", -1).length
        - (line.contains("\"") ? 1 : 0)).isEqualTo(23));
    assertThat(Files.readAllLines(all.resolve("ratios.csv"))).hasSize(csv.size())
        .startsWith("workload,rounds,setting,makespan,wait_mean,wait_95,turnaround_mean,turnaround_95")
        .anyMatch(line -> line.matches("replay,1,Dripfeed(,\\d+\\.\\d\\d){5}"));
    assertThat(Files.readString(all.resolve("report.html"))).contains(
        "<th>95% wait</th><th>to best</th>", "<th>95% turnaround</th>");
    assertThat(Files.readString(all.resolve("replay.svg"))).contains("wait for the first executor, mean",
        "wait for the first executor, which 95% of the applications do not exceed", "turnaround",
        "95% turnaround", "times the best static limit");
  }

  @Test
  void chartSaysWhatItsBarsAre() throws Exception {
    String picture = Files.readString(all.resolve("replay.svg"));

    assertThat(picture).contains(">Dripfeed, default<", ">Dripfeed, other settings<")
        .doesNotContain("rounds");
    // Above the charts, and once more beside the bare values below them.
    assertThat(picture)
        .containsPattern("(?s)>maximum-am-resource-percent<.*>0.05<.*>maximum-am-resource-percent<")
        .containsPattern("(?s)>max-parallel-apps<.*>max-parallel-apps<");
  }

  /** 60 s with a driver, and in one of them more memory for each virtual core than a node has. */
  @Test
  void executorsThatVirtualCoresMakeLargerThanANodeAreLeftOut() throws Exception {
    String app = "{\"id\":\"one\",\"queue\":\"batch\",\"startedTime\":0,\"launchTime\":1,"
        + "\"finishedTime\":60001,\"memorySeconds\":675840,\"vcoreSeconds\":240}";
    String other = app.replace("one", "other").replace("675840", "6758400");

    assertThat(simulate("--trace", write("apps.json", "{\"apps\":{\"app\":[" + app + "," + other + "]}}"),
        "--executor-vcores", "1", "--nodes", "2x16384", "--settings", "Dripfeed, fair", "--processes",
        "1", "--out", folder.toString())).as(err.toString()).isZero();

    assertThat(out.toString()).contains("Left out: 1 applications whose executors of --executor-vcores 1"
        + " would be too large: a node has 16384 MB", "replay, round 1, Dripfeed, fair: makespan");
  }

  @Test
  void selectedSettingsRunAlone() throws Exception {
    String trace = write("trace.json", TWO_JOBS);
    assertThat(simulate("--trace", trace, "--nodes", "2x8192", "--settings",
        "starting = auto,fifo, AM limit 0.05", "--processes", "1", "--out", folder.toString()))
        .as(err.toString()).isZero();
    assertThat(out.toString().lines().filter(line -> line.startsWith("replay, round 1, "))).hasSize(2)
        .anyMatch(line -> line.contains("max-starting = auto: makespan"))
        .anyMatch(line -> line.contains("fifo, AM limit 0.05: makespan"));
    assertThat(folder.resolve("report.html")).doesNotExist();
    assertThat(Files.readAllLines(folder.resolve("ratios.csv"))).as("multiples of the first named")
        .hasSize(3).contains("replay,1,max-starting = auto,1.00,1.00,1.00,1.00,1.00")
        .anyMatch(line -> line.matches("replay,1,\"fifo, AM limit 0.05\",1\\.\\d\\d,.*"));
    assertThat(simulate("--trace", trace, "--settings", "none", "--out", folder.toString()))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--settings", "'none'");
  }

  @Test
  void workloadWithoutTheSettingsIsSkipped() {
    assertThat(simulate("--workload", "replay-sls,tenants", "--to", "10", "--settings", "YuniKorn",
        "--processes", "1", "--out", folder.toString())).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .anyMatch(line -> line.startsWith("tenants") && line.contains("skipped"));
    assertThat(out.toString()).contains("replay-sls, round 1, YuniKorn StateAware: makespan");
    assertThat(simulate("--workload", "tenants", "--settings", "YuniKorn", "--out", folder.toString()))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("'YuniKorn'");
  }
}
