// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** Whether each of a pair of ResourceManagers can take over with its own files, and what differs. */
final class PairCheck {

  /** What schedulers, their monitors and a failover go by. Others may differ: addresses do. */
  private static final Pattern COMPARED = Pattern.compile("yarn\\.(scheduler|node-labels|resource-types"
      + "|cluster|resourcemanager\\.(scheduler\\.(class|monitor)|monitor|placement-constraints|node-labels"
      + "|am\\.max-attempts|fail-fast|recovery|store|zk-state-store|cluster-id"
      + "|ha\\.(enabled|rm-ids|automatic-failover)))\\b.*");

  /** What keeps one of them on standby, or ends applications when it becomes active. */
  private final List<String> errors = new ArrayList<>();
  /** Of each property that differs, the value in effect in each folder; null where there is none. */
  private final Map<String, Map<String, String>> differences = new TreeMap<>();

  PairCheck(CheckResult one, CheckResult other) {
    TreeSet<String> names = new TreeSet<>();
    for (CheckResult each : Arrays.asList(one, other)) {
      each.errors.forEach(error -> errors.add(each.file + ": " + error));
      each.getQueues().forEach(report ->
          report.errors.forEach(error -> errors.add(each.file + ": " + report.queue + ": " + error)));
      names.addAll(each.files.all.keySet());
    }
    addMissingQueues(one, other);
    addMissingQueues(other, one);
    Configuration defaults = new Configuration(false);
    defaults.addResource("yarn-default.xml");
    names.removeIf(name -> !COMPARED.matcher(name).matches());
    for (String name : names) {
      Map<String, String> values = new LinkedHashMap<>();
      Arrays.asList(one, other).forEach(each -> values.put(each.file, inEffect(name, each, defaults)));
      if (values.values().stream().distinct().count() > 1) {
        differences.put(name, values);
      }
    }
  }

  private static String inEffect(String name, CheckResult of, Configuration defaults) {
    int end = name.indexOf(SchedulerFiles.OUR_PROPERTIES);
    QueueReport report = end <= SchedulerFiles.PREFIX.length() ? null
        : of.byPath.get(name.substring(SchedulerFiles.PREFIX.length(), end));
    String ours = report == null ? null
        : report.properties.get(name.substring(end + SchedulerFiles.OUR_PROPERTIES.length()));
    String written = of.files.all.get(name);
    return ours != null ? ours : written != null ? written : defaults.get(name);
  }

  private void addMissingQueues(CheckResult from, CheckResult of) {
    of.files.leafQueues().stream().filter(path -> !from.files.mayExist(path)).forEach(path ->
        errors.add(from.file + ": no queue " + path + ", which " + of.file + " has: when this one becomes"
            + " active, YARN kills the applications of that queue, or, with yarn.resourcemanager.fail-fast"
            + " = true, stays on standby"));
  }

  /** 0 without errors and differences, 1 with differences only, 2 with errors. */
  int exitCode() {
    return !errors.isEmpty() ? 2 : differences.isEmpty() ? 0 : 1;
  }

  Map<String, Object> document() {
    return JsonText.document("exitCode", exitCode(), "errors", errors, "differences", differences);
  }

  /** The lines for a terminal. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    differences.forEach((name, values) -> {
      lines.add(name);
      values.forEach((folder, value) ->
          lines.add("  " + folder + ": " + (value == null ? "(not set)" : QueueCheck.shown(value))));
    });
    QueueReport.add(errors, Collections.emptyList(), lines);
    lines.add("Properties of schedulers and failovers that differ: " + differences.size() + ", errors: "
        + errors.size());
    lines.add(errors.isEmpty() ? "Each can become active with its files. For the jars: check --rm"
        : "A ResourceManager with an ERROR does not start, stays on standby, or ends applications");
    lines.replaceAll(Text::safe);
    return lines;
  }
}
