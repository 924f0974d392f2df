// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/**
 * How long an application has waited for its driver, as its user counts: from its submission or, if it
 * had a driver before, from the end of its previous attempt. YARN's state store keeps both times, so the
 * wait goes on where a restart or failover begins the order of the queue anew. Takes locks of YARN's
 * applications for a moment, so it is not for readers within locks of others, such as that of the metrics
 * system: these use {@link WaitingTimes}. Safe for use by any thread.
 */
public final class WaitingTime {

  private WaitingTime() {
  }

  /**
   * The time at which the wait of the attempt began, in milliseconds since 1970; 0 if YARN does not know
   * it.
   */
  public static long since(SchedulerApplicationAttempt app) {
    RMApp rmApp = RmApps.of(app);
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
