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

import org.apache.hadoop.yarn.api.records.Container;

/** How the driver of a registered attempt reacts to events. */
interface Driver {

  /** @param master for requests and for the end */
  void start(SimulatedMaster master);

  /** The process in an allocated container works now. */
  default void works(Container container) {
    throw new IllegalStateException("Asked for nothing, and got " + container);
  }

  /** An allocated container is lost for any reason; the driver did not release it. */
  default void lost(Container container) {
  }

  static Driver of(Program program) {
    if (program instanceof Program.Spark spark) {
      return new SparkDriver(spark);
    }
    if (program instanceof Program.Tasks tasks) {
      return new TaskDriver(tasks);
    }
    if (program instanceof Program.Launcher launcher) {
      return new LauncherDriver(launcher);
    }
    Program.DriverOnly alone = (Program.DriverOnly) program;
    return master -> master.after(alone.millis(), master::finish);
  }
}
