// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.yarn.RmApps;
import java.lang.ref.WeakReference;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/** An attempt that has ended, and where its reason can be asked for. */
final class EndedAttempt {

  private static final String NO_REASON = "it has ended";

  private final AttemptLabel label;
  private final State from;
  private final long millis;
  private final String takenBack;
  private final WeakReference<RMApp> application;
  private long time;

  /** Reads what is known without a lock. */
  EndedAttempt(AttemptView<?> view, SchedulerApplicationAttempt app, long now) {
    label = AttemptLabel.of(app);
    from = view.state();
    millis = view.millisInState(now);
    takenBack = view.isTakenBack() ? view.takeBacks().reason() : null;
    application = new WeakReference<>(RmApps.of(app));
  }

  EndedAttempt at(long wallMillis) {
    time = wallMillis;
    return this;
  }

  boolean wasStarting() {
    return from == State.STARTING;
  }

  long time() {
    return time;
  }

  AttemptLabel label() {
    return label;
  }

  /** The change, with the reason as YARN has it. */
  StateChange change() {
    return StateChange.ended(from, reason(), millis);
  }

  private String reason() {
    if (takenBack != null) {
      return "it was taken back: " + takenBack;
    }
    try {
      RMApp known = application.get();
      RMAppAttempt attempt = known == null ? null : known.getRMAppAttempt(label.id());
      return attempt == null ? NO_REASON : reason(attempt);
    } catch (RuntimeException | LinkageError e) {
      return NO_REASON;
    }
  }

  private static String reason(RMAppAttempt attempt) {
    String diagnostics = UserText.plain(attempt.getDiagnostics().trim());
    String details = diagnostics.isEmpty() ? "" : ": " + diagnostics;
    switch (attempt.getState()) {
      case FINISHED:
      case FINISHING:
        return "it has finished" + details;
      case KILLED:
        return "it was killed" + details;
      case FAILED:
        return "it failed" + details;
      default:
        return NO_REASON + details;
    }
  }
}
