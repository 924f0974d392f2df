// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;

/**
 * An application to submit.
 *
 * @param type YARN's application type
 * @param submitMillis the submission time
 * @param priority YARN's application priority
 * @param driverMemory in MB
 * @param startUpMillis from the allocation of its driver until the driver registers and requests
 */
record Job(String name, String type, String user, long submitMillis, int priority, int driverMemory,
    long startUpMillis, Fate fate, Program program) implements Serializable {

  /** What may go wrong before the driver requests anything. */
  sealed interface Fate extends Serializable {

    /** Nothing. */
    record Well() implements Fate {
    }

    /** The driver registers and requests nothing. Its user kills it after this time. */
    record Hangs(long millis) implements Fate {
    }

    /** The first attempts fail instead of registering, after their start-up time. */
    record Fails(int attempts) implements Fate {
    }
  }

  Job {
    if (driverMemory <= 0 || submitMillis < 0 || startUpMillis < 0) {
      throw new IllegalArgumentException("Not an application: " + name);
    }
  }

  /** Whether it ends with success, unless something goes wrong that is not its fate. */
  boolean isMeantToSucceed() {
    return fate instanceof Fate.Well
        || fate instanceof Fate.Fails fails && fails.attempts < Simulation.MAX_ATTEMPTS;
  }

  /** The size of the largest container that it requests, its driver included, in MB. */
  int largestContainer() {
    return Math.max(driverMemory, program.largestContainer());
  }

  /** Whether it wants containers besides its driver. */
  boolean wantsExecutors() {
    return program instanceof Program.Spark || program instanceof Program.Tasks;
  }
}
