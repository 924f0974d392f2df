// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.wire.Wire.Event;
import io.github.dripfeed.yarn.RmApps;
import java.lang.ref.WeakReference;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/** An attempt that has ended, and where its reason can be asked for. */
final class EndedAttempt {

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
    if (takenBack != null) {
      return ended(Event.TAKEN_BACK, takenBack);
    }
    try {
      RMApp known = application.get();
      RMAppAttempt attempt = known == null ? null : known.getRMAppAttempt(label.id());
      return attempt == null ? ended(Event.ENDED, "")
          : ended(code(attempt), UserText.plain(attempt.getDiagnostics().trim()));
    } catch (RuntimeException | LinkageError e) {
      return ended(Event.ENDED, "");
    }
  }

  private StateChange ended(Event code, String details) {
    return StateChange.ended(from, code, details, millis);
  }

  private static Event code(RMAppAttempt attempt) {
    switch (attempt.getState()) {
      case FINISHED:
      case FINISHING:
        return Event.FINISHED;
      case KILLED:
        return Event.KILLED;
      case FAILED:
        return Event.FAILED;
      default:
        return Event.ENDED;
    }
  }
}
