// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A ResourceManager seen from outside: its REST API, as one user. */
final class Rest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String address;
  private final String user;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  /** @param address host and port */
  Rest(String address) {
    this(address, "dr.who");
  }

  private Rest(String address, String user) {
    this.address = address;
    this.user = user;
  }

  /** The same ResourceManager, for this user. */
  Rest as(String other) {
    return new Rest(address, other);
  }

  /** Host and port. */
  String address() {
    return address;
  }

  boolean isUp() {
    try {
      return get("info").at("/clusterInfo/state").asText().equals("STARTED");
    } catch (IOException e) {
      return false;
    }
  }

  /** @param path below {@code /ws/v1/cluster/} */
  JsonNode get(String path) throws IOException {
    return send(request(path).GET().build());
  }

  /** @return the id of the application */
  String submit(String name, String queue, int driverMemory, String command) throws IOException {
    String id = send(request("apps/new-application").POST(HttpRequest.BodyPublishers.noBody()).build())
        .at("/application-id").asText();
    send(request("apps").POST(body(Map.of(
        "application-id", id,
        "application-name", name,
        "application-type", "SPARK-LIKE",
        "queue", queue,
        "max-app-attempts", 2,
        "resource", Map.of("memory", driverMemory, "vCores", 1),
        "am-container-spec", Map.of("commands", Map.of("command", command))))).build());
    return id;
  }

  void kill(String application) throws IOException {
    send(request("apps/" + application + "/state").PUT(body(Map.of("state", "KILLED"))).build());
  }

  JsonNode application(String id) throws IOException {
    return get("apps/" + id).at("/app");
  }

  /** Its attempts, the first one first. */
  List<JsonNode> attempts(String application) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    get("apps/" + application + "/appattempts").at("/appAttempts/appAttempt").forEach(all::add);
    all.sort(Comparator.comparingInt(attempt -> attempt.at("/id").asInt()));
    return all;
  }

  List<JsonNode> applicationsOf(String queue) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    get("apps?queue=" + queue).at("/apps/app").forEach(all::add);
    return all;
  }

  /** How many containers have a process, as NodeManagers say; the ResourceManager counts them earlier. */
  int runningProcesses() throws IOException {
    int running = 0;
    for (JsonNode node : get("nodes").at("/nodes/node")) {
      String containers = "http://" + node.at("/nodeHTTPAddress").asText() + "/ws/v1/node/containers";
      for (JsonNode container : send(request(URI.create(containers)).GET().build())
          .at("/containers/container")) {
        running += container.at("/state").asText().equals("RUNNING") ? 1 : 0;
      }
    }
    return running;
  }

  /** The scheduler's information about a leaf queue. */
  JsonNode queue(String name) throws IOException {
    for (JsonNode queue : get("scheduler").at("/scheduler/schedulerInfo/queues/queue")) {
      if (queue.at("/queueName").asText().equals(name)) {
        return queue;
      }
    }
    throw new IOException("The scheduler has no queue " + name);
  }

  /** The MBeans that match, from {@code /jmx}; a standby serves it too, from Hadoop 3.3. */
  JsonNode jmx(String query) throws IOException {
    return send(HttpRequest.newBuilder(URI.create("http://" + address + "/jmx?qry=" + query))
        .timeout(Duration.ofSeconds(20)).GET().build()).at("/beans");
  }

  /** What the scheduler page says about a queue's order: states, and the starting applications. */
  String page() throws IOException {
    return text(HttpRequest.newBuilder(URI.create("http://" + address + "/cluster/scheduler"))
        .timeout(Duration.ofSeconds(20)).GET().build());
  }

  /** The page for Prometheus, from Hadoop 3.3. */
  String prometheus() throws IOException {
    return text(HttpRequest.newBuilder(URI.create("http://" + address + "/prom"))
        .timeout(Duration.ofSeconds(20)).GET().build());
  }

  /** The scheduler's configuration in the store, in the form of {@code capacity-scheduler.xml}. */
  String configuration() throws IOException {
    return text(request("scheduler-conf").setHeader("Accept", "application/xml").GET().build());
  }

  /**
   * Changes properties of a queue in the store; the scheduler takes them at once, or refuses all of them.
   *
   * @throws IOException if it refuses: with the status of HTTP and the reason
   */
  void configure(String queue, Map<String, String> properties) throws IOException {
    text(request("scheduler-conf").setHeader("Content-Type", "application/xml")
        .PUT(change(queue, properties)).build());
  }

  /** The same as Hadoop's queue editor asks for it: in JSON. */
  void edit(String queue, Map<String, String> properties) throws IOException {
    List<Map<String, String>> entries = new ArrayList<>();
    properties.forEach((name, value) -> entries.add(Map.of("key", name, "value", value)));
    text(request("scheduler-conf").PUT(body(Map.of("update-queue", List.of(Map.of(
        "queue-name", queue, "params", Map.of("entry", entries)))))).build());
  }

  /**
   * Asks what {@link #configure} would answer, and changes nothing.
   *
   * @return the configuration as it would be
   * @throws IOException if it is refused: with the status of HTTP and the reason
   */
  String validate(String queue, Map<String, String> properties) throws IOException {
    return text(request("scheduler-conf/validate").setHeader("Content-Type", "application/xml")
        .POST(change(queue, properties)).build());
  }

  private static HttpRequest.BodyPublisher change(String queue, Map<String, String> properties) {
    StringBuilder entries = new StringBuilder();
    properties.forEach((name, value) -> entries.append("<entry><key>").append(name).append("</key><value>")
        .append(value).append("</value></entry>"));
    return HttpRequest.BodyPublishers.ofString("<sched-conf><update-queue><queue-name>" + queue
        + "</queue-name><params>" + entries + "</params></update-queue></sched-conf>");
  }

  private HttpRequest.Builder request(String path) {
    return request(URI.create("http://" + address + "/ws/v1/cluster/" + path
        + (path.contains("?") ? "&" : "?") + "user.name=" + user));
  }

  private static HttpRequest.Builder request(URI uri) {
    return HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20))
        .header("Accept", "application/json").header("Content-Type", "application/json");
  }

  private static HttpRequest.BodyPublisher body(Map<String, ?> json) throws IOException {
    return HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(json));
  }

  private JsonNode send(HttpRequest request) throws IOException {
    String text = text(request);
    return text.isEmpty() ? JSON.nullNode() : JSON.readTree(text);
  }

  private String text(HttpRequest request) throws IOException {
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        throw new IOException(request.uri() + ": " + answer.statusCode() + " " + answer.body());
      }
      return answer.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
