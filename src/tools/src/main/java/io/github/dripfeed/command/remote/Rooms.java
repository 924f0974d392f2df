// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.dripfeed.check.CheckCommand;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is left up to the maximum of a queue and of each of its parents, over all nodes of a partition, as
 * the scheduler's REST API tells. What is unknown has no row. Immutable.
 */
public final class Rooms {

  public static final String CAPACITIES = "/capacities/queueCapacitiesByPartition";
  public static final String USAGES = "/resources/resourceUsagesByPartition";
  static final String ROOT = "root";
  private static final Row UNLIMITED = row("", Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

  /** What YARN says of each queue below the root, by its path. */
  public final Map<String, JsonNode> queues;
  /** What is left up to the maximum of each queue alone. */
  private final Map<String, List<Row>> own = new HashMap<>();

  /** @param scheduler the answer of {@code /ws/v1/cluster/scheduler} */
  Rooms(JsonNode scheduler) {
    JsonNode root = scheduler.at("/scheduler/schedulerInfo");
    Map<String, JsonNode> found = new LinkedHashMap<>();
    Deque<String> open = new ArrayDeque<>(Collections.singleton(ROOT));
    addOwn(ROOT, root);
    while (!open.isEmpty()) {
      String above = open.remove();
      for (JsonNode child : found.getOrDefault(above, root).at("/queues/queue")) {
        String path = above + "." + child.path("queueName").asText();
        // The first one counts.
        if (found.putIfAbsent(path, child) == null) {
          addOwn(path, child);
          open.add(path);
        }
      }
    }
    queues = Collections.unmodifiableMap(found);
  }

  private void addOwn(String path, JsonNode queue) {
    List<Row> rows = new ArrayList<>();
    for (JsonNode capacity : queue.at(CAPACITIES)) {
      String partition = capacity.path("partitionName").asText();
      JsonNode most = capacity.path("effectiveMaxResource");
      double memory = left(queue, partition, most, "memory");
      double vcores = left(queue, partition, most, "vCores");
      if (!Double.isNaN(memory + vcores)) {
        rows.add(row(partition, (long) memory, (long) vcores, (long) used(queue, partition, "memory"),
            ofPartition(queue.at(USAGES), partition).at("/amUsed/memory").asLong(-1)));
      }
    }
    own.put(path, rows);
  }

  private static Row row(String partition, long memoryMb, long vcores, long usedMb, long activatedAmMb) {
    return new Row(JsonNodeFactory.instance.objectNode()
        .put(Column.PARTITION.toString(), partition).put(Column.MEMORY_MB.toString(), memoryMb)
        .put(Column.VCORES.toString(), vcores).put("usedMb", usedMb).put("activatedAmMb", activatedAmMb));
  }

  /** A row for each partition that the queue may use and whose room is known; negative beyond it. */
  public List<Row> of(String queue) {
    return own.getOrDefault(queue, Collections.emptyList()).stream()
        .map(row -> of(queue, row.text(Column.PARTITION))).filter(Objects::nonNull)
        .collect(Collectors.toList());
  }

  /** That of a partition; null if it is unknown. */
  public Row of(String queue, String partition) {
    Row room = own(queue, partition);
    Row above = queue.equals(ROOT) ? UNLIMITED : of(above(queue), partition);
    return room == null || above == null ? null : row(partition,
        Math.min(room.number(Column.MEMORY_MB), above.number(Column.MEMORY_MB)),
        Math.min(room.number(Column.VCORES), above.number(Column.VCORES)),
        room.number("usedMb"), room.number("activatedAmMb"));
  }

  /** The same up to the maximum of this queue alone, whatever is left above it. */
  Row own(String queue, String partition) {
    return own.getOrDefault(queue, Collections.emptyList()).stream()
        .filter(row -> row.is(Column.PARTITION, partition)).findFirst().orElse(null);
  }

  /** The parent of a queue other than the root. */
  static String above(String queue) {
    return queue.substring(0, queue.lastIndexOf('.'));
  }

  /** Whether a leaf queue has Dripfeed's policy. */
  public static boolean isStateAware(JsonNode queue) {
    return queue.path("orderingPolicyInfo").asText().startsWith("io.github.dripfeed.");
  }

  /** Whether drivers may hold more than a half of a leaf queue, and leave executors less. */
  public static boolean isAmLimitHigh(JsonNode leaf) {
    return amLimit(leaf) > CheckCommand.MOST_AM_SHARE;
  }

  /**
   * Those with a high limit on drivers, and a stock policy.
   *
   * @param asStock queues with Dripfeed's policy that hold nobody
   */
  public List<String> withHighAmLimit(Collection<String> asStock) {
    return queues.keySet().stream().filter(path -> isAmLimitHigh(queues.get(path))
        && (asStock.contains(path) || !isStateAware(queues.get(path)))).collect(Collectors.toList());
  }

  /** The largest part of a leaf queue that drivers may hold; parents have none. */
  public static double amLimit(JsonNode leaf) {
    double share = 0;
    for (JsonNode capacity : leaf.at(CAPACITIES)) {
      share = Math.max(share, amLimitOfPartition(capacity));
    }
    return share;
  }

  private static double amLimitOfPartition(JsonNode capacity) {
    return capacity.path("maxAMLimitPercentage").asDouble() / 100;
  }

  /** That of the queue with this path; 0 if it is unknown. */
  public double amLimit(String path) {
    return amLimit(known(path));
  }

  /** The default partition, and others in which drivers may hold more than that share of the queue. */
  public List<String> partitionsAboveAmLimit(String path, double share) {
    Set<String> found = new LinkedHashSet<>(Collections.singleton(""));
    for (JsonNode capacity : known(path).at(CAPACITIES)) {
      if (amLimitOfPartition(capacity) > share) {
        found.add(capacity.path("partitionName").asText());
      }
    }
    return new ArrayList<>(found);
  }

  /** The path of the template from which YARN has created the queue; empty if it has not. */
  public String templateOf(String path) {
    JsonNode queue = known(path);
    return queue.path("creationMethod").asText().equals("dynamicFlexible")
        ? above(path) + ".auto-queue-creation-v2.leaf-template"
        : queue.path("isAutoCreatedLeafQueue").asBoolean() ? above(path) + ".leaf-queue-template" : "";
  }

  private JsonNode known(String path) {
    return queues.getOrDefault(path, MissingNode.getInstance());
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
