// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import io.github.dripfeed.processes.SchedulerLog.Event;
import io.github.dripfeed.processes.SchedulerLog.Kind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a burst went in its queue, by the log of the scheduler. It begins when the application that filled
 * the queue has lost its last container.
 */
final class BurstCourse {

  private final Map<String, Long> firstExecutors = new TreeMap<>();
  private final Map<String, Long> ends = new TreeMap<>();
  private long begin;

  static BurstCourse of(ProcessBurst burst, List<Event> events) {
    BurstCourse course = new BurstCourse();
    for (Event event : events) {
      boolean isBegin = event.kind() == Kind.ALLOCATED;
      String application = event.application();
      if (application.equals(burst.filler())) {
        course.begin = isBegin ? course.begin : event.millis();
      } else if (burst.ids().contains(application) && isBegin != event.isDriver()) {
        (isBegin ? course.firstExecutors : course.ends).putIfAbsent(application, event.millis());
      }
    }
    return course;
  }

  /** From the beginning to the end of the last application, in seconds. */
  double makespan() {
    return since(ends.values().stream().mapToLong(Long::longValue).max().orElseThrow());
  }

  /** From the beginning to the ends of the applications, on average, in seconds. */
  double meanEnd() {
    return since(ends.values().stream().mapToLong(Long::longValue).average().orElseThrow());
  }

  /** From the beginning to the first executors, on average over the applications, in seconds. */
  double meanFirstExecutor() {
    return since(firstExecutors.values().stream().mapToLong(Long::longValue).average().orElseThrow());
  }

  /** From the beginning until the last application has its first executor, in seconds. */
  double lastFirstExecutor() {
    return since(firstExecutors.values().stream().mapToLong(Long::longValue).max().orElseThrow());
  }

  private double since(double millis) {
    return (millis - begin) / 1000.0;
  }
}
