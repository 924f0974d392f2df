// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/**
 * When attempts began to wait, as in {@link WaitingTime}, for readers that may take no lock of YARN. Of
 * first attempts YARN has it without a lock; of later ones it is what the monitor has read in its last
 * round. Keeps ids alone. Safe for use by any thread.
 */
public final class WaitingTimes {

  private volatile Map<ApplicationAttemptId, Long> ofLaterAttempts = Collections.emptyMap();

  /** What one round reads. */
  public final class Round {

    private final Map<ApplicationAttemptId, Long> read = new HashMap<>();

    /** An attempt waits. */
    public void add(SchedulerApplicationAttempt app) {
      ApplicationAttemptId id = app.getApplicationAttemptId();
      if (id.getAttemptId() > 1) {
        Long known = ofLaterAttempts.get(id);
        read.put(id, known == null || known <= 0 ? (Long) WaitingTime.since(app) : known);
      }
    }

    public void end() {
      ofLaterAttempts = read.isEmpty() ? Collections.<ApplicationAttemptId, Long>emptyMap() : read;
    }
  }

  public Round round() {
    return new Round();
  }

  /**
   * The time at which the wait of the attempt began, in milliseconds since 1970; 0 if it is not known.
   * Takes no lock.
   */
  public long since(SchedulerApplicationAttempt app) {
    ApplicationAttemptId id = app.getApplicationAttemptId();
    if (id.getAttemptId() > 1) {
      return ofLaterAttempts.getOrDefault(id, 0L);
    }
    RMApp rmApp = RmApps.of(app);
    return rmApp == null ? 0 : rmApp.getSubmitTime();
  }
}
