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
