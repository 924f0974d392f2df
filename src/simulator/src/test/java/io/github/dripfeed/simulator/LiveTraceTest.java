// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.github.dripfeed.fixture.FreePorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A trace read from a ResourceManager's address, with answers as it gives them. */
class LiveTraceTest {

  private static final Trace.Assumptions ASSUMED = assumed(0);
  private static final String INFO = "{\"clusterInfo\":{\"id\":1,\"haState\":\"ACTIVE\"}}";
  /** 60 s of a driver of 2 GB, and 45 s of four executors of 3 GB. */
  private static final String APP = """
      {"id":"application_1_0001","user":"ann","queue":"root.batch","applicationType":"SPARK",
       "priority":3,"startedTime":1000000,"launchTime":1005000,"finishedTime":1065000,
       "memorySeconds":675840,"vcoreSeconds":240,"state":"FINISHED"}""";

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private HttpServer server;
  private String url;

  private static Trace.Assumptions assumed(int executorVcores) {
    return new Trace.Assumptions(2048, 4096, executorVcores, 15_000, null);
  }

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      byte[] body = answers.getOrDefault(exchange.getRequestURI().getPath(), "")
          .getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(body.length == 0 ? 404 : 200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    url = "http://127.0.0.1:" + server.getAddress().getPort();
    answers.put("/ws/v1/cluster/info", INFO);
    answers.put("/ws/v1/cluster/apps", "{\"apps\":{\"app\":[" + APP + "]}}");
    nodes(node(8192, 0), node(1024, 7168), node(0, 8192));
  }

  private void nodes(String... all) {
    answers.put("/ws/v1/cluster/nodes", "{\"nodes\":{\"node\":[" + String.join(",", all) + "]}}");
  }

  /** @param labels of the node; it has one at most */
  private static String node(long used, long available, String... labels) {
    return "{\"state\":\"RUNNING\",\"usedMemoryMB\":" + used + ",\"availMemoryMB\":" + available
        + (labels.length == 0 ? "" : ",\"nodeLabels\":[\"" + labels[0] + "\"]") + "}";
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Trace read(String queue, Trace.Assumptions assumptions) throws Exception {
    return LiveTrace.read(url, new Trace.Selection(queue, Trace.Span.ALL), assumptions, true);
  }

  @Test
  void applicationsAndClusterComeFromTheResourceManager() throws Exception {
    Trace trace = read("root.batch", ASSUMED);

    assertThat(trace.nodes()).isEqualTo(3);
    assertThat(trace.nodeMemory()).isEqualTo(8192);
    assertThat(trace.remarks()).isEmpty();
    assertThat(trace.leftOut()).isEmpty();
    Job job = trace.jobs().get(0);
    assertThat(job.user()).isEqualTo("ann");
    assertThat(job.priority()).isEqualTo(3);
    assertThat(job.submitMillis()).isZero();
    assertThat(job.program()).as("three of the assumed 4 GB").isInstanceOfSatisfying(
        Program.Spark.class, spark -> {
          assertThat(spark.executorMemory()).isEqualTo(4096);
          assertThat(spark.executors()).isEqualTo(3);
        });
  }

  /** The queue's applications run on the others, which are of two sizes. */
  @Test
  void nodesWithLabelsAreLeftOutAndDifferentSizesNamed() throws Exception {
    nodes(node(2048, 2048), node(60_000, 5536, "gpu"), node(0, 8192), node(0, 65_536, "gpu"));

    Trace trace = read(null, ASSUMED);

    assertThat(trace.nodes()).isEqualTo(2);
    assertThat(trace.nodeMemory()).isEqualTo(6144);
    assertThat(trace.leftOut()).containsExactly("2 nodes with labels");
    assertThat(trace.remarks()).containsExactly("The 2 nodes have 4096 to 8192 MB, and are replayed as"
        + " nodes of their mean, 6144 MB (--nodes says otherwise)");
  }

  @Test
  void oneNodeInPlaceOfAListIsRead() throws Exception {
    answers.put("/ws/v1/cluster/nodes", "{\"nodes\":{\"node\":" + node(0, 8192) + "}}");
    assertThat(read(null, ASSUMED).nodes()).isEqualTo(1);
  }

  @Test
  void clusterWithoutNodesIsRefusedUnlessOneIsNamed() throws Exception {
    nodes(node(0, 65_536, "gpu"));
    assertThatThrownBy(() -> read(null, ASSUMED)).hasMessageContaining(url + " has no running nodes")
        .hasMessageContaining("--nodes");
    answers.put("/ws/v1/cluster/nodes", "{\"nodes\":null}");
    assertThatThrownBy(() -> read(null, ASSUMED)).hasMessageContaining("no running nodes");
    answers.remove("/ws/v1/cluster/nodes");
    assertThat(LiveTrace.read(url, Trace.Selection.ALL, ASSUMED, false).nodes()).isZero();
  }

  @Test
  void vcoresTellNumberAndSizeOfTheExecutors() throws Exception {
    assertThat(read(null, assumed(1)).jobs().get(0).program()).isInstanceOfSatisfying(
        Program.Spark.class, spark -> {
          assertThat(spark.executors()).isEqualTo(4);
          assertThat(spark.executorMemory()).isEqualTo(3072);
        });
  }

  @Test
  void whatIsNoResourceManagerIsNamed() {
    answers.remove("/ws/v1/cluster/info");
    assertThatThrownBy(() -> read(null, ASSUMED)).hasMessageContaining(url + " is no ResourceManager");
    answers.put("/ws/v1/cluster/info", "<html>Hello</html>");
    assertThatThrownBy(() -> read(null, ASSUMED)).hasMessageContaining("not JSON: Hello");
  }

  @Test
  void emptyAnswerAndOtherQueuesAreNamed() {
    assertThatThrownBy(() -> read("root.other", ASSUMED))
        .hasMessageContaining("no application that could be replayed in queue root.other");
    answers.put("/ws/v1/cluster/apps", "{\"apps\":null}");
    assertThatThrownBy(() -> read(null, ASSUMED)).hasMessageContaining("no application");
  }

  @Test
  void addressWhereNobodyListensIsNamed() throws Exception {
    url = "http://127.0.0.1:" + FreePorts.next();
    assertThatThrownBy(() -> read(null, ASSUMED)).hasMessageContaining("Nothing listens at " + url);
    url = "http://no-such-host.invalid:8088";
    assertThatThrownBy(() -> read(null, ASSUMED))
        .hasMessageContaining("No such host: no-such-host.invalid");
  }
}
