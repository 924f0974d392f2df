// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/**
 * When attempts began to wait for their drivers, as their users count: at their submission or, if they had
 * a driver before, at the end of their previous attempt. YARN's state store keeps both times, so the wait
 * goes on where a restart or failover begins the order of the queue anew.
 *
 * <p>An object of this class is for readers that may take no lock of YARN. Of first attempts YARN has the
 * time without a lock; of later ones it is what the monitor has read in its last round. Keeps ids alone.
 * Safe for use by any thread.
 */
public final class WaitingTimes {

  private volatile Map<ApplicationAttemptId, Long> ofLaterAttempts = Collections.emptyMap();

  /**
   * The time at which the wait of the attempt began, in milliseconds since 1970; 0 if YARN does not know
   * it. Takes locks of YARN's applications for a moment, so it is not for readers within locks of others,
   * such as that of the metrics system.
   */
  public static long read(SchedulerApplicationAttempt app) {
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

  /** Reads anew, of all attempts that wait. */
  public void readAll(Iterable<? extends SchedulerApplicationAttempt> waiting) {
    Map<ApplicationAttemptId, Long> read = new HashMap<>();
    for (SchedulerApplicationAttempt app : waiting) {
      ApplicationAttemptId id = app.getApplicationAttemptId();
      if (id.getAttemptId() > 1) {
        long known = ofLaterAttempts.getOrDefault(id, 0L);
        read.put(id, known <= 0 ? read(app) : known);
      }
    }
    ofLaterAttempts = read;
  }

  /** The same as {@link #read}, without a lock; 0 if it is not known. */
  public long since(SchedulerApplicationAttempt app) {
    ApplicationAttemptId id = app.getApplicationAttemptId();
    if (id.getAttemptId() > 1) {
      return ofLaterAttempts.getOrDefault(id, 0L);
    }
    RMApp rmApp = RmApps.of(app);
    return rmApp == null ? 0 : rmApp.getSubmitTime();
  }
}
