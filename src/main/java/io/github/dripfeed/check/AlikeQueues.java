/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.check;

import java.util.ArrayList;
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
 * than the maximum of one; so a refusal of it says nothing.
 */
final class AlikeQueues {

  /** Names of queues that YARN reads as they are written. */
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_-]+");
  /** A percentage or a weight. Amounts of resources cannot be multiplied so simply. */
  private static final Pattern CAPACITY = Pattern.compile("(\\d+(?:\\.\\d+)?)(w?)");
  /** Properties that speak of single queues, which must exist. */
  private static final Pattern SPEAKS_OF_QUEUES = Pattern.compile("mapping|placement");
  private static final String OF_ONE_QUEUE = SchedulerFiles.PREFIX + SchedulerFiles.ROOT + ".";
  private static final String CAPACITY_NAME = "capacity";
  private static final String QUEUES = ".queues";
  private static final String LABELS = "accessible-node-labels.";

  private final SchedulerFiles files;
  private final Map<String, String> shorter;
  /** How often each name is listed: before Hadoop 3.3 two leaf queues must not have the same one. */
  private final Map<String, Integer> named = new HashMap<>();

  private AlikeQueues(SchedulerFiles files, SortedMap<String, String> whole) {
    this.files = files;
    shorter = new TreeMap<>(whole);
    files.parentQueues().forEach(parent ->
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
      files.parentQueues().forEach(parent -> alike.merge(parent, whole));
    }
    return alike.shorter;
  }

  private static boolean speaksOfQueues(String name) {
    return !name.startsWith(OF_ONE_QUEUE) && SPEAKS_OF_QUEUES.matcher(name).find();
  }

  private void merge(String parent, SortedMap<String, String> whole) {
    Map<Map<String, String>, List<String>> byProperties = new HashMap<>();
    List<String> left = new ArrayList<>();
    for (String child : files.children(parent)) {
      Map<String, String> properties = mergeable(parent, child, whole);
      List<String> alike = properties == null ? new ArrayList<>()
          : byProperties.computeIfAbsent(properties, p -> new ArrayList<>());
      if (alike.isEmpty()) {
        left.add(child);
      }
      alike.add(child);
    }
    if (left.size() < files.children(parent).size()) {
      shorter.put(SchedulerFiles.PREFIX + parent + QUEUES, String.join(",", left));
      byProperties.forEach((properties, alike) -> merge(parent, properties, alike));
    }
  }

  /** The properties of the queue, by their names below it; null if it must be left as it is. */
  private Map<String, String> mergeable(String parent, String child, SortedMap<String, String> whole) {
    String path = parent + "." + child;
    if (!files.isLeaf(path) || named.get(child) > 1 || !PLAIN_NAME.matcher(child).matches()) {
      return null;
    }
    Map<String, String> properties = SchedulerFiles.below(SchedulerFiles.PREFIX + path + ".", whole);
    String capacity = properties.get(CAPACITY_NAME);
    boolean isMergeable = capacity != null && CAPACITY.matcher(capacity.trim()).matches()
        && properties.keySet().stream().noneMatch(name -> name.startsWith(LABELS));
    return isMergeable ? properties : null;
  }

  private void merge(String parent, Map<String, String> properties, List<String> alike) {
    Matcher capacity = CAPACITY.matcher(properties.get(CAPACITY_NAME).trim());
    if (alike.size() == 1 || !capacity.matches()) {
      return;
    }
    for (String child : alike.subList(1, alike.size())) {
      String prefix = SchedulerFiles.PREFIX + parent + "." + child + ".";
      properties.keySet().forEach(name -> shorter.remove(prefix + name));
    }
    // Added up as YARN adds, so that what rounding errors do to the sum is the same.
    float one = Float.parseFloat(capacity.group(1));
    float all = 0;
    for (int i = 0; i < alike.size(); i++) {
      all += one;
    }
    shorter.put(SchedulerFiles.PREFIX + parent + "." + alike.get(0) + "." + CAPACITY_NAME,
        all + capacity.group(2));
  }
}
