// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.tool.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.util.VersionUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** What YARN refuses, in the terms of the files: which property, its value, and what is allowed. */
final class YarnCheck {

  /** Properties of queues, and of all queues together, whose value is a number. */
  private static final Set<String> NUMBERS = new HashSet<>(Arrays.asList("maximum-am-resource-percent",
      "user-limit-factor", "minimum-user-limit-percent", "maximum-applications", "max-parallel-apps",
      "priority", "maximum-allocation-mb", "maximum-allocation-vcores", "default-application-priority",
      "maximum-application-lifetime", "default-application-lifetime", "node-locality-delay",
      "rack-locality-additional-delay"));
  private static final List<String> CAPACITIES = Arrays.asList("capacity", "maximum-capacity");
  /** Further properties of queues, which say of what queue a file speaks. */
  private static final List<String> OTHERS = Arrays.asList("ordering-policy", "queues", "state",
      "acl_submit_applications", "acl_administer_queue", "accessible-node-labels");
  /** What has properties of the same names, and is no queue. */
  private static final Pattern WITHIN_QUEUE = Pattern.compile("\\.(accessible-node-labels|ordering-policy|"
      + "(leaf-queue-template|auto-queue-creation-v2\\.(leaf-|parent-)?template)(\\.|$))");
  private static final Pattern CAPACITY =
      Pattern.compile("\\d+(\\.\\d+)?[wu%]?|\\d+(\\.\\d+)?[eE][-+]?\\d+|\\[.*\\]");
  /** The message of Java's for what is no number, which is all that YARN says then. */
  private static final Pattern NO_NUMBER = Pattern.compile("For input string: \"([^\"]+)\"");
  private static final List<String> STORES = Arrays.asList("memory", "leveldb", "zk", "fs");
  private static final int SHOWN = 5;
  private static final boolean TRIMS_MONITORS =
      VersionUtil.compareVersions(VersionInfo.getVersion(), "3.4.0") >= 0;

  private final SchedulerFiles files;
  private final CheckResult result;

  YarnCheck(CheckResult result) {
    this.files = result.files;
    this.result = result;
  }

  /** Adds to the result what YARN ignores without a word, or would refuse with fewer words. */
  void checkNames() {
    checkScheduler();
    checkMonitors();
    checkStore();
    checkParents();
    checkPaths();
  }

  /** Adds to the result what YARN's own validation says. */
  void validate() {
    String refusal = YarnValidation.refusal(forYarn(files));
    add(refusal == null ? null : YarnValidation.obstacle(), refusal);
  }

  /** Takes what stops YARN on a configuration without fault, and why it refuses this one; or null. */
  void add(String obstacle, String refusal) {
    if (obstacle != null) {
      result.advice.add("YARN's own validation did not run, and only Dripfeed's rules are checked; it"
          + " stops on a configuration without fault as well: " + obstacle);
    } else if (refusal == null) {
      result.yarn = "accepts";
    } else {
      result.yarn = "refuses";
      result.errors.add("YARN refuses the configuration: " + refusal);
    }
    if (obstacle != null || refusal != null) {
      checkNumbers(obstacle == null ? refusal : "");
    }
  }

  private QueueReport report(String path) {
    return result.report(path, QueueReport.NO_POLICY);
  }

  /** For YARN's validation, without our policies: Dripfeed's own rules are checked anyway. */
  static SortedMap<String, String> forYarn(SchedulerFiles files) {
    SortedMap<String, String> given = new TreeMap<>(files.all);
    for (String path : files.leafQueues()) {
      if (files.orderingPolicy(path).trim().startsWith(QueueCheck.OURS)) {
        SchedulerFiles.startingWith(SchedulerFiles.PREFIX + path + SchedulerFiles.POLICY, given).clear();
      }
    }
    return given;
  }

  private void checkScheduler() {
    String property = YarnConfiguration.RM_SCHEDULER;
    String scheduler = files.get(property);
    Class<?> found = scheduler == null ? CapacityScheduler.class : QueueCheck.yarnsClass(scheduler);
    if (found == null || !CapacityScheduler.class.isAssignableFrom(found)) {
      result.errors.add(property + " = '" + scheduler + "': " + (found == null
          ? "no such class on the class path of this check"
          : "this scheduler reads neither the queues of this file nor their ordering policies")
          + "; allowed is " + CapacityScheduler.class.getName() + ", YARN's default");
    }
  }

  /** With a wrong entry in the list of scheduling monitors a ResourceManager does not start. */
  private void checkMonitors() {
    String property = YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES;
    String list = files.all.get(property);
    if (list == null || !files.isTrue(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS)) {
      return;
    }
    Collection<String> entries = TRIMS_MONITORS ? Arrays.asList(StringUtils.getTrimmedStrings(list))
        : StringUtils.getStringCollection(list);
    entries.stream().map(YarnCheck::problem).filter(Objects::nonNull).forEach(problem -> result.errors.add(
        property + " = '" + QueueCheck.shown(list) + "': " + problem + ", so the ResourceManager would not"
            + " start; allowed are classes of scheduling monitors, with nothing but commas between them,"
            + " such as " + QueueCheck.YARN_PREEMPTION + "," + QueueCheck.RECLAIM_POLICY));
  }

  private static String problem(String monitor) {
    if (!monitor.equals(monitor.trim())) {
      return "white space around '" + monitor.trim() + "', which YARN does not trim here";
    } else if (monitor.equals(QueueCheck.RECLAIM_POLICY)) {
      // The jar of this command is not on the class path from which YARN takes classes.
      return null;
    }
    Class<?> found = QueueCheck.yarnsClass(monitor);
    return found == null ? "'" + monitor + "': no such class on the class path of this check"
        : SchedulingEditPolicy.class.isAssignableFrom(found) ? null
            : "'" + monitor + "' is no scheduling monitor (SchedulingEditPolicy)";
  }

  private void checkStore() {
    String property = YarnConfiguration.SCHEDULER_CONFIGURATION_STORE_CLASS;
    String store = files.get(property);
    if (STORES.contains(store)) {
      result.advice.add(property + " = '" + store + "': the queues are in this store, which takes the"
          + " file only when it is empty: what counts may differ from what is checked here; check what"
          + " GET /ws/v1/cluster/scheduler-conf of the ResourceManager returns, and change it with PUT;"
          + " with 'file', YARN's default, the file counts");
    } else if (store != null && !store.equals("file")) {
      result.errors.add(property + " = '" + store
          + "': allowed is file (YARN's default), memory, leveldb, zk or fs");
    }
  }

  private void checkParents() {
    for (String path : files.parentQueues()) {
      String policy = files.orderingPolicy(path).trim();
      if ("true".equalsIgnoreCase(files.own(path, "auto-create-child-queue.enabled"))
          && "true".equalsIgnoreCase(files.own(path, "auto-queue-creation-v2.enabled"))) {
        report(path).advice.add("both kinds of auto-creation are enabled; set"
            + " auto-create-child-queue.enabled or auto-queue-creation-v2.enabled to false");
      }
      if (policy.startsWith(QueueCheck.OURS)
          || files.own(path, "ordering-policy") != null && QueueCheck.YARNS.contains(policy)) {
        List<String> children = files.children(path);
        report(path).errors.add("ordering-policy = '" + policy + "': it is a parent queue, and that"
            + " policy orders the applications of a leaf queue; allowed here are utilization and"
            + " priority-utilization; set the policy in "
            + (children.isEmpty() ? "the template of the queues that it creates"
                : "its leaf queues (" + Text.some(children, SHOWN) + ")"));
      }
    }
  }

  /** Advises on settings of queues that no list of queues names: YARN ignores them without a word. */
  private void checkPaths() {
    Map<String, List<String>> unknown = new TreeMap<>();
    for (String property : files.properties.keySet()) {
      String name = nameOf(property);
      boolean isOfQueue = NUMBERS.contains(name) || CAPACITIES.contains(name) || OTHERS.contains(name);
      if (isOfQueue && isUnknown(pathOf(property))) {
        unknown.computeIfAbsent(pathOf(property), path -> new ArrayList<>()).add(name);
      }
    }
    unknown.forEach((path, names) -> {
      String above = SchedulerFiles.parentOf(path);
      report(path).advice.add("no such queue, so " + String.join(", ", names)
          + " of it have no effect: " + (files.mayExist(above)
              ? SchedulerFiles.PREFIX + above + ".queues is '"
                  + Text.some(files.children(above), SHOWN) + "'"
              : above + " does not exist either"));
    });
  }

  /** A template that is not below the root is that of no queue. */
  private boolean isUnknown(String path) {
    return path.startsWith(SchedulerFiles.ROOT + ".")
        ? !WITHIN_QUEUE.matcher(path).find() && !files.mayExist(path) : SchedulerFiles.isTemplate(path);
  }

  /** The path of the queue in the name of a property; empty if it is of all queues. */
  private static String pathOf(String property) {
    int start = SchedulerFiles.PREFIX.length();
    int label = property.indexOf(SchedulerFiles.LABELS, start);
    return property.substring(start, Math.max(start, label < 0 ? property.lastIndexOf('.') : label));
  }

  private static String nameOf(String property) {
    return property.substring(property.lastIndexOf('.') + 1);
  }

  private void checkNumbers(String refusal) {
    Matcher noNumber = NO_NUMBER.matcher(refusal);
    String named = noNumber.find() ? noNumber.group(1).trim() : null;
    files.properties.forEach((property, written) -> {
      String name = nameOf(property);
      String value = written.trim();
      boolean isNumber = SchedulerFiles.NUMBER.matcher(value).matches();
      if (NUMBERS.contains(name) && !isNumber) {
        refuse(property, value, "a number"
            + (name.equals("maximum-am-resource-percent") ? ", such as 0.1" : ""));
      } else if (CAPACITIES.contains(name) && !CAPACITY.matcher(value).matches()
          && property.startsWith(SchedulerFiles.PREFIX + SchedulerFiles.ROOT)
          && !(name.startsWith("maximum") && isNumber)) {
        refuse(property, value, "a percentage such as 40, a weight such as 2w, or resources such as"
            + " [memory=4096,vcores=4]");
      } else if (value.equals(named)) {
        refuse(property, value, "a number, in YARN " + result.hadoop);
      }
    });
  }

  private void refuse(String property, String value, String allowed) {
    String path = pathOf(property);
    (path.isEmpty() ? result.errors : report(path).errors).add(
        (path.isEmpty() ? property : property.substring(SchedulerFiles.PREFIX.length() + path.length() + 1))
            + " = '" + value + "': allowed is " + allowed);
  }
}
