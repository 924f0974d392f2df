// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.config.PolicyKind;
import io.github.dripfeed.config.PolicyProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Checks every leaf queue of a configuration for errors, and gives advice. */
final class QueueCheck {

  static final String OURS = "io.github.dripfeed.";
  static final String RECLAIM_POLICY = OURS + "ReclaimPolicy";
  private static final String AM_LIMIT = "maximum-am-resource-percent";
  /**
   * A limit that activates a burst of up to this many times the queue's capacity; YARN allows values
   * above 1.
   */
  private static final int AM_LIMIT_FOR_ALL = 100;
  /** The least {@code max-starting} that served many queues well (docs/evidence.md). */
  private static final int MANY_STARTS = 4;
  private static final double DEFAULT_AM_LIMIT = 0.1;
  private static final Pattern COUNT = Pattern.compile("\\d{1,9}");
  /** The policies that YARN knows by a name. */
  private static final List<String> YARNS =
      Arrays.asList("fifo", "fair", "fifo-with-partitions", "fifo-for-pending-apps");
  private static final String FIFO = PolicyProperty.ORDER.key() + "=" + PolicyProperty.FIFO;
  static final String YARN_PREEMPTION =
      "org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity"
          + ".ProportionalCapacityPreemptionPolicy";
  private static final String INTRA_QUEUE =
      "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.";

  private final SchedulerFiles files;
  private final QueueSizes sizes;

  QueueCheck(SchedulerFiles files, QueueSizes sizes) {
    this.files = files;
    this.sizes = sizes;
  }

  List<QueueReport> reports() {
    List<QueueReport> reports = new ArrayList<>();
    List<String> leaves = files.leafQueues();
    if (files.children(SchedulerFiles.ROOT).isEmpty()) {
      QueueReport report = new QueueReport("root", "none");
      report.errors.add(SchedulerFiles.PREFIX + "root.queues names no queue");
      reports.add(report);
    }
    Map<String, List<String>> almostOurs = files.almostOurs();
    for (String path : leaves) {
      QueueReport report = report(path);
      adviseOnAlmostOurs(almostOurs.getOrDefault(path, Collections.emptyList()), report);
      almostOurs.remove(path);
      reports.add(report);
    }
    new GroupCheck(sizes).advise(reports);
    Set<String> others = files.pathsWithOurProperties();
    others.removeAll(new HashSet<>(leaves));
    for (String path : others) {
      QueueReport report = new QueueReport(path, files.orderingPolicy(path));
      report.advice.add("it has state-aware properties, and is no leaf queue in this file");
      reports.add(report);
    }
    almostOurs.forEach((path, names) -> {
      reports.add(new QueueReport(path, files.orderingPolicy(path)));
      adviseOnAlmostOurs(names, reports.get(reports.size() - 1));
    });
    return reports;
  }

  private QueueReport report(String path) {
    String written = files.orderingPolicy(path);
    String policy = written.trim();
    QueueReport report = new QueueReport(path, policy);
    if (policy.startsWith(OURS) && !written.equals(policy)) {
      report.errors.add("ordering-policy = '" + shown(written)
          + "': white space around the class name, which YARN does not trim; allowed is '" + policy
          + "'");
    }
    Map<String, String> properties = files.policyProperties(path);
    PolicyKind kind = PolicyKind.of(policy);
    if (kind != null) {
      report.properties = PolicyConfiguration.read(properties, kind, report.errors).inEffect();
      advise(path, properties, report);
    } else if (policy.startsWith(OURS) || !YARNS.contains(policy) && yarnsClass(written) == null) {
      report.errors.add("ordering-policy = '" + policy + "': no such class"
          + (policy.startsWith(OURS) ? "" : " on the class path of this check") + "; allowed are "
          + Arrays.stream(PolicyKind.values())
              .map(PolicyKind::policyClass).collect(Collectors.joining(", "))
          + ", and YARN's own: " + String.join(", ", YARNS));
    } else if (properties.keySet().stream().anyMatch(name -> name.startsWith(PolicyProperty.PREFIX))) {
      report.advice.add("its state-aware properties have no effect: ordering-policy is '" + policy
          + "'");
    }
    return report;
  }

  static String shown(String value) {
    return value.replace("\n", "\\n").replace("\t", "\\t");
  }

  /** The class of this name as YARN loads it; null if there is none. */
  static Class<?> yarnsClass(String name) {
    try {
      return Class.forName(name, false, CapacityScheduler.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private void advise(String path, Map<String, String> properties, QueueReport report) {
    adviseOnAmLimit(path, report);
    adviseOnYarnsPreemption(report);
    adviseOnStarts(path, report);
    adviseOnFewAtATime(properties, report);
    adviseOnHeadroom(path, report);
    adviseOnTakeBack(path, report);
    adviseOnReclaim(report);
    adviseOnCreatedParents(path, report);
  }

  private void adviseOnCreatedParents(String path, QueueReport report) {
    if (files.isOfParentsToo(path)) {
      report.advice.add("YARN gives what is in this template to parent queues that it creates, too,"
          + " and cannot create one with this policy; set it in auto-queue-creation-v2.leaf-template");
    }
  }

  private static void adviseOnAlmostOurs(List<String> names, QueueReport report) {
    for (String name : names) {
      report.advice.add(name + " has no effect and is ignored silently: the names of all state-aware"
          + " properties begin with ordering-policy." + PolicyProperty.PREFIX);
    }
  }

  private void adviseOnAmLimit(String path, QueueReport report) {
    adviseOnAmLimit(AM_LIMIT, files.get(path, AM_LIMIT), report);
    files.ofLabels(path, AM_LIMIT).forEach((name, limit) -> adviseOnAmLimit(name, limit, report));
  }

  private static void adviseOnAmLimit(String name, String limit, QueueReport report) {
    double share = number(limit, DEFAULT_AM_LIMIT);
    if (share < AM_LIMIT_FOR_ALL) {
      report.advice.add(name + " is " + share + (limit == null ? " (YARN's default)" : "")
          + ": held applications count against YARN's limit on drivers, so only as many reach the policy"
          + " as " + share + " times the queue's capacity holds drivers; those beyond it wait in YARN's"
          + " own list, in YARN's order, out of sight; set it to " + AM_LIMIT_FOR_ALL
          + " in this queue");
    }
  }

  private void adviseOnYarnsPreemption(QueueReport report) {
    boolean byPriority = "priority_first".equalsIgnoreCase(
        files.get(INTRA_QUEUE + "preemption-order-policy"));
    if (isSet(report, PolicyProperty.ORDER, PolicyProperty.FIFO) && byPriority
        && files.isTrue(INTRA_QUEUE + "enabled")) {
      report.advice.add(FIFO + ", and YARN's intra-queue preemption goes by priority: it preempts"
          + " containers for applications of higher priority, but the order gives them to the oldest; use "
          + PolicyProperty.ORDER.key() + "=" + PolicyProperty.ORDER.defaultValue() + ", or "
          + INTRA_QUEUE + "preemption-order-policy=userlimit_first");
    }
  }

  private void adviseOnStarts(String path, QueueReport report) {
    int starts = number(value(report, PolicyProperty.MAX_STARTING));
    double queueMb = sizes.guaranteedMb(path);
    int driverMb = sizes.leastContainerMb();
    if (starts > 1 && queueMb >= 0 && (double) starts * driverMb > queueMb) {
      report.advice.add(PolicyProperty.MAX_STARTING.key() + "=" + starts + " on a queue of "
          + Math.round(queueMb) + " MB: that many drivers of the minimum size, " + driverMb
          + " MB, would fill the queue and leave no room for an executor");
    }
  }

  /**
   * Nobody should have the default, which is far too slow for most queues, without having chosen it. To
   * write {@code off} is to choose it; a small {@code max-starting} alone says nothing about the
   * alternative.
   */
  private static void adviseOnFewAtATime(Map<String, String> properties, QueueReport report) {
    String parallel = PolicyProperty.PARALLEL_START.key();
    int starts = number(value(report, PolicyProperty.MAX_STARTING));
    if (properties.containsKey(PolicyProperty.PREFIX + parallel) || starts < 1 || starts >= MANY_STARTS) {
      return;
    }
    boolean inGroup = !GroupCheck.isAlone(report);
    report.advice.add(parallel + " is not set, so " + fewStarts(starts, inGroup)
        + " on average, and two and a half with " + PolicyProperty.HEADROOM + " (docs/evidence.md); set "
        + PolicyProperty.PREFIX + parallel + " to " + PolicyProperty.HEADROOM
        + (inGroup ? " in all of these queues" : "") + ", or, where "
        + (inGroup ? "their cluster" : "the queue") + " holds "
        + (starts == 1 ? "little more than one application" : "few more applications than that")
        + ", to off: then this advice ends");
  }

  /** What so few starts mean, and for how long applications waited with them. */
  private static String fewStarts(int starts, boolean inGroup) {
    String together = inGroup ? " in all queues of the starting-group together" : "";
    String where = inGroup ? "in one queue, " : "";
    return starts == 1
        ? "one application at a time starts" + together + (inGroup ? "; " : ": ") + where
            + "in an hour of real arrivals they wait 51 minutes"
        : PolicyProperty.MAX_STARTING.key() + "=" + starts + " alone says how many start at once" + together
            + ", and a fixed number suits one size of queue: with 2, " + where
            + "in an hour of real arrivals applications wait 14 minutes";
  }

  /**
   * The largest container stays free beside all drivers that have no executors. One that starts beside
   * another is a second such driver.
   */
  private void adviseOnHeadroom(String path, QueueReport report) {
    if (!isSet(report, PolicyProperty.PARALLEL_START, PolicyProperty.HEADROOM)
        || isSet(report, PolicyProperty.TAKE_BACK, PolicyProperty.ON)) {
      return;
    }
    String ofQueue = sizes.largestContainerMb(path);
    String largest = ofQueue != null ? ofQueue
        : files.get(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB);
    int largestMb = largest == null
        ? YarnConfiguration.DEFAULT_RM_SCHEDULER_MAXIMUM_ALLOCATION_MB : number(largest);
    int leastMb = sizes.leastContainerMb();
    double queueMb = sizes.maximumMb(path);
    double userMb = sizes.guaranteedMb(path) * userLimitFactor(path);
    boolean ofUser = userMb >= 0 && (queueMb < 0 || userMb < queueMb);
    double mb = ofUser ? userMb : queueMb;
    String headroom = PolicyProperty.PARALLEL_START.key() + "=" + PolicyProperty.HEADROOM;
    String remedy = "; set maximum-allocation-mb of this queue to the largest container that its"
        + " applications request, and restart the ResourceManager: a refresh cannot lower it";
    if (mb >= 0 && largestMb + 2.0 * leastMb > mb) {
      report.advice.add(headroom + " where "
          + (ofUser ? "a user" : "the queue") + " may have " + Math.round(mb) + " MB at most"
          + (ofUser ? " (the capacity times user-limit-factor)" : "") + ", and a container " + largestMb
          + " MB: room for one container of that size must stay free, which leaves none for two drivers"
          + " that start" + (ofUser ? " for one user" : "") + ", of " + leastMb + " MB each at least"
          + remedy);
    } else if (mb < 0 && largest == null) {
      report.advice.add(headroom + ", and no maximum-allocation-mb is set for this queue or, in"
          + " yarn-site.xml," + (files.knowsYarnSite() ? "" : " which was not given to this check,")
          + " for the cluster: room for one container of YARN's default, " + largestMb
          + " MB, must stay free, so where the queue is not much larger, nothing starts in parallel"
          + remedy);
    }
  }

  /** How often a user may have the queue's capacity; infinite if nothing bounds it. */
  private double userLimitFactor(String path) {
    double times = number(files.own(path, "user-limit-factor"), 1);
    return times < 0 ? Double.POSITIVE_INFINITY : times;
  }

  private void adviseOnTakeBack(String path, QueueReport report) {
    boolean on = isSet(report, PolicyProperty.TAKE_BACK, PolicyProperty.ON);
    boolean atTimeout =
        isSet(report, PolicyProperty.STARTING_TIMEOUT_ACTION, PolicyProperty.TAKE_BACK_ACTION);
    String what = on ? PolicyProperty.TAKE_BACK.key() + "=" + PolicyProperty.ON
        : PolicyProperty.STARTING_TIMEOUT_ACTION.key() + "=" + PolicyProperty.TAKE_BACK_ACTION;
    if (on && !isSet(report, PolicyProperty.PARALLEL_START, PolicyProperty.HEADROOM)) {
      report.advice.add(what + " has no effect without " + PolicyProperty.PARALLEL_START.key() + "="
          + PolicyProperty.HEADROOM);
    }
    if (!on && !atTimeout) {
      return;
    }
    if (number(files.get(YarnConfiguration.RM_AM_MAX_ATTEMPTS,
        YarnConfiguration.DEFAULT_RM_AM_MAX_ATTEMPTS)) == 1) {
      report.advice.add(what + ", and " + YarnConfiguration.RM_AM_MAX_ATTEMPTS
          + "=1: an application with one attempt is never taken back");
    }
    if (files.isTrue("yarn.scheduler.capacity.lazy-preemption-enabled")) {
      report.advice.add(what + ", and YARN's preemption is lazy: it only marks the driver, which goes"
          + " on until an application of another queue needs its room");
    }
    if (Boolean.parseBoolean(files.nearest(path, "disable_preemption"))) {
      report.advice.add(what + " has no effect: disable_preemption is set for this queue");
    }
  }

  private void adviseOnReclaim(QueueReport report) {
    String policies = YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES;
    String enabled = PolicyProperty.RECLAIM_ENABLED.key();
    if (!isSet(report, PolicyProperty.RECLAIM_ENABLED, PolicyProperty.TRUE)) {
      return;
    }
    if (isSet(report, PolicyProperty.ORDER, PolicyProperty.FIFO)) {
      report.advice
          .add(enabled + " with " + FIFO + ": in the order by submission alone, no container is reclaimed");
    }
    if (!files.isTrue(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS)
        || !files.lists(policies, RECLAIM_POLICY)) {
      report.advice.add(enabled + ", and the ResourceManager does not run the policy: set "
          + YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS + "=true and add "
          + RECLAIM_POLICY + " to " + policies + " in yarn-site.xml"
          + (files.knowsYarnSite() ? "" : " (none was given to this check)"));
    } else if (files.lists(policies, YARN_PREEMPTION) && files.isTrue(INTRA_QUEUE + "enabled")) {
      report.advice.add("reclaim and YARN's intra-queue preemption both preempt containers within"
          + " this queue: each ignores the containers that the other has selected, but one is enough; set"
          + " intra-queue-preemption.disable_preemption=true in this queue");
    }
  }

  private static boolean isSet(QueueReport report, PolicyProperty property, String value) {
    return value.equals(value(report, property));
  }

  /** The value in effect, or null if the property has no effect. */
  private static String value(QueueReport report, PolicyProperty property) {
    return report.properties.get(property.key());
  }

  private static double number(String value, double otherwise) {
    return value != null && SchedulerFiles.NUMBER.matcher(value).matches()
        ? Double.parseDouble(value) : otherwise;
  }

  private static int number(String value) {
    return value != null && COUNT.matcher(value).matches() ? Integer.parseInt(value) : 0;
  }
}
