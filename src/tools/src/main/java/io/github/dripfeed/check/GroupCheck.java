// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.config.PolicyProperty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Gives advice on state-aware queues without {@code auto} that share a parent and name no common
 * starting-group: each of them starts a driver at once.
 */
final class GroupCheck {

  private final QueueSizes sizes;
  private final int driverMb;

  GroupCheck(QueueSizes sizes) {
    this.sizes = sizes;
    this.driverMb = sizes.leastContainerMb();
  }

  /** Adds advice to the reports of templates, and reports on parents whose queues need it. */
  void advise(List<QueueReport> reports) {
    Map<String, List<QueueReport>> below = new TreeMap<>(Comparator.reverseOrder());
    for (QueueReport report : reports) {
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
      if (!advisedBelow.contains(parent) && adviseOnQueues(parent, queues, reports)) {
        advisedBelow.addAll(SchedulerFiles.upFrom(parent));
      }
    });
  }

  private void adviseOnTemplate(String parent, QueueReport template) {
    double parentMb = sizes.guaranteedMb(parent);
    int starts = template.starts();
    String fill = parentMb < 0 ? ""
        : ": " + (long) Math.ceil(parentMb / driverMb / starts) + " of them, with AMs of the smallest size"
            + " (" + driverMb + " MB), fill its " + Math.round(parentMb) + " MB";
    template.advice.add("each created queue starts "
        + (starts == 1 ? "its own application" : starts + " applications of its own")
        + ", so many queues together fill " + parent + " with AMs" + fill + ". Set max-starting to auto");
  }

  /** Of a template only its group counts, since the number of queues that YARN creates is not known. */
  private boolean adviseOnQueues(String parent, List<QueueReport> below, List<QueueReport> reports) {
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
      reports.add(new QueueReport(parent, QueueReport.NO_POLICY, "its " + queues
          + " state-aware queues start " + starts + " applications at once, and " + alone
          + " of them name no starting-group: " + (long) Math.ceil(parentMb / driverMb)
          + " AMs of the smallest size, " + driverMb + " MB, fill its " + Math.round(parentMb)
          + " MB and leave no room for an executor; let these queues count together: set max-starting to"
          + " auto, or starting-group to the same name, in all of them"));
    }
    return filled;
  }
}
