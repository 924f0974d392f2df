// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.yarn.QueueCompat;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt.AMState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Writes why an application waits for its driver into its AM launch diagnostics, which {@code yarn
 * application -status}, the web page and the REST API show. Used by the monitor's thread.
 *
 * @param <S> the applications of the queue
 */
public final class HeldDiagnostics<S extends SchedulableEntity> {

  /**
   * The time between two updates, in milliseconds. The reader is a person, and each update allocates
   * strings.
   */
  private static final long INTERVAL = 5000;

  private Long lastTime;

  /** Writes the reasons, if it is time again. */
  public void update(QueueReport<S> report) {
    long now = report.now;
    if (lastTime != null && now - lastTime < INTERVAL) {
      return;
    }
    boolean isFirst = lastTime == null;
    // Many policies are new at once, after a refresh. Their work is spread over the rounds.
    lastTime = isFirst ? now - Math.floorMod(report.path.hashCode(), INTERVAL) : now;
    if (report.configuration.settings().isEnforced()) {
      HeldReasons<S> reasons = new HeldReasons<>(report, true);
      report.lines.forEach(line -> reasons.of(line, Integer.MAX_VALUE).forEach(this::update));
    } else if (isFirst) {
      report.lines.forEach(line -> {
        line.waiting.forEach(HeldDiagnostics::clear);
        line.stalled.forEach(HeldDiagnostics::clear);
      });
    }
  }

  /** Removes the reasons of applications whose queue has another policy now; it may be null. */
  static void clear(Queue queue) {
    Object policy = QueueCompat.orderingPolicy(queue);
    if (policy instanceof OrderingPolicy) {
      ((OrderingPolicy<?>) policy).getSchedulableEntities().forEach(HeldDiagnostics::clear);
    }
  }

  private static void clear(AttemptView<?> attempt) {
    attempt.notes().setSummary(null);
    clear(attempt.item());
  }

  /** Removes the reason of an application that is held no longer. YARN does so itself with its driver. */
  private static void clear(Object item) {
    SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) item;
    if (app.isWaitingForAMContainer() && !app.isStopped()) {
      app.updateAMContainerDiagnostics(AMState.ACTIVATED, null);
    }
  }

  /** A text that many applications share is written once, because each update allocates strings. */
  private void update(HeldReason<S> held) {
    AttemptView<S> attempt = held.attempt;
    String text = held.text();
    String summary = held.isShared() ? text : null;
    if (text != null && (summary == null || !summary.equals(attempt.notes().summary()))) {
      ((SchedulerApplicationAttempt) attempt.item())
          .updateAMContainerDiagnostics(AMState.ACTIVATED, text);
    }
    attempt.notes().setSummary(summary);
  }
}
