/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
