// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/**
 * The resources that a queue may still use, as the scheduler's REST API tells: what is left up to its
 * maximum and that of each of its parents, over all nodes of a partition. Immutable.
 */
public final class QueueRoom {

  private final JsonNode root;
  private final String[] names;

  /**
   * @param scheduler the answer of {@code /ws/v1/cluster/scheduler}
   * @param path the path of the queue
   */
  QueueRoom(JsonNode scheduler, String path) {
    this.root = scheduler.path("scheduler").path("schedulerInfo");
    this.names = path.split("\\.");
  }

  /** What is left of the memory, in MB; empty if it is unknown. It is negative beyond the maximum. */
  public OptionalLong memoryMb(String partition) {
    return left(partition, "memory");
  }

  /** What is left of the virtual cores; empty if it is unknown. It is negative beyond the maximum. */
  public OptionalLong vcores(String partition) {
    return left(partition, "vCores");
  }

  private OptionalLong left(String partition, String type) {
    OptionalLong least = OptionalLong.empty();
    JsonNode queue = root;
    for (int level = 0; level < names.length; level++) {
      queue = level == 0 ? root : child(queue, names[level]);
      OptionalLong most = of(queue.path("capacities").path("queueCapacitiesByPartition"), partition,
          "effectiveMaxResource", type);
      OptionalLong used = used(queue, partition, type);
      if (!most.isPresent() || !used.isPresent()) {
        return OptionalLong.empty();
      }
      long left = most.getAsLong() - used.getAsLong();
      least = OptionalLong.of(least.isPresent() ? Math.min(least.getAsLong(), left) : left);
    }
    return least;
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
