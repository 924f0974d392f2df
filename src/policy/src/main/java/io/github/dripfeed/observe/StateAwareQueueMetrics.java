// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.admission.Transition;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * The metrics of one state-aware queue. Counters outlive the policies that a refresh replaces; gauges are
 * those of the last report of the queue. Safe for use by any thread.
 */
public final class StateAwareQueueMetrics implements MetricsSource {

  /** What is counted. */
  public enum Count {
    STARTS(Transition.DRIVER_ALLOCATED, "StartsTotal", "Applications whose AM was allocated"),
    STARTS_BEYOND_SLOTS(null, "StartsBeyondSlotsTotal",
        "Applications whose AM was allocated while max-starting others were starting (one, with auto), in"
            + " the starting-group, or in all queues with auto"),
    BY_EXECUTORS(Transition.EXECUTORS_ALLOCATED, "PromotionsByExecutorsTotal",
        "Applications that became running with their executors"),
    BY_TIMEOUT(Transition.STARTING_TIMED_OUT, "PromotionsByTimeoutTotal",
        "Applications that became running because starting-timeout was over"),
    BY_IDLENESS(Transition.STARTING_IDLE, "PromotionsByIdlenessTotal",
        "Applications that became running because idle-timeout was over"),
    STALLED(null, "StalledHeadsTotal",
        "Applications whose AM could not be placed for accepted-timeout, or was overtaken after that"),
    RECLAIMED(null, "ReclaimedContainersTotal",
        "Containers preempted for other applications of the queue"),
    TAKEN_BACK(null, "TakenBackTotal", "Starting applications whose AM take-back preempted"),
    ERRORS(null, "ErrorsTotal", "Internal errors that did not interrupt scheduling");

    /** The transition that it counts; null if it counts something else. */
    private final Transition transition;
    private final String name;
    private final String help;

    Count(Transition transition, String name, String help) {
      this.transition = transition;
      this.name = name;
      this.help = help;
    }
  }

  public static final String RECORD = "DripfeedQueue";

  private final String queue;
  private final String name;
  private final Map<Count, LongAdder> counters = new EnumMap<>(Count.class);
  private final PrometheusHistogram accepted = new PrometheusHistogram(
      "AcceptedSeconds", "Time from acceptance to the allocation of the AM");
  private final PrometheusHistogram starting = new PrometheusHistogram(
      "StartingSeconds", "Time from the allocation of the AM to running");
  /** What is shown; null if nothing is yet. */
  private volatile QueueReport<?> report;
  private volatile CSQueue shown;

  /** @param queue its path */
  StateAwareQueueMetrics(String queue) {
    this.queue = queue;
    this.name = nameOf(queue);
    for (Count each : Count.values()) {
      counters.put(each, new LongAdder());
    }
  }

  String name() {
    return name;
  }

  /** Follows the names that YARN gives to the metrics of its queues. */
  private static String nameOf(String queue) {
    StringBuilder name = new StringBuilder(RECORD);
    int level = 0;
    for (String part : queue.split("\\.")) {
      name.append(",q").append(level++).append('=').append(part);
    }
    return name.toString();
  }

  /** @param of the queue itself, which is another one after a failover */
  void show(CSQueue of, QueueReport<?> last) {
    shown = of;
    report = last;
  }

  void stateChanged(Transition transition, long millis) {
    for (Count each : Count.values()) {
      if (each.transition == transition) {
        count(each);
      }
    }
    if (transition == Transition.DRIVER_ALLOCATED) {
      accepted.add(millis);
    } else if (transition.from() == State.STARTING) {
      starting.add(millis);
    }
  }

  public void count(Count one) {
    counters.get(one).increment();
  }

  /** Whether a round has ever found the queue. */
  boolean isShown() {
    return report != null;
  }

  /** The queue that was found last; null if none was. */
  CSQueue queue() {
    return shown;
  }

  /** Called under the lock of the metrics system, so it takes none of YARN; see {@link QueueReport}. */
  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = tagged(collector.addRecord(RECORD));
    showGauges(report, record);
    counters.forEach((count, value) ->
        record.addCounter(Interns.info(count.name, count.help), value.sum()));
    accepted.showTotal(record);
    starting.showTotal(record);
    for (int i = 0; i < PrometheusHistogram.BUCKETS; i++) {
      MetricsRecordBuilder bucket = tagged(collector.addRecord(RECORD))
          .tag(Interns.info("le", "Upper bound in seconds"), PrometheusHistogram.bound(i));
      accepted.showBucket(i, bucket);
      starting.showBucket(i, bucket);
    }
  }

  private static void showGauges(QueueReport<?> report, MetricsRecordBuilder record) {
    Map<State, Integer> counts = report.counts;
    gauge(record, "AcceptedApplications", "Applications that wait for their AM",
        counts.get(State.ACCEPTED));
    gauge(record, "StartingApplications",
        "Applications with an AM and fewer than min-executors executors yet",
        counts.get(State.STARTING));
    gauge(record, "GroupStartingApplications",
        "Starting applications of the starting-group, or of all queues with auto",
        report.startingInGroup);
    gauge(record, "GroupReservedApplications",
        "Accepted applications of the starting-group, or of all queues with auto, with a node reserved for"
            + " their AM",
        report.reservedInGroup);
    gauge(record, "RunningApplications",
        "Applications that have had min-executors executors, or whose time limit is over",
        counts.get(State.RUNNING));
    int forRoom = report.forRoom();
    gauge(record, "WaitingForSlotApplications", "Accepted applications that wait for a starting slot",
        counts.get(State.ACCEPTED) - forRoom);
    gauge(record, "WaitingForRoomApplications", "Accepted applications that wait for free resources",
        forRoom);
    for (Wait code : Wait.values()) {
      if (code.isOfLine()) {
        gauge(record, "HeldBy" + Wire.words(code) + "Applications",
            "Applications in lines whose first application is held. Reason: " + code.sentence,
            report.waiting.getOrDefault(code, 0));
      }
    }
    gauge(record, "TakenBackApplications",
        "Accepted applications that wait for their next try after take-back",
        report.backingOff);
    gauge(record, "PendingActivationApplications", "Applications that the AM limit keeps in YARN's list",
        report.notActivated);
    gauge(record, "OldestAcceptedSeconds", "Longest wait for an AM, accepted or in YARN's list",
        TimeUnit.MILLISECONDS.toSeconds(report.longestWait));
  }

  private MetricsRecordBuilder tagged(MetricsRecordBuilder record) {
    return record.setContext("yarn").tag(Interns.info("Queue", "Path of the queue"), queue);
  }

  private static void gauge(MetricsRecordBuilder record, String name, String help, long value) {
    record.addGauge(Interns.info(name, help), value);
  }
}
