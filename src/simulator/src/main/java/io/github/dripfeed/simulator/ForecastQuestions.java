// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.observe.HeldReason;
import io.github.dripfeed.observe.HeldReasons;
import io.github.dripfeed.observe.QueueReport;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Asks a queue when its waiting applications are expected to start, with the code that answers in a
 * ResourceManager, and waits for their starts. Used by the thread that simulates.
 */
final class ForecastQuestions {

  /** The places in the line that are asked. */
  static final Set<Integer> PLACES = Set.of(1, 2, 5, 10, 20);

  private record Open(long askedAt, int place, boolean known, long earliest, long latest) {

    ForecastAnswer answer(double startedAt) {
      return new ForecastAnswer(place, known, earliest, latest, (startedAt - askedAt) / 1000);
    }
  }

  private final CSQueue queue;
  private final StateAwareQueue<?> viewed;
  private final Map<ApplicationId, List<Open>> open = new HashMap<>();
  private final List<ForecastAnswer> answers = new ArrayList<>();

  /** @param queue a leaf queue with a policy of Dripfeed */
  ForecastQuestions(CSQueue queue) {
    this.queue = queue;
    this.viewed = StateAwareQueue.of(queue);
    if (viewed == null) {
      throw new IllegalArgumentException(queue.getQueuePath() + " has no policy of Dripfeed");
    }
  }

  void ask(long now) {
    ask(viewed, now);
  }

  private <S extends SchedulableEntity> void ask(StateAwareQueue<S> of, long now) {
    QueueReport<S> report = new QueueReport<>(of.report().policyName, of.configuration(), of.order(),
        queue, DripfeedRuntime.current().queueMemory(queue), now, now);
    HeldReasons<S> reasons = new HeldReasons<>(report, true);
    for (AdmissionLineView<S> line : report.lines) {
      for (HeldReason<S> held : reasons.of(line, HeldReasons.DETAILED)) {
        if (PLACES.contains(held.place)) {
          ask(held, now);
        }
      }
    }
  }

  private void ask(HeldReason<?> held, long now) {
    boolean known = held.isExpected();
    // Rounded to the outside, as it is shown.
    long earliest = known ? Math.floorDiv(held.forecast.earliest(held.place), 1000L) : 0;
    long latest = known ? -Math.floorDiv(-held.forecast.latest(held.place), 1000L) : 0;
    ApplicationId id = ((SchedulerApplicationAttempt) held.attempt.item()).getApplicationId();
    open.computeIfAbsent(id, application -> new ArrayList<>())
        .add(new Open(now, held.place, known, earliest, latest));
  }

  /** The driver of the application was allocated. */
  void started(ApplicationId id, long now) {
    List<Open> asked = open.remove(id);
    if (asked != null) {
      asked.forEach(question -> answers.add(question.answer(now)));
    }
  }

  /** All answers; who has not started by now never will. */
  List<ForecastAnswer> end() {
    open.values().forEach(asked ->
        asked.forEach(question -> answers.add(question.answer(Double.POSITIVE_INFINITY))));
    open.clear();
    return List.copyOf(answers);
  }
}
