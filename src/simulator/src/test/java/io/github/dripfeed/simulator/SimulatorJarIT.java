// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.FinishedProcess;
import io.github.dripfeed.fixture.InstalledProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulator's jar, started in an empty folder where there is nothing but Java. */
class SimulatorJarIT {

  private static final String ROWS = "a\t0\t0\t9000000000\t0\t0\nb\t1\t1\t1\t0\t0\n";

  @TempDir
  private Path folder;
  @TempDir
  private Path temporary;
  private final String jar = System.getProperty("simulator.jar");
  private String output;

  /** With another Hadoop than the default one it is not built. */
  @BeforeEach
  void jarIsBuilt() {
    Assumptions.assumeFalse(jar.equals("none"));
  }

  @Test
  void traceIsReplayedInProcessesOfItsOwn() throws Exception {
    Files.writeString(folder.resolve("jobs.tsv"), ROWS);

    assertThat(run("--trace", "jobs.tsv", "--nodes", "2x16384", "--processes", "2", "--settings",
        "fifo, AM limit 0.50,max-starting = auto,Dripfeed")).as(output).isZero();

    for (String setting : List.of("fifo, AM limit 0.50", "max-starting = auto", "Dripfeed")) {
      assertThat(output.lines()).as(output).filteredOn(
          line -> line.startsWith("replay, round 1, " + setting + ": ")).hasSize(1);
    }
    assertThat(output.lines().filter(line -> line.startsWith("replay, round 1, "))).as(output).hasSize(3);
    assertThat(contents(folder)).containsExactlyInAnyOrder("jobs.tsv", "simulate");
    assertThat(contents(temporary)).isEmpty();
  }

  /** What the page, the charts and the CSV need is in the jar, too. */
  @Test
  void resultsAreWritten() throws Exception {
    Files.writeString(folder.resolve("jobs.tsv"), ROWS);

    assertThat(run("--trace", "jobs.tsv", "--nodes", "2x16384", "--processes", "1")).as(output).isIn(0, 1);

    assertThat(output).contains("2 recorded applications on 2 nodes", "Dripfeed never deadlocks");
    assertThat(contents(folder.resolve("simulate")))
        .containsExactlyInAnyOrder("report.html", "replay.svg", "results.csv", "ratios.csv");
    assertThat(Files.readString(folder.resolve("simulate/report.html"))).doesNotContain("${");
  }

  @Test
  void helpNamesTheDefaults() throws Exception {
    assertThat(run("--help")).isZero();
    assertThat(output.replaceAll("\\s+", " ")).contains("--trace", "Default: simulate.");
  }

  private static List<String> contents(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private int run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(InstalledProgram.java());
    command.addAll(List.of("-Djava.io.tmpdir=" + temporary, "-jar", jar));
    command.addAll(List.of(arguments));
    FinishedProcess process = FinishedProcess.of(
        new ProcessBuilder(command).directory(folder.toFile()), Duration.ofMinutes(5));
    output = process.output();
    return process.exitCode();
  }
}
