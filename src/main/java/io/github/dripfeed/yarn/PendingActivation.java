/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.yarn;

import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * The applications in YARN's own list, which its limit on drivers ({@code maximum-am-resource-percent})
 * does not let into the queue's order (docs/design.md#the-am-limit-comes-first). YARN does not report
 * them to the policy. The list is read on demand, and never by a scheduling thread.
 */
public final class PendingActivation {

  private static final PendingActivation NONE = new PendingActivation(0, 0);

  private final int applications;
  private final long longestMillis;

  private PendingActivation(int applications, long longestMillis) {
    this.applications = applications;
    this.longestMillis = longestMillis;
  }

  /**
   * @param queue may be null; then the result is empty
   * @param wallMillis the wall clock, in milliseconds since 1970
   */
  public static PendingActivation in(Queue queue, LongSupplier wallMillis) {
    if (queue == null) {
      return NONE;
    }
    int applications = 0;
    long longest = 0;
    // A live view that may change during the walk; it needs no YARN lock.
    for (FiCaSchedulerApp app : QueueCompat.pendingApplications(queue)) {
      applications++;
      longest = Math.max(longest, WaitingTime.millis(app, wallMillis));
    }
    return new PendingActivation(applications, longest);
  }

  public int applications() {
    return applications;
  }

  /** The age of the oldest application in the list in milliseconds; 0 if the list is empty. */
  public long longestMillis() {
    return longestMillis;
  }

  /** The text for diagnostics; empty if none waits. */
  public String text() {
    return applications == 0 ? "" : "; " + summary();
  }

  /** How many wait, and for what. */
  public String summary() {
    return applications + (applications == 1 ? " waits" : " wait")
        + " in YARN's list for its limit on drivers (maximum-am-resource-percent)";
  }
}
