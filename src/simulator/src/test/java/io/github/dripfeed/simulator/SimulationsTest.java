// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulations in processes of their own. */
class SimulationsTest {

  private static final QueueSetup QUEUE = QueueSetup.wholeCluster();

  private static final int APPLICATIONS = 20;

  private final Progress silent = new Progress(Progress.Kind.NONE, System.err, "simulations");

  /** A part of a burst, which still has to wait for room. */
  private static SimulationTask simulationOf(SchedulerVariant setting) {
    Workload all = Workloads.of("short", 1);
    List<Job> jobs = List.copyOf(all.jobs().subList(0, APPLICATIONS));
    return new SimulationTask(
        new Workload(all.name(), all.title(), jobs, all.nodeMemory(), all.sizes()), QUEUE, setting);
  }

  @Test
  void figuresAreTheSameInSeveralProcessesToTheDigit() throws Exception {
    List<SimulationTask> tasks = new ArrayList<>();
    for (SchedulerVariant setting : List.of(SchedulerVariants.fair(), SchedulerVariants.auto(),
        SchedulerVariants.maxParallel(64))) {
      tasks.add(simulationOf(setting));
    }

    List<Outcome> here = outcomes(1, tasks);

    // One of them runs two, one after the other.
    assertThat(outcomes(2, tasks)).isEqualTo(here);
  }

  private List<Outcome> outcomes(int processes, List<SimulationTask> tasks) throws Exception {
    try (Simulations simulations = new Simulations(processes, silent)) {
      List<Future<SimulationResult>> started = tasks.stream().map(simulations::start).toList();
      List<Outcome> outcomes = new ArrayList<>();
      for (Future<SimulationResult> each : started) {
        SimulationResult result = Simulations.await(each);
        assertThat(result.seconds()).isPositive();
        assertThat(result.heapMb()).isPositive();
        outcomes.add(result.outcome());
      }
      assertThat(simulations.pids()).hasSize(processes == 1 ? 0 : processes);
      return outcomes;
    }
  }

  @Test
  void freshProcessRunsOneSimulationToTheSameFigures() throws Exception {
    SimulationTask task = simulationOf(SchedulerVariants.fair());
    Outcome here = outcomes(1, List.of(task)).get(0);
    try (Simulations simulations = new Simulations(1, true, silent)) {
      List<Future<SimulationResult>> started =
          List.of(simulations.start(task), simulations.start(task));
      ProcessHandle first = onlyProcess(simulations);
      assertThat(Simulations.await(started.get(0)).outcome()).isEqualTo(here);
      ProcessHandle second = onlyProcess(simulations);
      assertThat(Simulations.await(started.get(1)).outcome()).isEqualTo(here);
      assertThat(second.pid()).isNotEqualTo(first.pid());
      first.onExit().get(30, TimeUnit.SECONDS);
      second.onExit().get(30, TimeUnit.SECONDS);
      assertThat(simulations.pids()).isEmpty();
    }
  }

  @Test
  void processThatDiesIsNamedWithItsSimulation() throws Exception {
    try (Simulations simulations = new Simulations(2, silent)) {
      Future<SimulationResult> started = simulations.start(simulationOf(SchedulerVariants.dripfeed()));
      ProcessHandle process = onlyProcess(simulations);
      process.destroyForcibly();
      assertThatThrownBy(() -> Simulations.await(started)).isInstanceOf(SimulationFailed.class)
          .hasMessageContaining("short, Dripfeed").hasMessageContaining("process " + process.pid())
          .hasMessageContaining("exit code 137");
      // The next one gets a new process.
      Future<SimulationResult> next = simulations.start(simulationOf(SchedulerVariants.fifo()));
      assertThat(Simulations.await(next).outcome().ended()).isEqualTo(APPLICATIONS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void simulationThatFailsIsNamedWithTheReason(int processes) throws Exception {
    SchedulerVariant bad = SchedulerVariants.tuned("max-starting", "0");
    try (Simulations simulations = new Simulations(processes, silent)) {
      assertThatThrownBy(() -> Simulations.await(simulations.start(simulationOf(bad))))
          .isInstanceOfSatisfying(SimulationFailed.class, failed -> {
            assertThat(failed).hasMessageContaining("short, max-starting = 0");
            assertThat(failed.details()).contains("max-starting = '0'", "at io.github.dripfeed");
          });
    }
  }

  /** Prints and fails where the simulation begins. */
  private static final class Failing extends ArrayList<Job> {

    private static final long serialVersionUID = 1;

    @Override
    public Iterator<Job> iterator() {
      System.err.println("a warning of YARN");
      throw new IllegalStateException("no application");
    }
  }

  @Test
  void whatTheProcessPrintedIsPartOfTheFailure() throws Exception {
    Workload workload = new Workload("failing", "", new Failing(), 1024, List.of());
    try (Simulations simulations = new Simulations(2, silent)) {
      assertThatThrownBy(() -> Simulations.await(simulations.start(
          new SimulationTask(workload, QUEUE, SchedulerVariants.fifo()))))
          .isInstanceOfSatisfying(SimulationFailed.class, failed -> {
            assertThat(failed).hasMessageContaining("failing, fifo").hasMessageContaining("no application");
            assertThat(failed.details()).contains("Its last output:", "a warning of YARN");
          });
    }
  }

  @Test
  void processesEndWithTheSimulations() throws Exception {
    ProcessHandle process;
    try (Simulations simulations = new Simulations(2, silent)) {
      simulations.start(new SimulationTask(Workloads.of(Workloads.LARGE, 1), QUEUE,
          SchedulerVariants.dripfeed()));
      process = onlyProcess(simulations);
      assertThat(process.isAlive()).isTrue();
    }
    process.onExit().get(30, TimeUnit.SECONDS);
  }

  private static ProcessHandle onlyProcess(Simulations simulations) throws Exception {
    while (simulations.pids().isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return ProcessHandle.of(simulations.pids().get(0)).orElseThrow();
  }

  @Test
  void progressNamesWhatRunsAndHowLongItStillTakes() {
    try (Progress progress = new Progress(Progress.Kind.NONE, System.err, "simulations")) {
      progress.planned(100);
      progress.planned(300);
      assertThat(progress.line()).matches("0 of 2 simulations done in 0:\\d\\d");
      Progress.Part part = progress.begin("burst, fifo", 100);
      progress.begin("fb-2009, Dripfeed", 300).reached(3_725_000, 7);
      assertThat(progress.line()).containsPattern("^0 of 2 simulations done in 0:\\d\\d, about \\d+:")
          .endsWith("left; now burst, fifo; fb-2009, Dripfeed at 1:02:05");
      part.end();
      assertThat(progress.line()).containsPattern("^1 of 2 simulations done in 0:\\d\\d, about")
          .endsWith("left; now fb-2009, Dripfeed at 1:02:05");
    }
  }

  @Test
  void progressIsALineInALogAndABarOnATerminal() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    AtomicInteger printed = new AtomicInteger();
    try (Progress lines = new Progress(Progress.Kind.LINES, new PrintStream(log, true), "simulations", 5)) {
      lines.planned(1);
      lines.begin("burst, fifo", 1);
      while (!log.toString().contains("now burst, fifo")) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      lines.print(printed::incrementAndGet);
    }
    assertThat(log.toString().lines()).allMatch(line -> line.startsWith("0 of "));
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    try (Progress bar = new Progress(Progress.Kind.BAR, new PrintStream(terminal, true), "simulations")) {
      bar.planned(60);
      bar.begin("burst", 60).reached(61_000, 30);
      while (!terminal.toString().contains("50%")) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      bar.print(printed::incrementAndGet);
      assertThat(printed).hasValue(2);
    }
    assertThat(terminal.toString()).contains("burst at 1:01", "\r\033[K");
  }
}
