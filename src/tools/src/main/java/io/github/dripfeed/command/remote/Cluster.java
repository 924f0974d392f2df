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

  /** Those of all leaf queues below a queue, or of itself. */
  private Stream<Row> below(String queue) {
    return applications.keySet().stream().filter(path -> (path + ".").startsWith(queue + "."))
        .flatMap(path -> applications.get(path).stream());
  }

  /** Those below a queue that have nothing but their driver. */
  public List<Row> withDriverAlone(String queue) {
    return below(queue).filter(row -> isShown(row) && !isUnmanaged(row)
        && row.number("runningContainers") == 1).collect(Collectors.toList());
  }

  /** The leaf queues below a queue in which such applications are. */
  public List<String> queuesWithDriverAlone(String queue) {
    return applications.keySet().stream().filter(path -> (path + ".").startsWith(queue + ".")
        && !withDriverAlone(path).isEmpty()).sorted().collect(Collectors.toList());
  }

  /** Whether an application below a queue has a container beside its driver, or may have one. */
  public boolean hasExecutors(String queue) {
    return below(queue).anyMatch(row ->
        !isShown(row) || row.number("runningContainers") > (isUnmanaged(row) ? 0 : 1));
  }

  /** YARN tells those who may not view an application no more than that it exists. */
  public static boolean isShown(Row application) {
    return application.number("startedTime") > 0;
  }

  /** Whether its driver is not in a container. */
  public static boolean isUnmanaged(Row application) {
    return application.text("unmanagedApplication").equals("true");
  }

  /** Whether amounts are too many for what is there; vcores count only where YARN counts them. */
  public boolean exceeds(JsonNode wanted, double memory, double vcores) {
    return wanted.path("memory").asLong() > memory
        || countsVcores && wanted.path("vCores").asLong() > vcores;
  }

  /** Whether below the maximum of the queue, and of those above it, there is room for a request. */
  public boolean hasRoom(String queue, JsonNode request) {
    return fits(request, rooms.of(queue, partition(request)));
  }

  /** The lowest queue, from this one up, whose own maximum leaves no room; the root if all leave some. */
  public String full(String queue, JsonNode request) {
    String level = queue;
    while (!level.equals(Rooms.ROOT) && fits(request, rooms.own(level, partition(request)))) {
      level = Rooms.above(level);
    }
    return level;
  }

  private boolean fits(JsonNode request, Row room) {
    return room == null
        || !exceeds(request.path("capability"), room.number(Column.MEMORY_MB), room.number(Column.VCORES));
  }

  private static String partition(JsonNode request) {
    return request.path("nodeLabelExpression").asText();
  }

  /** Whether a node of its partition has room for a request. */
  public boolean hasNode(JsonNode request) {
    String partition = partition(request);
    return stream(nodes).anyMatch(node ->
        node.path("nodeLabels").path(0).asText("").equals(partition) && !exceeds(request.path("capability"),
            node.path("availMemoryMB").asLong(), node.path("availableVirtualCores").asLong()));
  }
}
