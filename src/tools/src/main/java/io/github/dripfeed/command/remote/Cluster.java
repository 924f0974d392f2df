// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Queues, applications and nodes, as any ResourceManager's REST interface tells. Immutable. */
public final class Cluster {

  private final URI address;
  private final String hadoop;
  private final Rooms rooms;
  private final Map<String, JsonNode> leaves = new LinkedHashMap<>();
  private final Map<String, List<Row>> applications = new HashMap<>();
  private final JsonNode nodes;
  private final boolean countsVcores;
  private long time;

  Cluster(URI address, JsonNode scheduler, JsonNode applications, JsonNode nodes, String hadoop) {
    this.address = address;
    this.hadoop = hadoop;
    this.rooms = new Rooms(scheduler);
    this.nodes = nodes.at("/nodes/node");
    Map<String, String> paths = new HashMap<>();
    boolean several = false;
    for (Map.Entry<String, JsonNode> each : rooms.queues().entrySet()) {
      String path = each.getKey();
      if (each.getValue().has("numActiveApplications")) {
        leaves.put(path, each.getValue());
        paths.put(path, path);
        // Before Hadoop 3.3 an application's queue is the last part of the path.
        paths.put(path.substring(path.lastIndexOf('.') + 1), path);
        // Without a resource calculator that counts vcores, this limit has one vcore.
        several |= usage(each.getValue(), "").at("/amLimit/vCores").asLong() > 1;
      }
    }
    countsVcores = several;
    for (JsonNode each : applications.at("/apps/app")) {
      Row application = new Row(each);
      String queue = application.text("queue");
      this.applications.computeIfAbsent(paths.getOrDefault(queue, queue), path -> new ArrayList<>())
          .add(application);
      time = Math.max(time, application.number("startedTime") + application.number("elapsedTime"));
    }
    time = time <= 0 ? System.currentTimeMillis() : time;
  }

  public URI address() {
    return address;
  }

  /** The version of Hadoop. */
  public String hadoop() {
    return hadoop;
  }

  /** When it was asked, on the ResourceManager's clock if an application tells that. */
  public long time() {
    return time;
  }

  public Rooms rooms() {
    return rooms;
  }

  /** What YARN says of each leaf queue, by its path. */
  public Map<String, JsonNode> leaves() {
    return Collections.unmodifiableMap(leaves);
  }

  /** Those of a leaf queue that have not ended. */
  public List<Row> applications(String queue) {
    return applications.getOrDefault(queue, Collections.emptyList());
  }

  /** Whether any application has more than one container. */
  public boolean hasExecutors() {
    return applications.values().stream().flatMap(List::stream)
        .anyMatch(application -> application.number("runningContainers") > 1);
  }

  /** What a leaf queue uses of a partition, and its limits there. */
  public static JsonNode usage(JsonNode leaf, String partition) {
    return Rooms.ofPartition(leaf.at(Rooms.USAGES), partition);
  }

  /** The capacities of a queue in a partition. */
  public static JsonNode capacity(JsonNode queue, String partition) {
    return Rooms.ofPartition(queue.at(Rooms.CAPACITIES), partition);
  }

  /** Whether amounts are too many for what is there; vcores count only where YARN counts them. */
  public boolean exceeds(JsonNode wanted, double memory, double vcores) {
    return wanted.path("memory").asLong() > memory
        || countsVcores && wanted.path("vCores").asLong() > vcores;
  }

  /** Whether below the maximum of the queue, and of those above it, there is room for a container. */
  public boolean hasRoom(String queue, String partition, JsonNode wanted) {
    return rooms.of(queue).stream().filter(room -> room.text("partition").equals(partition))
        .noneMatch(room -> exceeds(wanted, room.number("memoryMb"), room.number("vcores")));
  }

  /** Whether a node of the partition has room for a container. */
  public boolean hasNode(String partition, JsonNode wanted) {
    for (JsonNode node : nodes) {
      if (node.path("nodeLabels").path(0).asText("").equals(partition) && !exceeds(wanted,
          node.path("availMemoryMB").asLong(), node.path("availableVirtualCores").asLong())) {
        return true;
      }
    }
    return false;
  }
}
