// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * What is left up to the maximum of a queue and of each of its parents, over all nodes of a partition, as
 * the scheduler's REST API tells. What is unknown is not a number, as is what depends on it. Immutable.
 */
public final class Rooms {

  private static final String CAPACITIES = "/capacities/queueCapacitiesByPartition";

  private final JsonNode root;

  /** @param scheduler the answer of {@code /ws/v1/cluster/scheduler} */
  Rooms(JsonNode scheduler) {
    this.root = scheduler.at("/scheduler/schedulerInfo");
  }

  /** A row for each partition that the queue may use and whose room is known; negative beyond it. */
  public List<Row> of(String queue) {
    List<JsonNode> path = new ArrayList<>();
    JsonNode last = root;
    for (String name : queue.split("\\.")) {
      last = path.isEmpty() ? root : one(last.at("/queues/queue"), "queueName", name);
      path.add(last);
    }
    List<Row> rooms = new ArrayList<>();
    for (JsonNode each : last.at(CAPACITIES)) {
      String partition = each.path("partitionName").asText();
      double memory = left(path, partition, "memory");
      double vcores = left(path, partition, "vCores");
      if (!Double.isNaN(memory + vcores)) {
        rooms.add(new Row(JsonNodeFactory.instance.objectNode().put("partition", partition)
            .put("memoryMb", (long) memory).put("vcores", (long) vcores)));
      }
    }
    return rooms;
  }

  private static double left(List<JsonNode> path, String partition, String type) {
    double least = Double.POSITIVE_INFINITY;
    for (JsonNode queue : path) {
      JsonNode most = one(queue.at(CAPACITIES), "partitionName", partition).path("effectiveMaxResource");
      least = Math.min(least, number(most.path(type), Double.NaN) - used(queue, partition, type));
    }
    return least;
  }

  /** The root does not tell it: there it is that of its children. */
  private static double used(JsonNode queue, String partition, String type) {
    JsonNode usages = queue.at("/resources/resourceUsagesByPartition");
    if (usages.isArray()) {
      // A partition that nothing is used of is left out.
      return number(one(usages, "partitionName", partition).path("used").path(type), 0);
    }
    JsonNode children = queue.at("/queues/queue");
    double used = children.isArray() ? 0 : Double.NaN;
    for (JsonNode child : children) {
      used += used(child, partition, type);
    }
    return used;
  }

  private static double number(JsonNode value, double otherwise) {
    return value.isNumber() ? value.asDouble() : otherwise;
  }

  /** The first with this name; a missing one without. */
  private static JsonNode one(JsonNode all, String key, String name) {
    for (JsonNode each : all) {
      if (each.path(key).asText().equals(name)) {
        return each;
      }
    }
    return all.path(-1);
  }
}
