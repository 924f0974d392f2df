// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.wire.Wire;
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
  private final long time;
  private final String takenBack;
  private final WeakReference<RMApp> application;

  /**
   * Reads what is known without a lock.
   *
   * @param time in milliseconds since 1970
   */
  EndedAttempt(AttemptView<?> view, SchedulerApplicationAttempt app, long now, long time) {
    this.label = AttemptLabel.of(app);
    this.from = view.state();
    this.millis = view.millisInState(now);
    this.time = time;
    this.takenBack = view.isTakenBack() ? view.takeBacks().reason() : null;
    this.application = new WeakReference<>(RmApps.of(app));
  }

  boolean wasStarting() {
    return from == State.STARTING;
  }

  /** Asks YARN for the reason. */
  StateEvent event(long sequence) {
    Event code = takenBack == null ? Event.ENDED : Event.TAKEN_BACK;
    String details = takenBack == null ? "" : takenBack;
    try {
      RMApp known = takenBack == null ? application.get() : null;
      RMAppAttempt attempt = known == null ? null : known.getRMAppAttempt(label.id());
      if (attempt != null) {
        details = UserText.plain(attempt.getDiagnostics().trim());
        code = code(attempt);
      }
    } catch (RuntimeException | LinkageError e) {
      // It has ended, for a reason that cannot be read.
    }
    return new StateEvent(sequence, time, label, from.name(), Wire.ENDED, code, details, millis);
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
