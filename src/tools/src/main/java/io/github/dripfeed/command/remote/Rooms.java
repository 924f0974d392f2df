// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The resources that queues may still use, as the scheduler's REST API tells: what is left up to the
 * maximum of a queue and that of each of its parents, over all nodes of a partition. Immutable.
 */
public final class Rooms {

  private final JsonNode root;

  /** @param scheduler the answer of {@code /ws/v1/cluster/scheduler} */
  Rooms(JsonNode scheduler) {
    this.root = scheduler.path("scheduler").path("schedulerInfo");
  }

  /**
   * A row for each partition that the queue may use and whose room is known, with what is left in {@code
   * memoryMb} and {@code vcores}; negative beyond the maximum.
   */
  public List<Row> of(String queue) {
    List<JsonNode> path = new ArrayList<>();
    for (String name : queue.split("\\.")) {
      path.add(path.isEmpty() ? root : child(path.get(path.size() - 1), name));
    }
    List<Row> rooms = new ArrayList<>();
    for (JsonNode each : capacities(path.get(path.size() - 1))) {
      String partition = each.path("partitionName").asText();
      OptionalLong memory = left(path, partition, "memory");
      OptionalLong vcores = left(path, partition, "vCores");
      if (memory.isPresent() && vcores.isPresent()) {
        rooms.add(new Row(JsonNodeFactory.instance.objectNode().put("partition", partition)
            .put("memoryMb", memory.getAsLong()).put("vcores", vcores.getAsLong())));
      }
    }
    return rooms;
  }

  private static JsonNode capacities(JsonNode queue) {
    return queue.path("capacities").path("queueCapacitiesByPartition");
  }

  private static OptionalLong left(List<JsonNode> path, String partition, String type) {
    long least = Long.MAX_VALUE;
    for (JsonNode queue : path) {
      OptionalLong most = of(capacities(queue), partition, "effectiveMaxResource", type);
      OptionalLong used = used(queue, partition, type);
      if (!most.isPresent() || !used.isPresent()) {
        return OptionalLong.empty();
      }
      least = Math.min(least, most.getAsLong() - used.getAsLong());
    }
    return OptionalLong.of(least);
  }

  private static JsonNode child(JsonNode parent, String name) {
    for (JsonNode child : parent.path("queues").path("queue")) {
      if (child.path("queueName").asText().equals(name)) {
        return child;
      }
    }
    return parent.path("");
  }

  /** The root does not tell it: there it is that of its children. */
  private static OptionalLong used(JsonNode queue, String partition, String type) {
    JsonNode usages = queue.path("resources").path("resourceUsagesByPartition");
    if (usages.isArray()) {
      // A partition that nothing is used of is left out.
      return OptionalLong.of(of(usages, partition, "used", type).orElse(0));
    }
    long used = 0;
    for (JsonNode child : queue.path("queues").path("queue")) {
      OptionalLong part = used(child, partition, type);
      if (!part.isPresent()) {
        return part;
      }
      used += part.getAsLong();
    }
    return queue.path("queues").path("queue").isArray() ? OptionalLong.of(used) : OptionalLong.empty();
  }

  private static OptionalLong of(JsonNode partitions, String partition, String column, String type) {
    for (JsonNode each : partitions) {
      JsonNode value = each.path(column).path(type);
      if (each.path("partitionName").asText().equals(partition) && value.isNumber()) {
        return OptionalLong.of(value.asLong());
      }
    }
    return OptionalLong.empty();
  }
}
