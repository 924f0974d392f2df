// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import io.github.dripfeed.config.PolicyProperty;
import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.observe.HeldReason;
import io.github.dripfeed.observe.HeldReasons;
import io.github.dripfeed.observe.QueueReport;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Wait;
import io.github.dripfeed.yarn.QueueCompat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Makes the rows of one queue from its last report. What YARN knows of an application is read anew, without
 * a lock of the queue.
 *
 * @param <S> the applications of the queue
 */
final class QueueReader<S extends SchedulableEntity> {

  /** The most rows of one queue in a table, so that one long line does not hide the other queues. */
  static final int ROWS = 1000;

  private static final long UNKNOWN = -1;

  private final String path;
  private final CSQueue queue;
  private final QueueReport<S> report;

  QueueReader(CSQueue queue, QueueReport<S> report) {
    this.path = queue.getQueuePath();
    this.queue = queue;
    this.report = report;
  }

  void queue(Table table) {
    Map<State, Integer> counts = report.counts;
    Map<String, String> settings = report.configuration.inEffect();
    int accepted = counts.get(State.ACCEPTED);
    int forRoom = report.forRoom();
    StartForecast forecast = forecast();
    boolean known = forecast.isKnown();
    String most = settings.getOrDefault(PolicyProperty.MAX_STARTING.key(), "");
    table.add(path, most.equals(PolicyProperty.AUTO) ? most
            : settings.getOrDefault(PolicyProperty.STARTING_GROUP.key(), ""),
        accepted, counts.get(State.STARTING), counts.get(State.RUNNING), accepted - forRoom, forRoom,
        report.backingOff, report.notActivated, most,
        settings.getOrDefault(PolicyProperty.ORDER.key(), "fair"),
        settings.get(PolicyProperty.TAKE_BACK.key()), text(settings),
        text(report.configuration.changed()),
        known ? seconds(forecast.shortInterval()) : UNKNOWN,
        known ? seconds(forecast.longInterval()) : UNKNOWN, forecast.intervals());
  }

  private static String text(Map<String, String> settings) {
    return settings.entrySet().stream().map(one -> one.getKey() + " = " + one.getValue())
        .collect(Collectors.joining("; "));
  }

  /** How its first line moves; that of the default partition, if it has one. */
  private StartForecast forecast() {
    StartForecast forecast = StartForecast.NONE;
    for (AdmissionLineView<S> line : report.lines) {
      if (forecast.intervals() == 0 || line.partition.isEmpty()) {
        forecast = report.forecast(line);
      }
    }
    return forecast;
  }

  void starting(Table table) {
    report.starting.stream().filter(attempt -> attempt.state() == State.STARTING).limit(ROWS)
        .filter(attempt -> !table.isFull())
        .forEach(attempt -> starting(table, attempt));
  }

  private void starting(Table table, AttemptView<S> attempt) {
    long millis = Math.max(0, attempt.millisInState(report.now));
    int executors = attempt.facts().liveExecutors();
    int minExecutors = attempt.settings().minExecutors();
    int missing = Math.max(0, minExecutors - executors);
    boolean requests = attempt.facts().hasOutstandingRequest();
    String lacks = missing == 0 ? "" : (missing == 1 ? "1 executor" : missing + " executors")
        + (requests ? ", requested" : ", not requested");
    table.add(path, attempt.facts().partition(), described(attempt.item()).identity(),
        report.wall - millis, seconds(millis), seconds(attempt.settings().startingTimeout()), executors,
        minExecutors, lacks, yesOrNo(requests), seconds(attempt.startedBefore()),
        yesOrNo(attempt.takesSlot()));
  }

  void line(Table table) {
    HeldReasons<S> reasons = new HeldReasons<>(report, false);
    int rows = 0;
    for (AdmissionLineView<S> line : report.lines) {
      for (HeldReason<S> held : reasons.of(line, table.isFull() ? 0 : ROWS - rows)) {
        rows++;
        line(table, line, held);
      }
    }
  }

  private void line(Table table, AdmissionLineView<S> line, HeldReason<S> held) {
    Described app = described(held.attempt.item());
    boolean expected = held.isExpected();
    table.add(path, line.partition, held.place, app.identity(), app.priority(), app.waits(report.wall),
        held.code, held.arguments, held.reason == null ? app.diagnostics(held.code) : held.reason,
        app.driver(),
        expected ? seconds(held.forecast.earliest(held.place)) : UNKNOWN,
        expected ? secondsUp(held.forecast.latest(held.place)) : UNKNOWN,
        yesOrNo(line.reserved.contains(held.attempt.item())));
  }

  void pending(Table table) {
    QueueCompat.pendingApplications(queue).stream().limit(ROWS).filter(app -> !table.isFull())
        .map(Described::new).forEach(app -> table.add(path, app.identity(), app.waits(report.wall),
            Wait.AM_LIMIT, app.diagnostics(Wait.AM_LIMIT)));
  }

  private Described described(S item) {
    return new Described((SchedulerApplicationAttempt) item);
  }

  private static String yesOrNo(boolean holds) {
    return holds ? Wire.YES : Wire.NO;
  }

  private static long secondsUp(long millis) {
    return seconds(millis + TimeUnit.SECONDS.toMillis(1) - 1);
  }

  private static long seconds(long millis) {
    return TimeUnit.MILLISECONDS.toSeconds(millis);
  }
}
