// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import java.util.Iterator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;

/**
 * The applications in YARN's own list, which its limit on drivers ({@code maximum-am-resource-percent})
 * does not let into the queue's order (docs/design.md#the-am-limit-comes-first). YARN does not report
 * them to the policy. The list is read on demand, and never by a scheduling thread.
 */
public final class PendingActivation {

  private static final PendingActivation NONE = new PendingActivation(0);

  private final int applications;

  private PendingActivation(int applications) {
    this.applications = applications;
  }

  /** @param queue may be null; then the result is empty */
  public static PendingActivation in(Queue queue) {
    if (queue == null) {
      return NONE;
    }
    int applications = 0;
    // A live view that may change during the walk; it needs no YARN lock.
    Iterator<?> pending = QueueCompat.pendingApplications(queue).iterator();
    while (pending.hasNext()) {
      pending.next();
      applications++;
    }
    return applications == 0 ? NONE : new PendingActivation(applications);
  }

  public int applications() {
    return applications;
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
