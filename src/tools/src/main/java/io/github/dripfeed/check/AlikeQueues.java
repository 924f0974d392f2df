// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a shorter configuration that YARN refuses if it refuses the whole one: of leaf queues that differ
 * in nothing but their name, one is left, with the capacity of all of them. YARN takes seconds to make some
 * thousand queues, and its validation looks at each alone and at the sum of their capacities.
 *
 * <p>The shorter one may be refused where the whole one is not, such as when the capacity of all is larger
 * than the maximum of one; so a refusal of it says nothing. Whatever is unusual stays as it is.
 */
final class AlikeQueues {

  /** Without a hyphen: a property of the parent queue may begin with such a name, as user-settings do. */
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_]+");
  private static final String WEIGHT = "w";
  /** A percentage or a weight. Amounts of resources cannot be multiplied so simply. */
  private static final Pattern CAPACITY = Pattern.compile("(\\d+(?:\\.\\d+)?)(" + WEIGHT + "?)");
  /** Less than the deviation from 1 that YARN tolerates in the sum of capacities, 0.0005. */
  private static final float TOLERANCE = 0.0004f;
  /** Properties that speak of single queues, which must exist. */
  private static final Pattern SPEAKS_OF_QUEUES = Pattern.compile("mapping|placement");
  private static final String OF_ONE_QUEUE = SchedulerFiles.PREFIX + SchedulerFiles.ROOT + ".";
  private static final String CAPACITY_NAME = "capacity";
  /** Before Hadoop 3.3 YARN makes a queue with a name of its own below such a queue. */
  private static final String RESERVABLE = "reservable";

  private final SchedulerFiles files;
  private final SortedMap<String, String> whole;
  private final Map<String, String> shorter;
  /** How often each name is listed: before Hadoop 3.3 two leaf queues must not have the same one. */
  private final Map<String, Integer> named = new HashMap<>();

  private AlikeQueues(SchedulerFiles files, SortedMap<String, String> whole) {
    this.files = files;
    this.whole = whole;
    shorter = new TreeMap<>(whole);
    files.queues().forEach(parent ->
        files.children(parent).forEach(child -> named.merge(child, 1, Integer::sum)));
  }

  /**
   * The shorter configuration.
   *
   * @param files says which queues there are
   * @param whole the properties for YARN
   * @return as many properties as {@code whole} if no queues are alike
   */
  static Map<String, String> merged(SchedulerFiles files, SortedMap<String, String> whole) {
    AlikeQueues alike = new AlikeQueues(files, whole);
    if (whole.keySet().stream().noneMatch(AlikeQueues::speaksOfQueues)) {
      files.parentQueues().stream().filter(alike::isUsual).forEach(alike::mergeBelow);
    }
    return alike.shorter;
  }

  private static boolean speaksOfQueues(String name) {
    return !name.startsWith(OF_ONE_QUEUE) && SPEAKS_OF_QUEUES.matcher(name).find();
  }

  /** Whether YARN reads the names of the queues below as they are written, and their capacities add up. */
  private boolean isUsual(String parent) {
    String names = files.written(SchedulerFiles.PREFIX + parent + SchedulerFiles.QUEUES);
    return names != null
        && Arrays.stream(names.split(",", -1)).allMatch(name -> PLAIN_NAME.matcher(name.trim()).matches())
        && addUp(parent);
  }

  /** In the order and with the rounding errors of YARN's own sum. */
  private boolean addUp(String parent) {
    int weights = 0;
    float sum = 0;
    for (String child : files.children(parent)) {
      Matcher capacity = CAPACITY.matcher(whole.getOrDefault(prefix(parent, child) + CAPACITY_NAME, ""));
      if (!capacity.matches()) {
        return false;
      } else if (capacity.group(2).isEmpty()) {
        sum += Float.parseFloat(capacity.group(1)) / 100;
      } else {
        weights++;
      }
    }
    return weights == 0 ? Math.abs(1 - sum) <= TOLERANCE : weights == files.children(parent).size();
  }

  private void mergeBelow(String parent) {
    Map<Map<String, String>, List<String>> byProperties = new HashMap<>();
    List<String> left = new ArrayList<>();
    for (String child : files.children(parent)) {
      Map<String, String> properties = SchedulerFiles.below(prefix(parent, child), whole);
      List<String> alike = isMergeable(parent, child, properties)
          ? byProperties.computeIfAbsent(properties, p -> new ArrayList<>()) : new ArrayList<>();
      if (alike.isEmpty()) {
        left.add(child);
      }
      alike.add(child);
    }
    shorter.put(SchedulerFiles.PREFIX + parent + SchedulerFiles.QUEUES, String.join(",", left));
    byProperties.forEach((properties, alike) -> merge(parent, properties, alike));
  }

  private boolean isMergeable(String parent, String child, Map<String, String> properties) {
    return named.get(child) == 1 && files.isLeaf(parent + "." + child)
        && !properties.containsKey(RESERVABLE)
        && properties.keySet().stream().noneMatch(name -> ("." + name).startsWith(SchedulerFiles.LABELS));
  }

  private void merge(String parent, Map<String, String> properties, List<String> alike) {
    if (alike.size() == 1) {
      return;
    }
    for (String child : alike.subList(1, alike.size())) {
      properties.keySet().forEach(name -> shorter.remove(prefix(parent, child) + name));
    }
    String one = properties.get(CAPACITY_NAME);
    String unit = one.endsWith(WEIGHT) ? WEIGHT : "";
    shorter.put(prefix(parent, alike.get(0)) + CAPACITY_NAME,
        alike.size() * Float.parseFloat(one.substring(0, one.length() - unit.length())) + unit);
  }

  private static String prefix(String parent, String child) {
    return SchedulerFiles.PREFIX + parent + "." + child + ".";
  }
}
