// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingMonitorManager;

/** Checks the list of scheduling monitors: with a wrong entry a ResourceManager does not start. */
final class MonitorCheck {

  private static final String POLICIES = YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES;

  private MonitorCheck() {
  }

  /** What is wrong with the list; empty if YARN does not read it, or takes it. */
  static List<String> errors(SchedulerFiles files) {
    String list = files.all.get(POLICIES);
    return list != null && files.isTrue(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS)
        ? errors(list, trims()) : Collections.emptyList();
  }

  /** @param trims whether YARN removes white space around the entries */
  static List<String> errors(String list, boolean trims) {
    Collection<String> entries = trims ? Arrays.asList(StringUtils.getTrimmedStrings(list))
        : StringUtils.getStringCollection(list);
    return entries.stream().map(MonitorCheck::problem).filter(Objects::nonNull).map(problem ->
        POLICIES + " = '" + QueueCheck.shown(list) + "': " + problem + ", so the ResourceManager would not"
            + " start; allowed are classes of scheduling monitors, with nothing but commas between them,"
            + " such as " + QueueCheck.YARN_PREEMPTION + "," + QueueCheck.RECLAIM_POLICY)
        .collect(Collectors.toList());
  }

  private static String problem(String entry) {
    if (!entry.equals(entry.trim())) {
      return "white space around '" + entry.trim() + "', which YARN does not trim here";
    } else if (entry.equals(QueueCheck.RECLAIM_POLICY)) {
      // The jar of this command is not on the class path from which YARN takes classes.
      return null;
    }
    Class<?> found = QueueCheck.yarnsClass(entry);
    return found == null ? "'" + entry + "': no such class on the class path of this check"
        : SchedulingEditPolicy.class.isAssignableFrom(found) ? null
            : "'" + entry + "' is no scheduling monitor (SchedulingEditPolicy)";
  }

  /** Whether this YARN trims entries, as from Hadoop 3.4 on: it is given one, and says how it read it. */
  static boolean trims() {
    Configuration probe = new Configuration(false);
    probe.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, true);
    probe.set(POLICIES, " no.such.Monitor");
    try {
      new SchedulingMonitorManager().initialize(null, probe);
      return true;
    } catch (YarnException e) {
      return !String.valueOf(e.getMessage()).contains(" no.such.Monitor");
    } catch (RuntimeException | LinkageError e) {
      return true;
    }
  }
}
