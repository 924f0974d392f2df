// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * The result of a workload under a variant.
 *
 * @param courses in the order of submission
 * @param deadlockedAt the time after which nothing could happen any more, -1 if all ended; ms
 * @param utilisation fraction of the cluster that containers held, from 0 to 1
 * @param usefulUtilisation the same without drivers that wanted executors and had none
 * @param stuckShare fraction of all held resources that such drivers held
 * @param endMillis when it ended or was stuck
 * @param forecasts what waiting applications were told, if they asked
 */
record Outcome(String workload, SchedulerVariant setting, List<ApplicationTimes> courses, long deadlockedAt,
    double utilisation, double usefulUtilisation, double stuckShare, long endMillis,
    List<ForecastAnswer> forecasts) implements Serializable {

  boolean isDeadlocked() {
    return deadlockedAt >= 0;
  }

  /** From the first submission to the end of the last application, in seconds, or infinite. */
  double makespanSeconds() {
    if (isDeadlocked() || failed() > 0) {
      return Double.POSITIVE_INFINITY;
    }
    long first = courses.stream().mapToLong(ApplicationTimes::submittedAt).min().orElse(0);
    long last = courses.stream().mapToLong(ApplicationTimes::endedAt).max().orElse(0);
    return (last - first) / 1000.0;
  }

  /**
   * The time from the last submission until the last application had its first executor, in seconds;
   * infinite if an application that wants executors never had one.
   */
  double lastExecutorSeconds() {
    if (courses.stream().anyMatch(course -> course.wantsExecutors() && !course.hadExecutor())) {
      return Double.POSITIVE_INFINITY;
    }
    long last = courses.stream().mapToLong(ApplicationTimes::submittedAt).max().orElse(0);
    return (courses.stream().mapToLong(ApplicationTimes::executorAt).max().orElse(0) - last) / 1000.0;
  }

  long ended() {
    return courses.stream().filter(ApplicationTimes::isEnded).count();
  }

  /** The applications that YARN refused, or that failed though they were meant to succeed. */
  long failed() {
    return isDeadlocked() ? 0 : courses.size() - ended();
  }

  double meanWaitSeconds() {
    return Arrays.stream(waits()).average().orElse(0);
  }

  /**
   * The wait that this fraction of the applications did not exceed, in seconds.
   *
   * @param part from 0 to 1
   */
  double waitSeconds(double part) {
    return quantile(waits(), part);
  }

  double meanTurnaroundSeconds() {
    return Arrays.stream(turnarounds()).average().orElse(0);
  }

  /**
   * The time from submission to end that this fraction of the applications did not exceed, in seconds.
   *
   * @param part from 0 to 1
   */
  double turnaroundSeconds(double part) {
    return quantile(turnarounds(), part);
  }

  private static double quantile(double[] sorted, double part) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.max(0, Math.ceil(part * sorted.length) - 1)];
  }

  /** The sorted times from submission to end; infinite for one that never ended. */
  private double[] turnarounds() {
    return courses.stream().mapToDouble(course -> course.isEnded()
        ? (course.endedAt() - course.submittedAt()) / 1000.0 : Double.POSITIVE_INFINITY)
        .sorted().toArray();
  }

  /**
   * The sorted times from submission to the first executor, for applications that want one; infinite if one
   * never got any. An application that was meant to fail before it could have one does not count.
   */
  private double[] waits() {
    return courses.stream()
        .filter(course -> course.wantsExecutors() && (course.hadExecutor() || !course.isEnded()))
        .mapToDouble(course -> course.hadExecutor()
            ? (course.executorAt() - course.submittedAt()) / 1000.0 : Double.POSITIVE_INFINITY)
        .sorted().toArray();
  }
}
