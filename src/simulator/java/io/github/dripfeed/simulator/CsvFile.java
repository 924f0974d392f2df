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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** All outcomes, a line each: times in seconds, fractions from 0 to 1, empty for what never happened. */
final class CsvFile {

  private CsvFile() {
  }

  static void write(Results results, Path file) throws IOException {
    CSVFormat format = CSVFormat.RFC4180.builder().setRecordSeparator('\n').setHeader("workload",
        "round", "setting", "kind", "limit", "deadlocked_at", "applications", "ended", "makespan",
        "wait_mean", "wait_median", "wait_95", "wait_max", "turnaround_mean", "utilisation",
        "useful_utilisation", "stuck_share").get();
    try (CSVPrinter csv = format.print(Files.newBufferedWriter(file))) {
      for (Experiment study : results.all()) {
        for (int i = 0; i < study.rounds().size(); i++) {
          for (Outcome outcome : study.rounds().get(i).outcomes()) {
            line(csv, study.name(), i + 1, outcome);
          }
        }
      }
    }
  }

  private static void line(CSVPrinter csv, String workload, int round, Outcome outcome)
      throws IOException {
    SchedulerVariant setting = outcome.setting();
    csv.printRecord(workload, round, setting.name(), setting.kind().name().toLowerCase(Locale.ROOT),
        setting.kind().isStatic() ? setting.number() : "",
        outcome.isDeadlocked() ? outcome.deadlockedAt() / 1000.0 : "",
        outcome.courses().size(), outcome.ended(), number(outcome.makespanSeconds()),
        number(outcome.meanWaitSeconds()), number(outcome.waitSeconds(0.5)),
        number(outcome.waitSeconds(0.95)), number(outcome.waitSeconds(1)),
        number(outcome.meanTurnaroundSeconds()), number(outcome.utilisation()),
        number(outcome.usefulUtilisation()), number(outcome.stuckShare()));
  }

  private static String number(double value) {
    return Double.isInfinite(value) ? "" : String.format(Locale.ROOT, "%.3f", value);
  }
}
