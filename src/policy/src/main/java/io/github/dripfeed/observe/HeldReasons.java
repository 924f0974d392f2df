// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.WaitReason;
import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.core.takeback.TakeBackMemory;
import io.github.dripfeed.yarn.PendingActivation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * Says why the applications of a queue wait for their drivers, at one moment. Walks a line once; not for
 * scheduling threads. It takes no lock of the queue. But whether a user is at its limit YARN answers only
 * under the lock of the queue's users, which scheduling takes too, for a look into a map, or for computing
 * the limits anew where scheduling would do that next. That is asked once for each user, of the first
 * {@value #DETAILED} at most, and only while somebody is offered.
 *
 * @param <S> the applications of the queue
 */
public final class HeldReasons<S> {

  /** The number of applications at the front of a line whose reasons have their place. */
  public static final int DETAILED = 50;
  /** The number of starting applications that are named. */
  private static final int STARTING_SHOWN = 3;

  private static final String TAKEN_BACK = "It was taken back";

  private final String policy;
  private final PendingActivation notActivated;
  private final StartHistories starts;
  private final long now;
  private final boolean withRanges;

  /**
   * @param policy the name of the policy class
   * @param notActivated the applications that YARN has not activated
   */
  public HeldReasons(
      String policy, PendingActivation notActivated, StartHistories starts, long now) {
    this(policy, notActivated, starts, now, true);
  }

  private HeldReasons(String policy, PendingActivation notActivated, StartHistories starts, long now,
      boolean withRanges) {
    this.policy = policy;
    this.notActivated = notActivated;
    this.starts = starts;
    this.now = now;
    this.withRanges = withRanges;
  }

  /** The same without the ranges of time in the sentences: for a table, which has columns for them. */
  public HeldReasons<S> withoutRanges() {
    return new HeldReasons<>(policy, notActivated, starts, now, false);
  }

  /**
   * Visits the waiting applications of a line in order, those that come last at the end.
   *
   * @param visitor returns whether to go on
   */
  public void visit(AdmissionLineView<S> line, Predicate<HeldReason<S>> visitor) {
    int place = visitWaiting(line, visitor);
    if (place < 0) {
      return;
    }
    for (AttemptView<S> attempt : line.stalled()) {
      String why = attempt.isExhausted()
          ? "Earlier attempts of this application have used up its starting-timeout; it comes after all"
              + " others"
          : "Its driver could not be placed within accepted-timeout, or a later application got one"
              + " first; it comes after all others, except in short trials from time to time";
      if (!visitor.test(HeldReason.shared(attempt, ++place, text(attempt, why), StartForecast.NONE))) {
        return;
      }
    }
  }

  /** @return the number of applications in line; -1 if the visitor does not want to go on */
  private int visitWaiting(AdmissionLineView<S> line, Predicate<HeldReason<S>> visitor) {
    S next = null;
    int place = 0;
    StartForecast forecast = null;
    // The same for all of them, and long.
    String behindNext = null;
    String farBehind = null;
    // YARN skips an application only if it is offered; all others wait for a slot or for headroom.
    Set<String> atLimit = line.waitsFor() == WaitReason.OFFERED ? new HashSet<>() : null;
    for (AttemptView<S> attempt : line.waiting()) {
      if (attempt.isBackingOff(now)) {
        if (!visitor.test(HeldReason.of(
            attempt, HeldReason.NONE, text(attempt, takenBack(attempt)), StartForecast.NONE))) {
          return -1;
        }
        continue;
      }
      place++;
      if (forecast == null) {
        forecast = starts.forecast(
            appOf(attempt.item()).getQueue(), line.partition(), attempt.millisInState(now));
      }
      HeldReason<S> reason;
      if (place <= DETAILED && next == null && atLimit != null && line.isSkipped(attempt)) {
        reason = HeldReason.of(attempt, place, skipped(attempt, atLimit), forecast);
      } else if (next == null) {
        next = attempt.item();
        reason = inDetail(attempt, place, ofNext(line), forecast);
      } else if (place <= DETAILED) {
        behindNext = behindNext == null ? in(line) + why(line, next) : behindNext;
        reason = inDetail(attempt, place, "Number " + place + behindNext, forecast);
      } else {
        farBehind = farBehind == null ? "More than " + DETAILED + " applications are before it" + in(line)
            + "; the next waits for " + line.waitsForWhat() : farBehind;
        reason = HeldReason.shared(attempt, place, text(attempt, farBehind), forecast);
      }
      if (!visitor.test(reason)) {
        return -1;
      }
    }
    return place;
  }

  private HeldReason<S> inDetail(
      AttemptView<S> attempt, int place, String why, StartForecast forecast) {
    String expected = withRanges ? forecast.text(place) : "";
    return HeldReason.of(attempt, place, text(attempt,
        why + notActivated.text() + (expected.isEmpty() ? "" : "; " + expected)), forecast);
  }

  /** For the first application of each user, YARN writes its own, exact diagnostics. */
  private String skipped(AttemptView<S> attempt, Set<String> atLimit) {
    return atLimit.add(appOf(attempt.item()).getUser()) ? null
        : text(attempt, "Its user has reached the user limit of the queue, so YARN skips it; it holds"
            + " back no other application");
  }

  private String text(AttemptView<S> attempt, String reason) {
    String warning = attempt.notes().warning();
    String why = attempt.takeBacks().times() == 0 || reason.startsWith(TAKEN_BACK) ? reason
        : reason + ". " + whenTakenBack(attempt);
    return "Held by " + policy + ": " + why + "." + (warning == null ? "" : " " + warning + ".");
  }

  private String takenBack(AttemptView<?> attempt) {
    // Rounded up: at 0 s it is offered again.
    return whenTakenBack(attempt) + "; next try in "
        + seconds(attempt.takeBacks().millisLeft(now) + TimeUnit.SECONDS.toMillis(1) - 1) + " s";
  }

  /** When and why the application was taken back. */
  private static String whenTakenBack(AttemptView<?> attempt) {
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
