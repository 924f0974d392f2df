/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import io.github.dripfeed.core.LineView;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt.AMState;

/**
 * Tells applications that wait for their driver why they do, in their AM launch diagnostics: what
 * {@code yarn application -status}, the web page and REST show. Used by the monitor's thread, but for
 * {@link #warn} and {@link #forget}.
 *
 * @param <S> the applications of the queue
 */
final class HeldDiagnostics<S> {

  /** How many at the head of a line are told their place anew each time. */
  static final int TOLD_IN_FULL = 50;
  /** How often, in milliseconds: people read it, and it costs YARN some strings. */
  static final long INTERVAL = 5000;

  private final String policy;
  private final Map<S, String> warnings = new ConcurrentHashMap<>();
  /** Weakly: nobody says so when the last of them is gone. */
  private Set<S> toldBriefly = Collections.newSetFromMap(new WeakHashMap<>());
  private Long lastTime;

  /** @param policy the name that people know it by */
  HeldDiagnostics(String policy) {
    this.policy = policy;
  }

  /** Something is wrong with what the application says of itself; it is told so with all else. */
  void warn(S entity, String warning) {
    warnings.put(entity, warning);
  }

  void forget(S entity) {
    warnings.remove(entity);
  }

  boolean isDue(long now) {
    return lastTime == null || now - lastTime >= INTERVAL;
  }

  void tell(List<LineView<S>> lines, long now) {
    lastTime = now;
    Set<S> briefly = Collections.newSetFromMap(new WeakHashMap<>());
    for (LineView<S> line : lines) {
      tellWaiting(line, briefly);
      for (S entity : line.stalled()) {
        if (!toldBriefly.contains(entity)) {
          tell(entity, "It was offered for longer than accepted-timeout and could not be placed; it"
              + " comes after all others");
        }
        briefly.add(entity);
      }
    }
    toldBriefly = briefly;
    for (Map.Entry<S, String> warning : warnings.entrySet()) {
      if (!((SchedulerApplicationAttempt) warning.getKey()).isWaitingForAMContainer()) {
        warnings.remove(warning.getKey());
      }
    }
  }

  private void tellWaiting(LineView<S> line, Set<S> briefly) {
    String why = null;
    int place = 0;
    for (S entity : line.waiting()) {
      place++;
      if (why == null) {
        why = why(line, entity);
      }
      if (place <= TOLD_IN_FULL) {
        tell(entity, place == 1 && line.starting().isEmpty()
            ? "It is next, and gets its driver as soon as there is room"
            : "Number " + place + in(line) + why);
      } else {
        if (!toldBriefly.contains(entity)) {
          tell(entity, "More than " + TOLD_IN_FULL + " applications are before it" + in(line));
        }
        briefly.add(entity);
      }
    }
  }

  private static String in(LineView<?> line) {
    return " in line" + (line.partition().isEmpty() ? "" : " for partition " + line.partition());
  }

  private static <S> String why(LineView<S> line, S next) {
    StringJoiner starting = new StringJoiner("; ");
    for (LineView.Starting<S> one : line.starting()) {
      starting.add(idOf(one.item) + " has been starting for " + seconds(one.millis) + " s (at most "
          + seconds(one.atMost) + " s)");
    }
    if (starting.length() == 0) {
      starting.add(idOf(next) + " is next, and waits for room");
    }
    return "; " + starting;
  }

  private static String idOf(Object entity) {
    return ((SchedulerApplicationAttempt) entity).getApplicationId().toString();
  }

  private static long seconds(long millis) {
    return TimeUnit.MILLISECONDS.toSeconds(millis);
  }

  private void tell(S entity, String why) {
    String warning = warnings.get(entity);
    ((SchedulerApplicationAttempt) entity).updateAMContainerDiagnostics(AMState.ACTIVATED,
        "Held by " + policy + ": " + why + "." + (warning == null ? "" : " " + warning + "."));
  }
}
