// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.config.PolicyKind;
import io.github.dripfeed.config.PolicyProperty;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Gives advice on state-aware queues that share a parent and name no common starting-group: each of them
 * starts a driver at once.
 */
final class GroupCheck {

  /** The state-aware queues below one parent, at whatever depth. */
  private static final class Siblings {
    final Map<String, Integer> startsOfGroups = new HashMap<>();
    int queues;
    int alone;
    long startsAlone;

    void add(QueueReport queue, boolean template) {
      String group = queue.properties.get(PolicyProperty.STARTING_GROUP.key());
      int starts = startsOf(queue);
      if (!group.isEmpty()) {
        startsOfGroups.merge(group, starts, Math::max);
      } else if (!template) {
        startsAlone += starts;
        alone++;
      }
      queues += template ? 0 : 1;
    }

    long starts() {
      return startsAlone + startsOfGroups.values().stream().mapToLong(Integer::longValue).sum();
    }
  }

  /** The ordering policy of a queue that is no leaf queue. */
  static final String NONE = "none";

  private final QueueSizes sizes;
  private final int driverMb;

  GroupCheck(QueueSizes sizes) {
    this.sizes = sizes;
    this.driverMb = sizes.leastContainerMb();
  }

  /**
   * Adds advice to the reports of templates, and a report for each parent on whose queues there is advice.
   *
   * @param reports the reports of all leaf queues and templates
   */
  void advise(List<QueueReport> reports) {
    Map<String, Siblings> byParent = new TreeMap<>(Comparator.reverseOrder());
    for (QueueReport report : reports) {
      if (PolicyKind.of(report.orderingPolicy) != null) {
        boolean template = SchedulerFiles.isTemplate(report.queue);
        String parent = SchedulerFiles.parentOf(report.queue);
        if (template && isAlone(report)) {
          adviseOnTemplate(parent, report);
        }
        for (; !parent.isEmpty(); parent = SchedulerFiles.parentOf(parent)) {
          byParent.computeIfAbsent(parent, p -> new Siblings()).add(report, template);
        }
      }
    }
    // The lowest parents come first: their advice may change what holds for those above.
    Set<String> advisedBelow = new HashSet<>();
    byParent.forEach((parent, siblings) -> {
      if (!advisedBelow.contains(parent) && adviseOnQueues(parent, siblings, reports)) {
        for (String above = parent; !above.isEmpty(); above = SchedulerFiles.parentOf(above)) {
          advisedBelow.add(above);
        }
      }
    });
  }

  /** How many applications start at once. */
  private static int startsOf(QueueReport queue) {
    return Integer.parseInt(queue.properties.get(PolicyProperty.MAX_STARTING.key()));
  }

  /** Whether the queue names no group. */
  static boolean isAlone(QueueReport queue) {
    return queue.properties.get(PolicyProperty.STARTING_GROUP.key()).isEmpty();
  }

  private void adviseOnTemplate(String parent, QueueReport template) {
    double parentMb = sizes.guaranteedMb(parent);
    int starts = startsOf(template);
    String fill = parentMb < 0 ? "as many of them as drivers fit into " + parent + " fill it"
        : (long) Math.ceil(parentMb / driverMb / starts) + " of them, with drivers of the minimum size, "
            + driverMb + " MB, fill the " + Math.round(parentMb) + " MB of " + parent;
    template.advice.add("each queue that YARN creates from it starts "
        + (starts == 1 ? "an application" : starts + " applications") + " at once, however many queues"
        + " there are; " + fill + " and leave no room for an executor; let them count together: set "
        + PolicyProperty.STARTING_GROUP.key() + " to a name");
  }

  private boolean adviseOnQueues(String parent, Siblings siblings, List<QueueReport> reports) {
    double parentMb = sizes.guaranteedMb(parent);
    boolean filled = siblings.alone > 0 && siblings.queues > 1 && parentMb >= 0
        && (double) siblings.starts() * driverMb >= parentMb;
    if (filled) {
      QueueReport report = new QueueReport(parent, NONE);
      report.advice.add("its " + siblings.queues + " state-aware queues start " + siblings.starts()
          + " applications at once, and " + siblings.alone + " of them name no "
          + PolicyProperty.STARTING_GROUP.key() + ": " + (long) Math.ceil(parentMb / driverMb)
          + " drivers of the minimum size, " + driverMb + " MB, fill its " + Math.round(parentMb)
          + " MB and leave no room for an executor; let these queues count together: set "
          + PolicyProperty.STARTING_GROUP.key() + " to the same name in all of them");
      reports.add(report);
    }
    return filled;
  }
}
