// SPDX-License-Identifier: Apache-2.0
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
    if (program instanceof Program.Session session) {
      return master -> master.after(session.idleMillis(), () -> master.run(of(session.work())));
    }
    Program.DriverOnly alone = (Program.DriverOnly) program;
    return master -> master.after(alone.millis(), master::finish);
  }
}
