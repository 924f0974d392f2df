// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.config.PolicyKind;
import io.github.dripfeed.config.PolicyProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Checks every leaf queue of a configuration for errors, and gives advice. */
final class QueueCheck {

  static final String OURS = "io.github.dripfeed.";
  /** The policies that a queue may name, and their kinds. */
  static final Map<String, PolicyKind> POLICIES = new LinkedHashMap<>();
  static final String RECLAIM_POLICY = OURS + "ReclaimPolicy";
  static final String YARN_PREEMPTION =
      "org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity"
          + ".ProportionalCapacityPreemptionPolicy";
  private static final String INTRA_QUEUE =
      "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.";
  static final String AM_LIMIT = "maximum-am-resource-percent";
  private static final int FEW_APPLICATIONS = 100;
  private static final String OF_LABEL =
      "on a label YARN counts from the guaranteed capacity alone";
  private static final String DRIVERS_LABEL_OF_EMR = "yarn.node-labels.am.default-node-label-expression";
  /** From Hadoop 3.4 on. */
  private static final String DRIVERS_LABEL =
      "yarn.resourcemanager.node-labels.am.default-node-label-expression";
  /** The policies that YARN knows by a name. */
  static final List<String> YARNS =
      Arrays.asList("fifo", "fair", "fifo-with-partitions", "fifo-for-pending-apps");

  static {
    POLICIES.put(OURS + "StateAwareOrderingPolicy", PolicyKind.SUBMISSION);
    POLICIES.put(OURS + "StateAwareFairOrderingPolicy", PolicyKind.FAIR);
  }

  private final CheckResult result;
  private final SchedulerFiles files;
  private final QueueSizes sizes;
  /** That of the smallest container. */
  private final int driverMb;

  /** @param clusterMb the memory of all nodes, or not a number */
  QueueCheck(CheckResult result, double clusterMb) {
    this.result = result;
    this.files = result.files;
    this.sizes = new QueueSizes(files, clusterMb);
    this.driverMb = sizes.leastContainerMb;
  }

  /** Adds a report on each leaf queue, and on what else there is something to say of. */
  void check() {
    if (files.children(SchedulerFiles.ROOT).isEmpty()) {
      result.report(SchedulerFiles.ROOT, QueueReport.NO_POLICY).errors
          .add(SchedulerFiles.PREFIX + "root.queues names no queue");
    }
    Set<String> others = files.pathsBefore(SchedulerFiles.OUR_PROPERTIES);
    files.leafQueues().forEach(this::report);
    files.tellMisspelled((path, advice) ->
        result.report(path, files.orderingPolicy(path)).advice.add(advice));
    adviseOnGroups();
    others.removeAll(files.leafQueues());
    others.forEach(path -> result.report(path, files.orderingPolicy(path)).advice
        .add("it has state-aware properties, and is no leaf queue in this file"));
  }

  private void report(String path) {
    String written = files.orderingPolicy(path);
    String policy = written.trim();
    QueueReport report = result.report(path, policy);
    boolean ours = policy.startsWith(OURS);
    if (ours && !written.equals(policy)) {
      report.errors.add("ordering-policy = '" + shown(written)
          + "': white space around the class name, which YARN does not trim; allowed is '" + policy + "'");
    }
    Map<String, String> properties = files.below(path, SchedulerFiles.POLICY + ".");
    PolicyKind kind = POLICIES.get(policy);
    if (kind != null) {
      PolicyConfiguration read = PolicyConfiguration.read(properties, kind, report.errors);
      report.properties = read.inEffect();
      report.changed = read.changed().keySet();
      if (report.has(PolicyProperty.ENFORCE, PolicyProperty.TRUE)) {
        advise(report);
      } else {
        adviseOnFullQueue(path, "enforce is false", report);
      }
    } else if (ours || !YARNS.contains(policy) && yarnsClass(written) == null) {
      report.errors.add("ordering-policy = '" + policy + "': no such class"
          + (ours ? "" : " on the class path of this check") + "; allowed are "
          + String.join(", ", POLICIES.keySet()) + ", and YARN's own: " + String.join(", ", YARNS));
    } else {
      report.adviseIf(properties.keySet().stream().anyMatch(name -> name.startsWith(PolicyProperty.PREFIX)),
          "its state-aware properties have no effect: ordering-policy is '" + policy + "'");
      adviseOnFullQueue(path, "the policy is " + policy, report);
    }
  }

  /** @param holdsNobody why drivers may fill the queue */
  private void adviseOnFullQueue(String path, String holdsNobody, QueueReport report) {
    Map<String, String> limits = limitsOnLabels(path);
    limits.put(AM_LIMIT, files.get(path, AM_LIMIT));
    limits.forEach((name, limit) -> {
      double share = SchedulerFiles.number(limit, CheckCommand.YARNS_AM_LIMIT);
      report.adviseIf(share > CheckCommand.MOST_AM_SHARE, name + " is " + share
          + (files.own(path, name) == null ? " (that of all queues)" : "") + ", and " + holdsNobody
          + ": AMs can fill the queue, and then none gets an executor; set 0.1, YARN's"
          + " default, or a state-aware policy");
    });
  }

  /** The limits on drivers that a queue has of its own for node labels, by the names of the properties. */
  private Map<String, String> limitsOnLabels(String path) {
    Map<String, String> limits = new TreeMap<>();
    files.below(path, SchedulerFiles.LABELS).forEach((name, limit) -> {
      if (name.endsWith("." + AM_LIMIT)) {
        limits.put(SchedulerFiles.LABELS.substring(1) + name, limit.trim());
      }
    });
    return limits;
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

  private void advise(QueueReport report) {
    adviseOnAmLimit(AM_LIMIT, files.get(report.queue, AM_LIMIT), sizes.fewDrivers(report.queue), report);
    limitsOnLabels(report.queue).forEach((name, limit) -> adviseOnAmLimit(name, limit, OF_LABEL, report));
    adviseOnDriversLabel(report);
    adviseOnYarnsPreemption(report);
    adviseOnStarts(report);
    adviseOnOneAtATime(report);
    if (report.has(PolicyProperty.TAKE_BACK, PolicyProperty.ON)) {
      adviseOnTakeBack(report);
    }
    if (report.has(PolicyProperty.RECLAIM_ENABLED, PolicyProperty.TRUE)) {
      adviseOnReclaim(report);
    }
    adviseOnHeld(report);
    report.adviseIf(files.isOfParentsToo(report.queue), "YARN gives what is in this template to parent"
        + " queues that it creates, too, and cannot create one with this policy; set it in"
        + " auto-queue-creation-v2.leaf-template");
  }

  /** @param few why a limit of 1.0 allows too few drivers; empty if it does not */
  private static void adviseOnAmLimit(String name, String limit, String few, QueueReport report) {
    double share = SchedulerFiles.number(limit, CheckCommand.YARNS_AM_LIMIT);
    // Above 1, which YARN allows, where it counts against much less than the queue may have.
    String needed = few.isEmpty() ? "1.0" : "100";
    report.adviseIf(share < Double.parseDouble(needed), name + " is " + share
        + (limit == null ? " (YARN's default)" : "") + ". Waiting applications count too: beyond " + share
        + " of the queue's capacity they wait in YARN's own list, where Dripfeed cannot start them. Set it"
        + " to " + needed + " in this queue" + (few.isEmpty() ? "" : ": " + few));
  }

  /** All drivers are on one label where that is the default for them, and the executors are elsewhere. */
  private void adviseOnDriversLabel(QueueReport report) {
    String property = files.get(DRIVERS_LABEL) == null ? DRIVERS_LABEL_OF_EMR : DRIVERS_LABEL;
    String label = Objects.toString(files.get(property), "");
    if (label.isEmpty()) {
      return;
    }
    String prefix = SchedulerFiles.LABELS.substring(1) + label + ".";
    String capacity = files.own(report.queue, prefix + "capacity");
    report.adviseIf(capacity == null || SchedulerFiles.number(capacity, 1) == 0, property + " is " + label
        + ": AMs run on this label, and the queue has no capacity on it: YARN starts one AM at a time at"
        + " most. Set " + prefix + "capacity in this queue and in those above it");
    if (files.own(report.queue, prefix + AM_LIMIT) == null) {
      adviseOnAmLimit(prefix + AM_LIMIT, files.get(report.queue, AM_LIMIT), OF_LABEL, report);
    }
    String executors = Objects.toString(files.nearest(report.queue, "default-node-label-expression"), "");
    String most = (executors.isEmpty() ? "" : SchedulerFiles.LABELS.substring(1) + executors + ".")
        + "maximum-capacity";
    report.adviseIf(SchedulerFiles.upFrom(report.queue).stream()
        .anyMatch(level -> SchedulerFiles.number(files.own(level, most), 1) == 0), property + " is " + label
        + ", and " + most + " is 0: AMs start, and executors have no room");
  }

  private void adviseOnYarnsPreemption(QueueReport report) {
    report.adviseIf(report.has(PolicyProperty.ORDER, PolicyProperty.FIFO)
        && files.isTrue(INTRA_QUEUE + "enabled")
        && "priority_first".equalsIgnoreCase(files.get(INTRA_QUEUE + "preemption-order-policy")),
        "order=fifo, and YARN's intra-queue preemption goes by priority: it preempts containers for"
            + " applications of higher priority, but the order gives them to the oldest; use"
            + " order=priority, or " + INTRA_QUEUE + "preemption-order-policy=userlimit_first");
  }

  private void adviseOnStarts(QueueReport report) {
    int starts = report.starts();
    double queueMb = sizes.guaranteedMb(report.queue);
    report.adviseIf(starts > 1 && queueMb >= 0 && (double) starts * driverMb > queueMb,
        "max-starting=" + starts + " on a queue of " + Math.round(queueMb) + " MB: that many AMs of the"
            + " smallest size, " + driverMb + " MB, would fill the queue and leave no room for an"
            + " executor");
  }

  /**
   * Nobody should have the default, which is far too slow for most queues, without having chosen it. To
   * write a number is to choose it.
   */
  private void adviseOnOneAtATime(QueueReport report) {
    boolean inGroup = !report.isAlone();
    report.adviseIf(files.own(report.queue, "ordering-policy.state-aware.max-starting") == null,
        "max-starting is not set, so one application at a time starts" + (inGroup
            ? " in all queues of the starting-group together" : "")
            + ", which is slow where many arrive; set state-aware.max-starting to auto"
            + (inGroup ? ", without starting-group, in all of these queues" : "")
            + ", or, where " + (inGroup ? "their cluster" : "the queue")
            + " holds little more than one application, to 1: then this advice ends");
  }

  /** What YARN does to applications while they are held. */
  private void adviseOnHeld(QueueReport report) {
    for (String name : new String[] {"maximum-application-lifetime", "default-application-lifetime"}) {
      String seconds = files.nearest(report.queue, name);
      report.adviseIf(SchedulerFiles.number(seconds, -1) > 0, name + " is " + seconds + " s: it counts from"
          + " the submission, also while an application is held");
    }
    String most = files.own(report.queue, "maximum-applications");
    // A cluster of 100 makes percentages of sizes.
    double share = new QueueSizes(files, 100).guaranteedMb(report.queue) / 100;
    double all = SchedulerFiles.number(files.get(SchedulerFiles.PREFIX + "maximum-applications"), 10_000);
    double count = SchedulerFiles.number(most, share >= 0 ? all * share : -1);
    report.adviseIf(count >= 0 && count <= FEW_APPLICATIONS, "maximum-applications is " + Math.round(count)
        + ": held applications count, and submissions beyond it fail; raise it in this queue");
    report.adviseIf(SchedulerFiles.upFrom(report.queue).stream()
        .anyMatch(level -> "STOPPED".equals(files.own(level, "state"))),
        "the queue, or one above it, is STOPPED: it takes no applications");
  }

  private void adviseOnTakeBack(QueueReport report) {
    report.adviseIf("1".equals(files.get(YarnConfiguration.RM_AM_MAX_ATTEMPTS)), "take-back=on, and "
        + YarnConfiguration.RM_AM_MAX_ATTEMPTS
        + "=1: an application with one attempt is never taken back");
    report.adviseIf(files.isTrue(SchedulerFiles.PREFIX + "lazy-preemption-enabled"), "take-back=on"
        + ", and YARN's preemption is lazy: it only marks the AM, which goes on until an application"
        + " of another queue needs its room");
    report.adviseIf(Boolean.parseBoolean(files.nearest(report.queue, "disable_preemption")),
        "take-back=on has no effect: disable_preemption is set for this queue");
  }

  private void adviseOnReclaim(QueueReport report) {
    String policies = YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES;
    boolean runs = files.isTrue(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS)
        && files.lists(policies, RECLAIM_POLICY);
    report.adviseIf(report.has(PolicyProperty.ORDER, PolicyProperty.FIFO), "reclaim.enabled with"
        + " order=fifo: in the order by submission alone, no container is reclaimed");
    report.adviseIf(!runs, "reclaim.enabled, and the ResourceManager does not run the policy: set "
        + YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS + "=true and add "
        + RECLAIM_POLICY + " to " + policies + " in yarn-site.xml"
        + (files.knowsYarnSite ? "" : " (none was given to this check)"));
    report.adviseIf(
        runs && files.lists(policies, YARN_PREEMPTION) && files.isTrue(INTRA_QUEUE + "enabled"),
        "reclaim and YARN's intra-queue preemption both preempt containers within this queue: each ignores"
            + " the containers that the other has selected, but one is enough; set"
            + " intra-queue-preemption.disable_preemption=true in this queue");
  }

  /**
   * Advises on queues without {@code auto} that share a parent and name no common starting-group: each of
   * them starts a driver at once. Adds reports on parents.
   */
  private void adviseOnGroups() {
    Map<String, List<QueueReport>> below = new TreeMap<>(Comparator.reverseOrder());
    for (QueueReport report : result.getQueues()) {
      if (report.has(PolicyProperty.ENFORCE, PolicyProperty.TRUE) && !report.isAuto()) {
        String parent = SchedulerFiles.parentOf(report.queue);
        if (report.isAlone() && SchedulerFiles.isTemplate(report.queue)) {
          adviseOnTemplate(parent, report);
        }
        SchedulerFiles.upFrom(parent)
            .forEach(above -> below.computeIfAbsent(above, path -> new ArrayList<>()).add(report));
      }
    }
    // The lowest parents come first: their advice may change what holds for those above.
    Set<String> advisedBelow = new HashSet<>();
    below.forEach((parent, queues) -> {
      if (!advisedBelow.contains(parent) && adviseOnQueues(parent, queues)) {
        advisedBelow.addAll(SchedulerFiles.upFrom(parent));
      }
    });
  }

  private void adviseOnTemplate(String parent, QueueReport template) {
    double parentMb = sizes.guaranteedMb(parent);
    int starts = template.starts();
    String fill = !(parentMb >= 0) ? ""
        : ": " + (long) Math.ceil(parentMb / driverMb / starts) + " of them, with AMs of the smallest size"
            + " (" + driverMb + " MB), fill its " + Math.round(parentMb) + " MB";
    template.advice.add("each created queue starts "
        + (starts == 1 ? "its own application" : starts + " applications of its own")
        + ", so many queues together fill " + parent + " with AMs" + fill + ". Set max-starting to auto");
  }

  /** Of a template only its group counts, since the number of queues that YARN creates is not known. */
  private boolean adviseOnQueues(String parent, List<QueueReport> below) {
    double parentMb = sizes.guaranteedMb(parent);
    List<QueueReport> listed = below.stream().filter(queue -> !SchedulerFiles.isTemplate(queue.queue))
        .collect(Collectors.toList());
    int queues = listed.size();
    long alone = listed.stream().filter(QueueReport::isAlone).count();
    long starts = below.stream()
        .filter(queue -> !queue.isAlone() || !SchedulerFiles.isTemplate(queue.queue))
        .collect(Collectors.toMap(queue ->
            queue.isAlone() ? queue : queue.properties.get(PolicyProperty.STARTING_GROUP.key()),
            QueueReport::starts, Math::max))
        .values().stream().mapToLong(Integer::longValue).sum();
    boolean filled = alone > 0 && queues > 1 && parentMb >= 0 && (double) starts * driverMb >= parentMb;
    if (filled) {
      result.report(parent, QueueReport.NO_POLICY).advice.add("its " + queues
          + " state-aware queues start " + starts + " applications at once, and " + alone
          + " of them name no starting-group: " + (long) Math.ceil(parentMb / driverMb)
          + " AMs of the smallest size, " + driverMb + " MB, fill its " + Math.round(parentMb)
          + " MB and leave no room for an executor; let these queues count together: set max-starting to"
          + " auto, or starting-group to the same name, in all of them");
    }
    return filled;
  }
}
