// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * An experiment that is to run: workloads of one kind, each under all variants.
 *
 * @param queues those to which the applications of a workload are submitted
 */
record Plan(List<Workload> workloads, Function<Workload, QueueSetup> queues,
    List<SchedulerVariant> settings) {

  /** An experiment whose simulations run. */
  final class Started {

    private final List<List<Future<SimulationResult>>> rounds;

    private Started(List<List<Future<SimulationResult>>> rounds) {
      this.rounds = rounds;
    }

    /** Returns when all of its simulations have ended. */
    Experiment await() throws Exception {
      List<WorkloadResult> done = new ArrayList<>();
      for (int round = 0; round < rounds.size(); round++) {
        List<Outcome> outcomes = new ArrayList<>();
        double slowest = 0;
        for (Future<SimulationResult> started : rounds.get(round)) {
          SimulationResult result = Simulations.await(started);
          outcomes.add(result.outcome());
          slowest = Math.max(slowest, result.seconds());
        }
        done.add(new WorkloadResult(workloads.get(round), outcomes, slowest));
      }
      return new Experiment(done);
    }

    /** The simulations of a round, in the order of the variants. */
    List<Future<SimulationResult>> round(int number) {
      return rounds.get(number);
    }
  }

  Started start(Simulations simulations) {
    List<List<Future<SimulationResult>>> rounds = new ArrayList<>();
    for (Workload workload : workloads) {
      QueueSetup queue = queues.apply(workload);
      rounds.add(settings.stream()
          .map(setting -> simulations.start(new SimulationTask(workload, queue, setting))).toList());
    }
    return new Started(rounds);
  }
}
