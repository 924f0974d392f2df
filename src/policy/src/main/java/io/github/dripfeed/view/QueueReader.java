// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import io.github.dripfeed.config.PolicyProperty;
import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.observe.HeldReason;
import io.github.dripfeed.observe.HeldReasons;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.observe.StateAwareQueueMetrics;
import io.github.dripfeed.runtime.DripfeedRuntime;
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
 * Reads the rows of one queue. It walks the order's own lists, which need no lock of the queue, and takes
 * no lock of its own.
 *
 * @param <S> the applications of the queue
 */
final class QueueReader<S extends SchedulableEntity> {

  /** The most rows of one queue in a table, so that one long line does not hide the other queues. */
  static final int ROWS = 1000;

  private static final long UNKNOWN = -1;

  private final String path;
  private final CSQueue queue;
  private final StateAwareQueue<S> viewed;
  private final DripfeedRuntime runtime;
  private final long now;
  private final long wall;

  QueueReader(CSQueue queue, StateAwareQueue<S> viewed, DripfeedRuntime runtime) {
    this.path = queue.getQueuePath();
    this.queue = queue;
    this.viewed = viewed;
    this.runtime = runtime;
    this.now = runtime.clock().monotonicMillis();
    this.wall = runtime.clock().wallMillis();
  }

  void queue(Table table) {
    Map<State, Integer> counts = viewed.order().counts();
    Map<String, String> settings = viewed.configuration().inEffect();
    int accepted = counts.get(State.ACCEPTED);
    int forRoom = StateAwareQueueMetrics.forRoom(viewed.order().waiting(now), accepted);
    StartForecast forecast = forecast();
    boolean known = forecast.isKnown();
    String most = settings.getOrDefault(PolicyProperty.MAX_STARTING.key(), "");
    table.add(path, most.equals(PolicyProperty.AUTO) ? most
            : settings.getOrDefault(PolicyProperty.STARTING_GROUP.key(), ""),
        accepted, counts.get(State.STARTING), counts.get(State.RUNNING), accepted - forRoom, forRoom,
        viewed.order().backingOff(now), QueueCompat.pendingApplications(queue).size(), most,
        settings.getOrDefault(PolicyProperty.ORDER.key(), "fair"),
        settings.get(PolicyProperty.TAKE_BACK.key()), text(settings),
        text(viewed.configuration().changed()),
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
    for (AdmissionLineView<S> line : viewed.order().lines(now)) {
      if (forecast.intervals() == 0 || line.partition.isEmpty()) {
        forecast = runtime.starts().forecast(queue, line.partition,
            line.waiting.isEmpty() ? 0 : line.waiting.get(0).millisInState(now));
      }
    }
    return forecast;
  }

  void starting(Table table) {
    int rows = 0;
    for (S item : viewed.order().items()) {
      AttemptView<S> attempt = viewed.order().view(item);
      if (attempt != null && attempt.state() == State.STARTING
          && (++rows > ROWS || !starting(table, attempt))) {
        return;
      }
    }
  }

  private boolean starting(Table table, AttemptView<S> attempt) {
    long millis = attempt.millisInState(now);
    int executors = attempt.facts().liveExecutors();
    int minExecutors = attempt.settings().minExecutors();
    int missing = Math.max(0, minExecutors - executors);
    String lacks = missing == 0 ? "" : (missing == 1 ? "1 executor" : missing + " executors")
        + (attempt.facts().hasOutstandingRequest() ? ", requested" : ", not requested");
    return table.add(path, attempt.facts().partition(), described(attempt.item()).identity(),
        wall - millis, seconds(millis), seconds(attempt.settings().startingTimeout()), executors,
        minExecutors, lacks, seconds(attempt.startedBefore()), yesOrNo(attempt.takesSlot()));
  }

  void line(Table table) {
    HeldReasons<S> reasons = new HeldReasons<>(viewed.policyName(),
        QueueCompat.pendingApplications(queue).size(), runtime.starts(), now, false);
    int rows = 0;
    for (AdmissionLineView<S> line : viewed.order().lines(now)) {
      for (HeldReason<S> held : reasons.of(line, table.isFull() ? 0 : ROWS - rows)) {
        rows++;
        line(table, line, held);
      }
    }
  }

  private void line(Table table, AdmissionLineView<S> line, HeldReason<S> held) {
    Described app = described(held.attempt.item());
    boolean expected = held.isExpected();
    table.add(path, line.partition, held.place, app.identity(), app.priority(), app.waits(wall),
        held.code, held.arguments, held.reason == null ? app.diagnostics(held.code) : held.reason,
        app.driver(),
        expected ? seconds(held.forecast.earliest(held.place)) : UNKNOWN,
        expected ? secondsUp(held.forecast.latest(held.place)) : UNKNOWN,
        yesOrNo(line.reserved.contains(held.attempt.item())));
  }

  void pending(Table table) {
    int rows = 0;
    for (SchedulerApplicationAttempt waiting : QueueCompat.pendingApplications(queue)) {
      Described app = new Described(waiting);
      if (++rows > ROWS || !table.add(path, app.identity(), app.waits(wall), Wait.AM_LIMIT,
          app.diagnostics(Wait.AM_LIMIT))) {
        return;
      }
    }
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
