// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.dripfeed.core.admission.Transition;
import io.github.dripfeed.tool.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** What a ResourceManager with Dripfeed serves, as far as the commands ask it. */
final class FakeResourceManager implements AutoCloseable {

  /** 22 November 2026, 10:00 UTC. */
  static final long NOW = 1_795_341_600_000L;
  /** That of the commands: if theirs is known, they name another one. */
  static final String VERSION = Version.number().isEmpty() ? "0.1.0" : Version.number();
  static final long HOUR = 3_600_000;
  static final long CLUSTER = 1_795_300_000_000L;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SECOND = 1000;

  final ObjectNode bean = JSON.createObjectNode();
  /** The applications that YARN itself knows, by id. */
  final Map<String, String> applications = new HashMap<>();
  /** What was asked, as path and query. */
  final List<String> asked = new ArrayList<>();
  String scheduler = "{}";
  /** Answers of a real one, by the last part of the path. */
  final Map<String, String> recorded = new HashMap<>();
  /** Since when it is the active one: just after it was loaded. */
  volatile long startedOn = NOW - 3598 * SECOND;
  volatile String haState = "ACTIVE";
  /** Where a standby leads to; null if it knows no active one. */
  volatile String active;
  /** The path after whose question it is on standby. */
  volatile String lastAsActive;
  /** Before Hadoop 3.3 none does. */
  volatile boolean tellsOnStandby = true;
  /** If not null, the answer to everything. */
  volatile String everything;
  volatile int status = 200;
  volatile String challenge;
  volatile boolean hasDripfeed = true;
  volatile String classpath = "/etc/hadoop:/opt/yarn/hadoop-common-3.4.3.jar";
  private final HttpServer server;
  private final String scheme;
  private long sequence;

  FakeResourceManager() throws IOException {
    this(HttpServer.create(loopback(), 0), "http");
  }

  /** Serves HTTPS with the certificate of this context. */
  FakeResourceManager(SSLContext certificate) throws IOException {
    this(https(certificate), "https");
  }

  private static HttpServer https(SSLContext certificate) throws IOException {
    HttpsServer https = HttpsServer.create(loopback(), 0);
    https.setHttpsConfigurator(new HttpsConfigurator(certificate));
    return https;
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private FakeResourceManager(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.createContext("/", this::answer);
    server.start();
    bean.put("Version", VERSION).put("Time", NOW).put("StartTime", NOW - 3600 * SECOND);
    for (String table : new String[] {"Queues", "Starting", "Line", "Pending", "Events"}) {
      bean.putArray(table);
    }
  }

  /**
   * The root has all of these MB and ten vcores for each GB, and its child {@code batch} half of them. The
   * other child has a stock policy.
   */
  void scheduler(int mostMb, int usedMb) {
    scheduler = "{\"scheduler\":{\"schedulerInfo\":{\"queueName\":\"root\"," + most(mostMb)
        + ",\"queues\":{\"queue\":[{\"queueName\":\"stock\",\"orderingPolicyInfo\":"
        + "\"fifo\",\"resources\":{\"resourceUsagesByPartition\":[]}},"
        + "{\"queueName\":\"batch\","
        + "\"orderingPolicyInfo\":\"io.github.dripfeed.StateAwareOrderingPolicy\","
        + most(mostMb / 2)
        + ",\"resources\":{\"resourceUsagesByPartition\":[{\"partitionName\":\"\",\"used\":"
        + resource(usedMb) + ",\"amUsed\":{\"memory\":7168}}]}}]}}}}";
  }

  /** Answers of a real one, of this Hadoop, but for parts that no command reads. */
  void record(String folder) throws IOException {
    for (String name : new String[] {"scheduler", "apps", "nodes"}) {
      recorded.put(name, Files.readString(Path.of("src/tools/src/test/resources/clusters", folder,
          name + ".json")));
    }
  }

  private static String most(int mb) {
    return "\"capacities\":{\"queueCapacitiesByPartition\":[{\"partitionName\":\"\","
        + "\"maxAMLimitPercentage\":100.0,"
        + "\"effectiveMaxResource\":" + resource(mb) + "}]}";
  }

  private static String resource(int mb) {
    return "{\"memory\":" + mb + ",\"vCores\":" + mb / 100 + "}";
  }

  static String id(int number) {
    return String.format(Locale.ROOT, "application_%d_%04d", CLUSTER, number);
  }

  /** The words of a command, and where it finds this one. */
  String[] call(String... words) {
    return Stream.concat(Stream.of(words), Stream.of("--rm", url())).toArray(String[]::new);
  }

  String url() {
    return scheme + "://127.0.0.1:" + server.getAddress().getPort();
  }

  ArrayNode table(String name) {
    return (ArrayNode) bean.get(name);
  }

  /** Three numbers: accepted, starting, running. */
  ObjectNode queue(String path, int accepted, int starting, int running) {
    return table("Queues").addObject().put("queue", path).put("group", "").put("accepted", accepted)
        .put("starting", starting).put("running", running).put("waitingForSlot", accepted)
        .put("waitingForRoom", 0).put("takenBack", 0).put("pendingActivation", 0).put("maxStarting", "1")
        .put("ordering", "priority").put("takeBack", "off")
        .put("changedSettings", "starting-timeout = 2m").put("startIntervalLowSeconds", 25)
        .put("startIntervalHighSeconds", 50).put("startsCounted", 20);
  }

  private static ObjectNode application(ObjectNode row, String queue, int number, String user) {
    return row.put("queue", queue).put("application", id(number)).put("name", "nightly etl " + number)
        .put("partition", "").put("attempt", attempt(number, 1)).put("user", user).put("type", "SPARK");
  }

  static String attempt(int application, int number) {
    return String.format(Locale.ROOT, "appattempt_%d_%04d_%06d", CLUSTER, application, number);
  }

  ObjectNode starting(String queue, int number, String user, int seconds) {
    return application(table("Starting").addObject(), queue, number, user)
        .put("since", NOW - seconds * SECOND).put("seconds", seconds)
        .put("atMostSeconds", 120).put("executors", 0)
        .put("minExecutors", 1).put("lacks", "1 executor, requested").put("requests", "yes")
        .put("earlierSeconds", 0).put("takesSlot", "yes");
  }

  ObjectNode waiting(String queue, int number, String user, int seconds) {
    return waiting(queue, "", number, user, seconds);
  }

  /** The line of each partition has places of its own. */
  ObjectNode waiting(String queue, String partition, int number, String user, int seconds) {
    long place = 1;
    for (JsonNode row : table("Line")) {
      place += row.path("queue").asText().equals(queue)
          && row.path("partition").asText().equals(partition) ? 1 : 0;
    }
    return application(table("Line").addObject(), queue, number, user).put("place", place)
        .put("partition", partition)
        .put("priority", 0).put("since", NOW - seconds * SECOND).put("seconds", seconds)
        .put("code", "SLOT").put("arguments", place == 1 ? "" : "next=" + id(13))
        .put("reason", "waits for a starting slot; " + id(12)
            + " has been starting for 36 s (at most 120 s).")
        .put("memoryMb", 2048).put("vcores", 1).put("resources", "")
        .put("startsInLowSeconds", 25 * place).put("startsInHighSeconds", 50 * place)
        .put("takesSlot", "no");
  }

  ObjectNode pending(String queue, int number, String user, int seconds) {
    return application(table("Pending").addObject(), queue, number, user)
        .put("since", NOW - seconds * SECOND).put("seconds", seconds)
        .put("code", "AM_LIMIT")
        .put("reason", "Application is added to the scheduler and is not yet activated.");
  }

  /** An event {@code ago} seconds ago, after some time in the state before, with the usual code. */
  ObjectNode event(int ago, int number, String user, String change, String reason) {
    return event("Events", ago, number, user, change, reason);
  }

  /** The table is a new one where there is none. */
  ObjectNode event(String table, int ago, int number, String user, String change, String reason) {
    String[] states = change.split(" ");
    if (!isSent(states[0], states[1])) {
      throw new IllegalArgumentException("No ResourceManager sends " + change);
    }
    return bean.withArray(table).addObject().put("sequence", ++sequence).put("time", NOW - ago * SECOND)
        .put("queue", "root.batch").put("application", id(number)).put("attempt", attempt(number, 1))
        .put("user", user).put("type", "SPARK").put("from", states[0]).put("to", states[1])
        .put("code",
            Map.of("STARTING", "AM_ALLOCATED", "RUNNING", "EXECUTORS", "ENDED", "FAILED").get(states[1]))
        .put("reason", reason).put("milliseconds", Integer.parseInt(states[2]) * SECOND);
  }

  private static boolean isSent(String from, String to) {
    return to.equals("ENDED") ? !from.equals("NEW") : Arrays.stream(Transition.values()).anyMatch(
        sent -> sent.to().name().equals(to) && (from.equals("NEW") || sent.from().name().equals(from)));
  }

  /** A queue in which something goes on. */
  FakeResourceManager busy() {
    queue("root.batch", 3, 1, 2).put("pendingActivation", 1);
    starting("root.batch", 12, "alice", 36);
    waiting("root.batch", 13, "bob", 252);
    waiting("root.batch", 14, "bob", 200);
    waiting("root.batch", 15, "carol", 61);
    pending("root.batch", 16, "dave", 30);
    String driver = "its AM is allocated";
    event(2990, 1, "alice", "ACCEPTED STARTING 10", driver);
    event(2960, 1, "alice", "STARTING RUNNING 30", "it has its executors");
    event(2950, 2, "bob", "ACCEPTED STARTING 90", driver);
    event(2830, 2, "bob", "STARTING RUNNING 120",
        "it has been starting for as long as the queue allows").put("code", "TIMEOUT");
    event(2600, 3, "bob", "ACCEPTED STARTING 20", driver);
    event(2580, 3, "bob", "STARTING ENDED 20", "it failed: AM Container exited with 137");
    event(2000, 1, "alice", "RUNNING ENDED 960", "it finished");
    event(1000, 4, "alice", "STARTING RUNNING 34", "it has its executors");
    event(36, 12, "alice", "ACCEPTED STARTING 40", driver);
    return this;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    synchronized (asked) {
      asked.add(exchange.getRequestURI().toString());
    }
    boolean isActive = haState.equals("ACTIVE");
    if (path.equals(lastAsActive)) {
      haState = "STANDBY";
    }
    if (challenge != null) {
      exchange.getResponseHeaders().add("WWW-Authenticate", challenge);
    }
    if (everything != null || status != 200) {
      send(exchange, status, String.valueOf(everything));
    } else if (path.equals("/ws/v1/cluster/info")) {
      send(exchange, 200, "{\"clusterInfo\":{\"state\":\"STARTED\",\"haState\":\""
          + (isActive ? "ACTIVE" : haState) + "\",\"startedOn\":" + startedOn
          + ",\"hadoopVersion\":\"3.4.3\"}}");
    } else if (path.equals("/jmx") && exchange.getRequestURI().getQuery().contains("Runtime")
        && (isActive || tellsOnStandby)) {
      send(exchange, 200, "{\"beans\":[{\"ClassPath\":\"" + classpath + "\"}]}");
    } else if (path.equals("/jmx") && (isActive || tellsOnStandby)) {
      send(exchange, 200, "{\"beans\":[" + (hasDripfeed ? bean.toString() : "") + "]}");
    } else if (!isActive) {
      exchange.getResponseHeaders().add(active == null ? "Refresh" : "Location",
          active == null ? "3;url=" + url() + path : active + path);
      send(exchange, 307, "This is standby RM.");
    } else if (recorded.containsKey(path.substring(path.lastIndexOf('/') + 1))) {
      send(exchange, 200, recorded.get(path.substring(path.lastIndexOf('/') + 1)));
    } else if (path.equals("/ws/v1/cluster/scheduler")) {
      send(exchange, 200, scheduler);
    } else {
      String application = applications.get(path.substring(path.lastIndexOf('/') + 1));
      send(exchange, application == null ? 404 : 200, "{\"app\":" + application + "}");
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
