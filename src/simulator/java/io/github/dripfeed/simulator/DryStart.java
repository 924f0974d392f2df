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

import io.github.dripfeed.yarn.QueueCompat;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** Starts YARN once without nodes and applications, so mistakes come before the first simulation. */
final class DryStart {

  private DryStart() {
  }

  /**
   * The largest container that the queue allows, in MB.
   *
   * @throws IOException with YARN's reason in a line, if it does not start
   */
  static long largestContainer(QueueSetup queue, SchedulerVariant setting) throws IOException {
    VirtualTime time = new VirtualTime();
    try {
      Configuration properties = queue.with(setting);
      VirtualResourceManager rm = new VirtualResourceManager(properties, attempt -> { }, event -> { });
      try {
        queue.longestTimeoutMillis(properties);
        return QueueCompat.find(rm.scheduler(), queue.pathOf("")).getMaximumAllocation().getMemorySize();
      } finally {
        rm.stop();
      }
    } catch (RuntimeException | LinkageError e) {
      throw new IOException(reason(e), e);
    } finally {
      time.close();
    }
  }

  /** YARN wraps what went wrong several times. */
  private static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage();
    // A missing class is named by its message, but that it is missing by the exception alone.
    return message != null && message.trim().contains(" ") ? message : root.toString();
  }
}
