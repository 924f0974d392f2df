// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.github.dripfeed.check.CheckCommand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is left up to the maximum of a queue and of each of its parents, over all nodes of a partition, as
 * the scheduler's REST API tells. What is unknown is not a number, as is what depends on it. Immutable.
 */
public final class Rooms {

  public static final String CAPACITIES = "/capacities/queueCapacitiesByPartition";
  public static final String USAGES = "/resources/resourceUsagesByPartition";
  private static final int PERCENT = 100;

  /** A queue, and what is left in it by partition. */
  private static final class Level {
    final String path;
    final JsonNode queue;
    final Map<String, double[]> left = new HashMap<>();

    Level(String path, JsonNode queue) {
      this.path = path;
      this.queue = queue;
    }
  }

  private final Map<String, JsonNode> queues = new LinkedHashMap<>();
  private final Map<String, List<Row>> byQueue = new HashMap<>();

  /** @param scheduler the answer of {@code /ws/v1/cluster/scheduler} */
  Rooms(JsonNode scheduler) {
    Deque<Level> open = new ArrayDeque<>();
    open.add(level("root", scheduler.at("/scheduler/schedulerInfo"), null));
    // From the root down, once: what is left above a queue is computed for all below it.
    while (!open.isEmpty()) {
      Level level = open.remove();
      for (JsonNode child : level.queue.at("/queues/queue")) {
        String path = level.path + "." + child.path("queueName").asText();
        // The first one counts.
        if (!byQueue.containsKey(path)) {
          open.add(level(path, child, level));
          queues.put(path, child);
        }
      }
    }
  }

  /** @param above null for the root */
  private Level level(String path, JsonNode queue, Level above) {
    Level level = new Level(path, queue);
    List<Row> rooms = new ArrayList<>();
    for (JsonNode capacity : queue.at(CAPACITIES)) {
      String partition = capacity.path("partitionName").asText();
      double[] limit = above == null ? new double[] {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY}
          : above.left.getOrDefault(partition, new double[] {Double.NaN, Double.NaN});
      JsonNode most = capacity.path("effectiveMaxResource");
      double memory = Math.min(limit[0], left(queue, partition, most, "memory"));
      double vcores = Math.min(limit[1], left(queue, partition, most, "vCores"));
      if (level.left.putIfAbsent(partition, new double[] {memory, vcores}) == null
          && !Double.isNaN(memory + vcores)) {
        rooms.add(new Row(JsonNodeFactory.instance.objectNode().put("partition", partition)
            .put("memoryMb", (long) memory).put("vcores", (long) vcores)
            .put("usedMb", (long) used(queue, partition, "memory"))
            .put("activatedAmMb",
                ofPartition(queue.at(USAGES), partition).at("/amUsed/memory").asLong(-1))));
      }
    }
    byQueue.put(path, rooms);
    return level;
  }

  /** A row for each partition that the queue may use and whose room is known; negative beyond it. */
  public List<Row> of(String queue) {
    return byQueue.getOrDefault(queue, Collections.emptyList());
  }

  /** What YARN says of each queue below the root, by its path. */
  public Map<String, JsonNode> queues() {
    return Collections.unmodifiableMap(queues);
  }

  /** Whether this is a leaf queue with Dripfeed's policy. */
  public static boolean isStateAware(JsonNode queue) {
    return queue.path("orderingPolicyInfo").asText().startsWith("io.github.dripfeed.");
  }

  /**
   * Those with a stock policy whose drivers may hold more than a half, and leave executors less.
   *
   * @param asStock queues with Dripfeed's policy that hold nobody
   */
  public List<String> withHighAmLimit(Collection<String> asStock) {
    return queues.keySet().stream().filter(path -> amLimit(queues.get(path)) > CheckCommand.MOST_AM_SHARE
        && (asStock.contains(path) || !isStateAware(queues.get(path)))).collect(Collectors.toList());
  }

  /** Whether a leaf queue with a stock policy can be filled with drivers. */
  public static boolean isAmLimitHigh(JsonNode leaf) {
    return amLimit(leaf) > CheckCommand.MOST_AM_SHARE && !isStateAware(leaf);
  }

  /** The largest part of a leaf queue that drivers may hold; parents have none. */
  public static double amLimit(JsonNode leaf) {
    double share = 0;
    for (JsonNode capacity : leaf.at(CAPACITIES)) {
      share = Math.max(share, capacity.path("maxAMLimitPercentage").asDouble() / PERCENT);
    }
    return share;
  }

  /** The element for a partition; a missing one where there is none. */
  public static JsonNode ofPartition(JsonNode all, String partition) {
    for (JsonNode each : all) {
      if (each.path("partitionName").asText().equals(partition)) {
        return each;
      }
    }
    return all.path(-1);
  }

  private static double left(JsonNode queue, String partition, JsonNode most, String type) {
    return number(most.path(type), Double.NaN) - used(queue, partition, type);
  }

  /** The root does not tell it: there it is that of its children. */
  private static double used(JsonNode queue, String partition, String type) {
    JsonNode usages = queue.at(USAGES);
    JsonNode used = ofPartition(usages, partition).path("used");
    if (!used.isMissingNode()) {
      return number(used.path(type), 0);
    }
    // A partition that nothing is used of is left out.
    JsonNode children = usages.isArray() ? usages.path(-1) : queue.at("/queues/queue");
    double sum = usages.isArray() || children.isArray() ? 0 : Double.NaN;
    for (JsonNode child : children) {
      sum += used(child, partition, type);
    }
    return sum;
  }

  private static double number(JsonNode value, double otherwise) {
    return value.isNumber() ? value.asDouble() : otherwise;
  }
}
