// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The option {@code --largest-container}: a number, or words that stand for one. */
class LargestContainerTest {

  private static final String OPTION = "--largest-container";
  /** Without a limit of the queue YARN allows what a node holds. */
  private static final int NODE = Integer.MAX_VALUE / 2;

  @TempDir
  private static Path folder;
  private static String trace;

  @Command
  private static final class Options {

    @Mixin
    private final ReplayOptions replay = new ReplayOptions();
  }

  /** Jobs whose containers have 1 GB, and of which a cluster of 8 GB does not hold all drivers. */
  @BeforeAll
  static void record() throws Exception {
    trace = Files.writeString(folder.resolve("jobs.json"), IntStream.range(0, 10).mapToObj(job ->
        "{\"job.start.ms\": " + 1000 * job + ", \"job.tasks\": [{\"duration.ms\": 60000, \"count\": 2}]}")
        .collect(Collectors.joining("\n"))).toString();
  }

  private static ReplayOptions options(String... typed) {
    Options options = new Options();
    new CommandLine(options).parseArgs(typed);
    options.replay.check(Workloads.NAMES, false);
    return options.replay;
  }

  private static Workload workload(ReplayOptions options, String name, long seed) {
    if (name.startsWith("tenants-")) {
      return Workloads.tenants(Integer.parseInt(name.substring("tenants-".length())), seed);
    }
    return options.example(name).map(recorded -> options.workload(recorded, name))
        .or(() -> FacebookTrace.of(name).map(options::workload))
        .orElseGet(() -> Workloads.of(name, seed));
  }

  private static int allowed(QueueSetup queues) {
    Configuration properties = queues.with(SchedulerVariants.auto());
    return properties.getInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, 0);
  }

  private static int allowed(ReplayOptions options, Workload workload) {
    return allowed(options.withLargestContainer(QueueSetup.wholeCluster(), workload));
  }

  @ParameterizedTest
  @CsvSource({"burst, 1024", "short, 1024", "steady, 2048", "mixed, 8192", "autoscaled, 2048",
      "replay-apps, 4096", "replay-sls, 2048", "fb-2009, 4096", "fb-2009-last, 4096", "fb-2010, 4096",
      "wide-4, 2048", "wide-20, 2048", "wide-50, 2048", "tenants-5, 2048", "tenants-200, 2048"})
  void askedIsTheLargestThatAnApplicationRequests(String name, int mb) {
    ReplayOptions asked = options(OPTION, "asked");
    for (long seed = 1; seed <= 3; seed++) {
      assertThat(allowed(asked, workload(asked, name, seed))).as("round " + seed).isEqualTo(mb);
    }
  }

  @Test
  void askedIsOfEachRound() {
    ReplayOptions asked = options(OPTION, "asked");
    List<Workload> rounds = IntStream.rangeClosed(1, 3)
        .mapToObj(seed -> Workloads.of("changing", seed)).toList();

    assertThat(rounds.stream().map(round -> allowed(asked, round))).containsExactly(16384, 14336, 16384);
    assertThat(asked.describeLargest(rounds)).hasValue(
        "changing: the largest container that is asked for has 16384, 14336, 16384 MB, round by round");
    assertThat(asked.describeLargest(rounds.subList(0, 1))).hasValue(
        "changing: the largest container that is asked for has 16384 MB");
    assertThat(options(OPTION, "16384").describeLargest(rounds)).isEmpty();
  }

  @Test
  void askedIsRoundedUpAsYarnDoes() {
    ReplayOptions asked = options(OPTION, "asked", "--executor-memory", "5000");

    assertThat(allowed(asked, workload(asked, "fb-2010", 1))).isEqualTo(5120);
  }

  @Test
  void applicationsOfALauncherCount() {
    Job step = new Job("step", "SPARK", "etl", 0, 0, 3072, 0, new Job.Fate.Well(),
        new Program.Spark(1024, 1, 1, false, List.of(new Program.Stage(1, 1000))));
    Job launcher = new Job("launcher", "LAUNCHER", "etl", 0, 0, 1024, 0, new Job.Fate.Well(),
        new Program.Launcher(List.of(step)));

    assertThat(allowed(options(OPTION, "asked"), new Workload("launchers", "", List.of(launcher), 8192,
        List.of(new Workload.Size(0, 1))))).isEqualTo(3072);
  }

  @ParameterizedTest
  @ValueSource(strings = {"burst", "wide-20", "fb-2009", "tenants-20"})
  void nodeAndNumberAreTheSameForEachWorkload(String name) {
    ReplayOptions node = options(OPTION, "node");
    ReplayOptions number = options(OPTION, "9000");
    Workload workload = workload(node, name, 1);

    assertThat(allowed(node, workload)).isEqualTo(NODE);
    assertThat(allowed(number, workload)).isEqualTo(9000);
    assertThat(allowed(options(), workload)).isEqualTo(name.startsWith("wide-") ? 8192 : NODE);
  }

  @Test
  void limitIsThatOfAllQueuesAndChangesNothingElse() {
    QueueSetup one = QueueSetup.ofUsers(Workloads.users(3));
    QueueSetup limited = one.withLargestContainer(2048);

    Configuration properties = limited.with(SchedulerVariants.fifo());
    one.with(SchedulerVariants.fifo()).forEach(each -> {
      boolean isLimit = each.getKey().equals(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB);
      assertThat(properties.getRaw(each.getKey())).as(each.getKey())
          .isEqualTo(isLimit ? "2048" : each.getValue());
    });
    assertThat(allowed(one)).as("is not changed itself").isEqualTo(NODE);
    assertThat(limited.pathOf("u3")).isEqualTo("root.tenants.u3");
  }

  /** Ten jobs on two nodes. */
  @Test
  void autoStartsAsManyWithoutIt() {
    String asked = simulate("asked").replaceFirst("(?m)^replay: .* has (\\d+) MB\\R", "");
    assertThat(asked).startsWith("replay, round 1, max-starting = auto: makespan");
    assertThat(List.of(simulate("node"), simulate("8192"), simulate("1024"))).containsOnly(asked);
  }

  @Test
  void forecastsRunWithIt() {
    assertThat(simulate("asked", "--forecast-accuracy"))
        .startsWith("replay: the largest container that is asked for has 1024 MB")
        .isNotEqualTo(simulate("node", "--forecast-accuracy"));
  }

  private String simulate(String largest, String... more) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] arguments = ArrayUtils.addAll(more, "--trace", trace, "--nodes", "2x8192", "--settings",
        "max-starting = auto", OPTION, largest, "--processes", "1", "--progress", "none", "--out",
        folder.toString());
    int exit = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
        .execute(arguments);
    assertThat(exit).as(err.toString()).isZero();
    return out.toString();
  }
}
