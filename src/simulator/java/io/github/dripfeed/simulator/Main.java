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

public final class Main {
  public static void main(String[] args) throws Exception {
    java.util.List<Workload> ws = new java.util.ArrayList<>(Workloads.all(1));
    for (String a : args) {
      if (a.equals("large")) { ws = java.util.List.of(Workloads.large(1)); }
    }
    for (Workload w : ws) {
      if (args.length > 0 && !args[0].equals(w.name())) continue;
      for (Setting s : args.length > 1 ? Settings.all() : java.util.List.of(Settings.fifo(), Settings.amPercent(100), Settings.amPercent(50), Settings.maxParallel(8), Settings.dripfeed(), Settings.dripfeedFair())) {
        long t = System.nanoTime();
        Outcome o = Simulation.run(w, QueueSetup.wholeCluster(), s);
        System.out.printf("%-10s %-22s dead %7d ended %4d/%d mk %8.1f wait %8.1f p95 %8.1f turn %8.1f util %.2f useful %.2f stuck %.2f  virt %d s real %.1f s%n", w.name(), s.name(), o.deadlockedAt(), o.ended(), o.courses().size(), o.makespanSeconds(), o.meanWaitSeconds(), o.waitSeconds(0.95), o.meanTurnaroundSeconds(), o.utilisation(), o.usefulUtilisation(), o.stuckShare(), o.endMillis()/1000, (System.nanoTime()-t)/1e9);
      }
    }
    System.exit(0);
  }
}
