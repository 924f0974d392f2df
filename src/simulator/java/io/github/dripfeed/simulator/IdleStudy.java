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

/**
 * What the drip costs where there is room for all: many applications come at once to a big idle queue,
 * and start one after the other.
 *
 * @param rows by the time that drivers take to start up
 */
record IdleStudy(int applications, List<Row> rows) {

  private static final int APPLICATIONS = 50;
  private static final int[] START_UP_SECONDS = {5, 10, 20, 30, 45, 60};
  private static final Setting STOCK = Settings.amPercent(100);

  /**
   * When the last application had its first executor, in seconds from the submission of all.
   *
   * @param dripfeed as it comes
   * @param four with {@code max-starting} = 4
   * @param ten with {@code max-starting} = 10
   */
  record Row(int startUpSeconds, double stock, double dripfeed, double four, double ten) {

    /** How much longer each application but the first has to wait for the one before it. */
    double secondsEach(int applications) {
      return (dripfeed - stock) / (applications - 1);
    }
  }

  static IdleStudy run() throws Exception {
    List<Row> rows = new ArrayList<>();
    for (int seconds : START_UP_SECONDS) {
      rows.add(new Row(seconds, last(seconds, STOCK), last(seconds, Settings.dripfeed()),
          last(seconds, Settings.tuned("max-starting", "4")),
          last(seconds, Settings.tuned("max-starting", "10"))));
    }
    return new IdleStudy(APPLICATIONS, rows);
  }

  private static double last(int startUpSeconds, Setting setting) throws Exception {
    return Simulation.run(Workloads.idleCluster(APPLICATIONS, startUpSeconds),
        QueueSetup.wholeCluster(), setting).lastExecutorSeconds();
  }
}
