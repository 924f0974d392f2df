// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.dripfeed.wire.Wire.Column;
import java.net.URI;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Queues, applications and nodes, as any ResourceManager's REST interface tells. Immutable. */
public final class Cluster {

  public final URI address;
  /** The version of Hadoop. */
  public final String hadoop;
  /** When it was asked, on the ResourceManager's clock if an application tells that. */
  public final long time;
  public final Rooms rooms;
  /** What YARN says of each leaf queue, by its path. */
  public final Map<String, JsonNode> leaves = new LinkedHashMap<>();
  private final Map<String, List<Row>> applications;
  private final JsonNode nodes;
  private final boolean countsVcores;

  Cluster(URI address, JsonNode scheduler, JsonNode applications, JsonNode nodes, String hadoop) {
    this.address = address;
    this.hadoop = hadoop;
    this.rooms = new Rooms(scheduler);
    this.nodes = nodes.at("/nodes/node");
    Map<String, String> paths = new HashMap<>();
    boolean several = false;
    for (Map.Entry<String, JsonNode> each : rooms.queues.entrySet()) {
      String path = each.getKey();
      if (each.getValue().has("numActiveApplications")) {
        leaves.put(path, each.getValue());
        paths.put(path, path);
        // Before Hadoop 3.3 an application's queue is the last part of the path.
        paths.put(path.substring(path.lastIndexOf('.') + 1), path);
        // Without a resource calculator that counts vcores, this limit has one vcore.
        several |= Rooms.ofPartition(each.getValue().at(Rooms.USAGES), "")
            .at("/amLimit/vCores").asLong() > 1;
      }
    }
    countsVcores = several;
    this.applications = stream(applications.at("/apps/app")).map(Row::new)
        .collect(Collectors.groupingBy(
            row -> paths.getOrDefault(row.text(Column.QUEUE), row.text(Column.QUEUE))));
    time = this.applications.values().stream().flatMap(List::stream)
        .mapToLong(row -> row.number("startedTime") + row.number("elapsedTime"))
        .filter(each -> each > 0).max().orElse(System.currentTimeMillis());
  }

  /** The elements of an array. */
  public static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
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

  /** Whether amounts are too many for what is there; vcores count only where YARN counts them. */
  public boolean exceeds(JsonNode wanted, double memory, double vcores) {
    return wanted.path("memory").asLong() > memory
        || countsVcores && wanted.path("vCores").asLong() > vcores;
  }

  /** Whether below the maximum of the queue, and of those above it, there is room for a request. */
  public boolean hasRoom(String queue, JsonNode request) {
    Row room = rooms.of(queue, request.path("nodeLabelExpression").asText());
    return room == null
        || !exceeds(request.path("capability"), room.number(Column.MEMORY_MB), room.number(Column.VCORES));
  }

  /** Whether a node of its partition has room for a request. */
  public boolean hasNode(JsonNode request) {
    String partition = request.path("nodeLabelExpression").asText();
    return stream(nodes).anyMatch(node ->
        node.path("nodeLabels").path(0).asText("").equals(partition) && !exceeds(request.path("capability"),
            node.path("availMemoryMB").asLong(), node.path("availableVirtualCores").asLong()));
  }
}
