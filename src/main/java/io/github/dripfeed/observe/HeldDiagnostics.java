/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.WaitReason;
import io.github.dripfeed.core.takeback.TakeBackMemory;
import io.github.dripfeed.yarn.PendingActivation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt.AMState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * Writes why an application waits for its driver into its AM launch diagnostics, which {@code yarn
 * application -status}, the web page and the REST API show. Used by the monitor's thread.
 *
 * @param <S> the applications of the queue
 */
public final class HeldDiagnostics<S> {

  /** The number of applications at the front of a line whose position is updated each time. */
  public static final int DETAILED = 50;
  /** The number of starting applications that are named. */
  private static final int STARTING_SHOWN = 3;
  /**
   * The time between two updates, in milliseconds. The reader is a person, and each update allocates
   * strings.
   */
  public static final long INTERVAL = 5000;
  /** The time between the second updates of two queues with consecutive numbers, in milliseconds. */
  private static final long STEP = 1000;

  private static final String TAKEN_BACK = "It was taken back";

  private final String policy;
  private final IntSupplier numbers;
  private Long lastTime;

  /**
   * @param policy the name of the policy class, for messages
   * @param numbers returns the next number of a queue; queues with consecutive numbers are updated in
   *     different rounds
   */
  public HeldDiagnostics(String policy, IntSupplier numbers) {
    this.policy = policy;
    this.numbers = numbers;
  }

  public boolean isDue(long now) {
    return lastTime == null || now - lastTime >= INTERVAL;
  }

  /** @param notActivated the applications that YARN has not activated */
  public void update(List<AdmissionLineView<S>> lines, PendingActivation notActivated, long now) {
    // Many policies are new at once, after a refresh. Their work is spread over the rounds.
    lastTime = lastTime == null ? now - Math.floorMod(numbers.getAsInt() * STEP, INTERVAL) : now;
    for (AdmissionLineView<S> line : lines) {
      updateWaiting(line, notActivated.text(), now);
      for (AttemptView<S> attempt : line.stalled()) {
        updateSummary(attempt, attempt.isExhausted()
            ? "Earlier attempts of this application have used up its starting-timeout; it comes after all"
                + " others"
            : "Its driver could not be placed within accepted-timeout, or a later application got one"
                + " first; it comes after all others, except in short trials from time to time");
      }
    }
  }

  private void updateWaiting(AdmissionLineView<S> line, String notActivated, long now) {
    S next = null;
    int place = 0;
    // YARN skips an application only if it is offered; all others wait for a slot or for headroom.
    Set<String> atLimit = line.waitsFor() == WaitReason.OFFERED ? new HashSet<>() : null;
    for (AttemptView<S> attempt : line.waiting()) {
      if (attempt.isBackingOff(now)) {
        update(attempt, takenBack(attempt, now));
        continue;
      }
      place++;
      if (place <= DETAILED && next == null && atLimit != null && line.isSkipped(attempt)) {
        updateSkipped(attempt, atLimit);
      } else if (next == null) {
        next = attempt.item();
        update(attempt, ofNext(line) + notActivated);
      } else if (place <= DETAILED) {
        update(attempt, "Number " + place + in(line) + why(line, next) + notActivated);
      } else {
        updateSummary(attempt, "More than " + DETAILED + " applications are before it" + in(line)
            + "; the next waits for " + line.waitsForWhat());
      }
    }
  }

  /** For the first application of each user, YARN writes its own, exact diagnostics. */
  private void updateSkipped(AttemptView<S> attempt, Set<String> atLimit) {
    if (atLimit.add(appOf(attempt.item()).getUser())) {
      attempt.notes().setSummary(null);
    } else {
      update(attempt, "Its user has reached the user limit of the queue, so YARN skips it; it holds"
          + " back no other application");
    }
  }

  /** A text that many applications share is written once, because each update allocates strings. */
  private void updateSummary(AttemptView<S> attempt, String why) {
    String text = text(attempt, why);
    if (!text.equals(attempt.notes().summary())) {
      appOf(attempt.item()).updateAMContainerDiagnostics(AMState.ACTIVATED, text);
      attempt.notes().setSummary(text);
    }
  }

  private void update(AttemptView<S> attempt, String why) {
    appOf(attempt.item()).updateAMContainerDiagnostics(AMState.ACTIVATED, text(attempt, why));
    attempt.notes().setSummary(null);
  }

  private String text(AttemptView<S> attempt, String reason) {
    String warning = attempt.notes().warning();
    String why = attempt.takeBacks().times() == 0 || reason.startsWith(TAKEN_BACK) ? reason
        : reason + ". " + takenBack(attempt);
    return "Held by " + policy + ": " + why + "." + (warning == null ? "" : " " + warning + ".");
  }

  private static String takenBack(AttemptView<?> attempt, long now) {
    // Rounded up: at 0 s it is offered again.
    return takenBack(attempt) + "; next try in "
        + seconds(attempt.takeBacks().millisLeft(now) + TimeUnit.SECONDS.toMillis(1) - 1) + " s";
  }

  /** When and why the application was taken back. */
  private static String takenBack(AttemptView<?> attempt) {
    TakeBackMemory memory = attempt.takeBacks();
    return TAKEN_BACK + (memory.times() == 1 ? "" : " (number " + memory.times() + ")") + " at "
        + Instant.ofEpochMilli(memory.lastWallMillis()).truncatedTo(ChronoUnit.SECONDS) + ", because "
        + memory.reason();
  }

  private static String in(AdmissionLineView<?> line) {
    return " in line" + (line.partition().isEmpty() ? "" : " for partition " + line.partition());
  }

  private static String ofNext(AdmissionLineView<?> line) {
    WaitReason wait = line.waitsFor();
    if (!wait.isForHeadroom()) {
      return "Number 1" + in(line) + ", waits for " + line.waitsForWhat() + starting(line);
    }
    return wait == WaitReason.OFFERED ? "It is next, and gets its driver as soon as there is room"
        : "It is next, and waits for room: " + wait.shortageText() + starting(line);
  }

  private static String why(AdmissionLineView<?> line, Object next) {
    WaitReason wait = line.waitsFor();
    if (!wait.isForHeadroom()) {
      return ", waits for " + line.waitsForWhat() + starting(line);
    }
    String forHeadroom = "; " + idOf(next) + " is next, and waits for room";
    return wait == WaitReason.OFFERED
        ? forHeadroom : forHeadroom + ": " + wait.shortageText() + starting(line);
  }

  private static String starting(AdmissionLineView<?> line) {
    StringBuilder starting = new StringBuilder();
    int shown = 0;
    for (AdmissionLineView.Starting<?> one : line.starting()) {
      if (++shown > STARTING_SHOWN) {
        starting.append("; ").append(line.starting().size() - STARTING_SHOWN)
            .append(" more are starting");
        break;
      }
      starting.append("; ").append(idOf(one.item)).append(inQueue(line, appOf(one.item)))
          .append(" has been starting for ")
          .append(seconds(one.millis)).append(" s (at most ").append(seconds(one.atMost)).append(" s)");
    }
    for (Object reserved : line.reservedBeside()) {
      starting.append("; a node is reserved for the driver of ").append(idOf(reserved))
          .append(inQueue(line, appOf(reserved)));
    }
    return starting.toString();
  }

  /** Names the queue of an application where it may be another one; else empty. */
  public static String inQueue(AdmissionLineView<?> line, SchedulerApplicationAttempt app) {
    Queue queue = line.group() == null ? null : app.getQueue();
    return queue instanceof CSQueue ? " in queue " + ((CSQueue) queue).getQueuePath() : "";
  }

  private static String idOf(Object entity) {
    return appOf(entity).getApplicationId().toString();
  }

  private static SchedulerApplicationAttempt appOf(Object entity) {
    return (SchedulerApplicationAttempt) entity;
  }

  private static long seconds(long millis) {
    return TimeUnit.MILLISECONDS.toSeconds(millis);
  }
}
