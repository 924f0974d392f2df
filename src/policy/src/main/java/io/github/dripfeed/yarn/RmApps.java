// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/** Finds YARN's objects for an attempt. Safe for use by any thread. */
public final class RmApps {

  private RmApps() {
  }

  /** The application of an attempt; null if YARN does not know it, or not any more. Takes no lock. */
  public static RMApp of(SchedulerApplicationAttempt app) {
    RMContext context = app.getAppSchedulingInfo().getRMContext();
    return context == null ? null : context.getRMApps().get(app.getApplicationId());
  }

  /** YARN's own attempt behind that of the scheduler, whose application is known; null if it has none. */
  static RMAppAttempt attemptOf(SchedulerApplicationAttempt app) {
    // Not every version has getRMContext() on the attempt itself
    // (docs/design.md#signatures-differ-between-versions).
    return of(app).getRMAppAttempt(app.getApplicationAttemptId());
  }

  /** The partition of the container's node; null if the node is gone. */
  public static String partitionOf(SchedulerApplicationAttempt app, RMContainer container) {
    ResourceScheduler scheduler = app.getAppSchedulingInfo().getRMContext().getScheduler();
    SchedulerNode node =
        scheduler == null ? null : scheduler.getSchedulerNode(container.getAllocatedNode());
    return node == null ? null : node.getPartition();
  }

  /**
   * Whether YARN counts the attempt as a failure. For those that have ended: YARN waits for queues while it
   * holds the lock of another one.
   */
  public static boolean isFailure(RMApp app, int number) {
    RMAppAttempt attempt =
        app.getRMAppAttempt(ApplicationAttemptId.newInstance(app.getApplicationId(), number));
    return attempt != null && attempt.shouldCountTowardsMaxAttemptRetry();
  }

  /**
   * When the attempt began to wait for its driver, as its user counts: at its submission or, if there was
   * an attempt before, at the end of that one; in milliseconds since 1970, 0 if YARN does not know. YARN
   * keeps both times in its state store, so the wait goes on across restarts. Takes locks of YARN's
   * applications for a moment, so it is not for readers within locks of others, such as that of the metrics
   * system.
   */
  public static long waitsSince(SchedulerApplicationAttempt app) {
    RMApp rmApp = of(app);
    if (rmApp == null) {
      return 0;
    }
    ApplicationAttemptId id = app.getApplicationAttemptId();
    if (id.getAttemptId() <= 1) {
      return rmApp.getSubmitTime();
    }
    RMAppAttempt previous = rmApp.getRMAppAttempt(
        ApplicationAttemptId.newInstance(app.getApplicationId(), id.getAttemptId() - 1));
    if (previous != null && previous.getFinishTime() > 0) {
      return previous.getFinishTime();
    }
    RMAppAttempt attempt = rmApp.getRMAppAttempt(id);
    return attempt == null ? 0 : attempt.getStartTime();
  }
}
