// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;

/** What a worker process tells the process that started it. */
sealed interface WorkerMessage extends Serializable {

  /** How far the simulation is. */
  record Reached(long virtualMillis, int ended) implements WorkerMessage {
  }

  /** The end of the simulation. */
  record Finished(SimulationResult result) implements WorkerMessage {
  }

  /** The simulation threw something. */
  record Failed(String message, String stackTrace) implements WorkerMessage {

    static Failed of(Throwable failure) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      return new Failed(String.valueOf(failure), trace.toString());
    }
  }
}
