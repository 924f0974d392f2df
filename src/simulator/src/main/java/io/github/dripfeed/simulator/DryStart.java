// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import io.github.dripfeed.fixture.Submission;
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
        return Submission.queue(rm.scheduler(), queue.pathOf("")).getMaximumAllocation().getMemorySize();
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
