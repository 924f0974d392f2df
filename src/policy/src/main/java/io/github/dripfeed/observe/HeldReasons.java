// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.core.plan.WaitReason;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Argument;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Finds out why the applications of a report wait for their drivers. Walks a line once; not
 * for scheduling threads. It takes no lock of the queue. But whether a user is at its limit YARN answers
 * only under the lock of the queue's users, which scheduling takes too, for a look into a map, or for
 * computing the limits anew where scheduling would do that next. That is asked once for each user, of the
 * first {@value #DETAILED} at most, and only while somebody is offered.
 *
 * @param <S> the applications of the queue
 */
public final class HeldReasons<S extends SchedulableEntity> {

  /** The number of applications at the front of a line whose reasons have their place. */
  public static final int DETAILED = 50;

  private final QueueReport<S> report;
  private final boolean withRanges;

  /** @param withRanges whether sentences have the ranges of time; a table has columns for them */
  public HeldReasons(QueueReport<S> report, boolean withRanges) {
    this.report = report;
    this.withRanges = withRanges;
  }

  /**
   * The waiting applications of a line in order, those that come last at the end.
   *
   * @param most how many of them, at most
   */
  public List<HeldReason<S>> of(AdmissionLineView<S> line, int most) {
    List<HeldReason<S>> all = new ArrayList<>();
    int place = addWaiting(line, most, all);
    for (AttemptView<S> attempt : line.stalled) {
      if (all.size() >= most) {
        break;
      }
      Wait code = attempt.isExhausted() ? Wait.EXHAUSTED : Wait.STALLED;
      all.add(held(attempt, ++place, code, "", "", code.sentence, StartForecast.NONE));
    }
    return all;
  }

  /** @return the place of the last one; those that were taken back have none */
  private int addWaiting(AdmissionLineView<S> line, int most, List<HeldReason<S>> all) {
    Wait code = line.waitsFor.code();
    String arguments = arguments(line);
    S next = null;
    int place = 0;
    StartForecast forecast = report.forecast(line);
    // The same for all of them, and long.
    String behindNext = null;
    String farBehind = null;
    // YARN skips an application only if it is offered; all others wait for a slot or for room.
    Set<String> atLimit = code == Wait.ROOM ? new HashSet<>() : null;
    Predicate<AttemptView<S>> skipped = line.skipped();
    for (AttemptView<S> attempt : line.waiting) {
      if (all.size() >= most) {
        break;
      }
      if (attempt.isBackingOff(report.now)) {
        all.add(backingOff(attempt));
        continue;
      }
      place++;
      if (place <= DETAILED && next == null && atLimit != null && skipped.test(attempt)) {
        // For the first application of each user, YARN writes its own, exact diagnostics.
        all.add(held(attempt, place, Wait.USER_LIMIT, "", "",
            atLimit.add(attempt.facts().user()) ? null : Wait.USER_LIMIT.sentence, forecast));
      } else if (next == null) {
        next = attempt.item();
        all.add(held(attempt, place, code, arguments, code.isForRoom() ? "" : Sentences.lead(line, place),
            Sentences.waits(line, null) + ends(place, forecast), forecast));
        arguments = with(arguments, Argument.NEXT, Sentences.idOf(next));
      } else if (place <= DETAILED) {
        behindNext = behindNext == null ? Sentences.waits(line, next) : behindNext;
        all.add(held(attempt, place, code, arguments, Sentences.lead(line, place),
            behindNext + ends(place, forecast), forecast));
      } else {
        farBehind = farBehind == null ? Sentences.farBehind(line, DETAILED) : farBehind;
        all.add(held(attempt, place, code, arguments, "", farBehind, forecast));
      }
    }
    return place;
  }

  private String ends(int place, StartForecast forecast) {
    String expected = withRanges ? Sentences.expected(forecast, place) : "";
    return (report.notActivated == 0 ? "" : "; " + Sentences.notActivated(report.notActivated))
        + (expected.isEmpty() ? "" : "; " + expected);
  }

  private HeldReason<S> backingOff(AttemptView<S> attempt) {
    // Rounded up: at 0 s it is offered again.
    long seconds = TimeUnit.MILLISECONDS.toSeconds(
        attempt.takeBacks().millisLeft(report.now) + TimeUnit.SECONDS.toMillis(1) - 1);
    return held(attempt, HeldReason.NONE, Wait.BACK_OFF, with("", Argument.SECONDS, seconds), "",
        Sentences.takenBack(attempt.takeBacks()) + "; next try in " + seconds + " s", StartForecast.NONE);
  }

  private HeldReason<S> held(AttemptView<S> attempt, int place, Wait code, String arguments, String lead,
      String why, StartForecast forecast) {
    int takenBack = attempt.takeBacks().times();
    String warning = attempt.notes().warning();
    String reason = why == null ? null
        : why + (takenBack == 0 || code == Wait.BACK_OFF ? ""
            : ". " + Sentences.takenBack(attempt.takeBacks()))
        + "." + (warning == null ? "" : " " + warning + ".");
    return new HeldReason<>(attempt, place, code,
        takenBack == 0 ? arguments : with(arguments, Argument.TAKEN_BACK, takenBack),
        "Held by " + report.policyName + ": " + lead, reason, forecast);
  }

  private static String arguments(AdmissionLineView<?> line) {
    WaitReason wait = line.waitsFor;
    String group = with("", Argument.GROUP,
        wait.code().isForRoom() || Wire.AUTO_GROUP.equals(line.group) ? null : line.group);
    return with(group, Argument.PARENT, wait.parent());
  }

  private static String with(String arguments, Argument name, Object value) {
    return value == null ? arguments : arguments + (arguments.isEmpty() ? "" : "; ") + name + "=" + value;
  }
}
