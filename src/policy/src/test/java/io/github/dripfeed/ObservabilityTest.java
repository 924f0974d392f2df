// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.FreePorts;
import io.github.dripfeed.fixture.HadoopVersion;
import io.github.dripfeed.fixture.MetricsDocument;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.view.LiveView;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationReportRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a ResourceManager shows over HTTP while one application is starting and three are held; in another
 * queue one is in YARN's own list.
 */
class ObservabilityTest {

  private static final String MARKUP = "<script>alert(1)</script>";
  private static final String VIEW = "/jmx?qry=Hadoop:service=ResourceManager,name=DripfeedView";
  /** Columns of the live view that a table of the dashboard does without: others say the same. */
  private static final Set<String> LEFT_OUT =
      Set.of("attempt", "since", "sequence", "settings", "startsCounted", "code", "arguments",
          "requests");

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static MockCluster cluster;
  private static final List<ApplicationId> apps = new ArrayList<>();
  private static ApplicationId pending;
  private static String address;
  /** What each table of the live view has while no application is there, by its URL. */
  private static final Map<String, JsonNode> empty = new HashMap<>();

  @BeforeAll
  static void startOneAndHoldThree() throws Exception {
    address = "127.0.0.1:" + FreePorts.next();
    cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        "mockrm.webapp.enabled", "true", YarnConfiguration.RM_WEBAPP_ADDRESS, address,
        "hadoop.prometheus.endpoint.enabled", "true",
        MockCluster.stateAwareKey("allow-application-overrides"), "true",
        MockCluster.key(MockCluster.OTHER, "ordering-policy"), StateAwareOrderingPolicy.class.getName(),
        // YARN activates one application whatever the limit is.
        MockCluster.key(MockCluster.OTHER, "maximum-am-resource-percent"), "0.01");
    cluster.addNode(16 * GB);
    // As the first application of any queue does.
    LiveView.show();
    for (JsonNode table : tablesOfTheDashboard()) {
      empty.put(url(table), json(url(table)));
    }
    recordStartsThatDidNotGoWell();
    for (int i = 0; i < 4; i++) {
      apps.add(submit(MARKUP + " " + i, MockCluster.DRIP));
    }
    submit(MARKUP, MockCluster.OTHER);
    pending = submit(MARKUP, MockCluster.OTHER);
    cluster.heartbeat();
    cluster.advance(Duration.ofSeconds(12));
    cluster.runMonitor();
  }

  /** Before all else, and in the other queue. */
  private static void recordStartsThatDidNotGoWell() throws Exception {
    MockApp slow = cluster.submit(cluster.submission(GB).withQueue(MockCluster.OTHER));
    cluster.heartbeat();
    cluster.advance(Duration.ofSeconds(301));
    cluster.runMonitor();
    slow.kill();
    MockApp killed = cluster.submit(cluster.submission(GB).withQueue(MockCluster.OTHER));
    cluster.heartbeat();
    killed.kill();
    cluster.tick();
  }

  private static ApplicationId submit(String name, String queue) throws Exception {
    return cluster.submit(cluster.submission(GB).withName(name).withQueue(queue)
        .withType(MARKUP + "\nfaked").withTags("stateaware.starting-timeout=" + MARKUP)).id();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void heldApplicationSaysWhy() throws Exception {
    ApplicationId starting = apps.get(0);
    Pattern why = Pattern.compile("Held by StateAwareOrderingPolicy: Number 2 in line, waits for a"
        + " starting slot; " + starting
        + " has been starting for 12 s \\(at most 300 s\\)\\.");
    assertThat(json("/ws/v1/cluster/apps/" + apps.get(2)).at("/app/diagnostics").asText())
        .containsPattern(why);
    assertThat(get("/cluster/app/" + apps.get(2))).containsPattern(why);
    ApplicationReport report = cluster.rm().getClientRMService().getApplicationReport(
        GetApplicationReportRequest.newInstance(apps.get(2))).getApplicationReport();
    assertThat(report.getDiagnostics()).as("what yarn application -status prints")
        .containsPattern(why);
  }

  @Test
  void ignoredTagIsShownWithoutMarkup() throws Exception {
    assertThat(json("/ws/v1/cluster/apps/" + apps.get(3)).at("/app/diagnostics").asText())
        .contains("tag 'stateaware.starting-timeout=?script?alert(1)?/script?' is ignored: allowed is"
            + " a duration above 0");
  }

  @Test
  void queuePageShowsStartingAndNextApplications() throws Exception {
    // Each line of the text is one of the page.
    Pattern info = Pattern.compile(String.join("\\s*</div>\\s*<div>\\s*",
        "StateAwareOrderingPolicy: 3 accepted, 1 starting, 0 running",
        "Starting: " + apps.get(0) + " for 12 s", "Next: " + apps.get(1) + ", waits for a starting slot",
        "Settings: allow-application-overrides=true"));
    assertThat(json("/ws/v1/cluster/scheduler").at("/scheduler/schedulerInfo/queues/queue"))
        .anySatisfy(queue -> {
          assertThat(queue.at("/queueName").asText()).isEqualTo("drip");
          assertThat(queue.at("/orderingPolicyInfo").asText())
              .isEqualTo("io.github.dripfeed.StateAwareOrderingPolicy");
        });
    assertThat(get("/cluster/scheduler")).containsPattern(info);
  }

  @Test
  void prometheusShowsEveryMetricWithItsHelp() throws Exception {
    String text = prometheus();
    assertThat(value(text, "dripfeed_queue_accepted_applications")).isEqualTo(3);
    assertThat(value(text, "dripfeed_queue_starting_applications")).isEqualTo(1);
    assertThat(value(text, "dripfeed_queue_starts_total")).isEqualTo(1);
    assertThat(text).contains("# HELP dripfeed_queue_accepted_applications Applications that wait")
        .contains("# TYPE dripfeed_queue_starts_total counter")
        .containsPattern("dripfeed_queue_accepted_seconds_bucket\\{[^}]*le=\"\\+Inf\"[^}]*} 1");
    List<String> metrics = MetricsDocument.metrics().stream().map(MetricsDocument.Metric::name).toList();
    Matcher served = Pattern.compile("^# TYPE (dripfeed_\\w+) ", Pattern.MULTILINE).matcher(text);
    int count = 0;
    while (served.find()) {
      count++;
      assertThat(metrics).as("docs/metrics.md").contains(served.group(1));
    }
    assertThat(count).isGreaterThan(15);
  }

  private String prometheus() throws Exception {
    assumeTrue(HadoopVersion.isAtLeast("3.3"), "Hadoop's endpoint for Prometheus came with 3.3");
    // Hadoop drops what this request asks for while its own timer publishes, and serves the page before.
    Eventually.is("the page has the queue", () -> get("/prom").contains("queue=\"root.drip\""));
    return get("/prom");
  }

  /** A dashboard panel or an alert on a metric that does not exist never shows anything. */
  @Test
  void dashboardAndAlertsUseExistingMetrics() throws Exception {
    String text = prometheus();
    for (String file : List.of("grafana-dashboard.json", "prometheus-alerts.yml")) {
      Matcher used = Pattern.compile("\\bdripfeed_\\w+")
          .matcher(Files.readString(Path.of("docs", "monitoring", file)));
      int count = 0;
      while (used.find()) {
        count++;
        assertThat(text).as(file).contains("# TYPE " + used.group() + " ");
      }
      assertThat(count).as(file).isGreaterThan(3);
    }
    assertThat(new ObjectMapper().readTree(
        Path.of("docs", "monitoring", "grafana-dashboard.json").toFile()).at("/panels"))
        .hasSizeGreaterThan(4);
  }

  @Test
  void jmxShowsTheQueue() throws Exception {
    String bean = "/jmx?qry=Hadoop:service=ResourceManager,name=DripfeedQueue,q0=root,q1=drip";
    Eventually.is("Hadoop's bean, which reads them every ten seconds, has the last ones",
        () -> json(bean).at("/beans/0/AcceptedApplications").asInt() == 3);
    assertThat(json(bean).at("/beans/0/tag.Queue").asText()).isEqualTo("root.drip");
    assertThat(json(bean).at("/beans/0/AcceptedSecondsCount").asInt()).isEqualTo(1);
    assertThat(json(bean).at("/beans/0/tag.le.3").asText()).isEqualTo("10");
    assertThat(json(bean).at("/beans/0/AcceptedSecondsBucket.3").asInt()).isEqualTo(1);
    assertThat(json(bean).at("/beans/0/StartingSecondsBucket.12").asInt(-1)).isZero();
    MetricsDocument.assertServed(json(bean).at("/beans/0"));
  }

  /**
   * Every table of the live view has a panel. A column that the JSON does not have would stay empty in
   * Grafana, without an error; a table that is not there is an error, and one without rows is none.
   */
  @Test
  void tablesOfTheDashboardFindTheirRows() throws Exception {
    List<String> tables = new ArrayList<>();
    for (JsonNode table : tablesOfTheDashboard()) {
      String selector = table.at("/root_selector").asText();
      JsonNode answer = json(url(table));
      assertThat(answer.at("/beans/0").fieldNames()).toIterable().as("it asks for that table alone")
          .containsOnly("name", "modelerType", selector.replaceAll(".*\\.", ""));
      assertThat(found(empty.get(url(table)), selector).isArray()).as("empty: " + selector).isTrue();
      assertThat(found(empty.get(url(table)), selector)).as("empty: " + selector).isEmpty();
      tables.add(selector.replaceAll(".*\\.", ""));
      JsonNode rows = found(answer, selector);
      assertThat(rows).as(selector).isNotEmpty();
      assertThat(rows.get(0).fieldNames()).toIterable().as(selector)
          .filteredOn(name -> !LEFT_OUT.contains(name))
          .containsExactlyInAnyOrderElementsOf(table.at("/columns").findValuesAsText("selector"));
      for (JsonNode column : table.at("/columns")) {
        JsonNode cell = rows.get(0).path(column.at("/selector").asText());
        assertThat(cell.isNumber()).as(selector + " " + column)
            .isEqualTo(!column.at("/type").asText().equals("string"));
        assertThat(cell.isValueNode()).as(selector + " " + column).isTrue();
      }
    }
    JsonNode view = json(VIEW).at("/beans/0");
    assertThat(view.fieldNames()).toIterable().filteredOn(name -> view.get(name).isArray())
        .containsExactlyInAnyOrderElementsOf(tables);
  }

  /** The questions of the dashboard that are not for Prometheus. */
  private static List<JsonNode> tablesOfTheDashboard() throws Exception {
    List<JsonNode> tables = new ArrayList<>();
    for (JsonNode target : new ObjectMapper().readTree(
        Path.of("docs", "monitoring", "grafana-dashboard.json").toFile()).findValues("targets")) {
      if (target.get(0).has("root_selector")) {
        tables.add(target.get(0));
      }
    }
    return tables;
  }

  private static String url(JsonNode table) {
    JsonNode parameters = table.at("/url_options/params");
    assertThat(parameters).hasSize(1);
    return table.at("/url").asText().replace("${rm}", "") + "?" + parameters.at("/0/key").asText() + "="
        + parameters.at("/0/value").asText();
  }

  /**
   * As the data source Infinity does it: GJSON, which takes names and numbers with dots between them. What
   * that does not find it gives to JSONata, for which an empty array is nothing: then the panel shows an
   * error.
   */
  private static JsonNode found(JsonNode answer, String selector) {
    assertThat(selector).matches("\\w+(\\.\\w+)*");
    return answer.at("/" + selector.replace('.', '/'));
  }

  @Test
  void jmxServesTheTablesOfTheLiveView() throws Exception {
    JsonNode view = json(VIEW).at("/beans/0");
    assertThat(view.at("/HadoopVersion").asText()).isNotEmpty();
    assertThat(view.at("/Queues/0/queue").asText()).isEqualTo("root.drip");
    assertThat(view.at("/Queues/0/accepted").asInt()).isEqualTo(3);
    assertThat(view.at("/Starting/0/application").asText()).isEqualTo(apps.get(0).toString());
    assertThat(view.at("/Line").findValuesAsText("application"))
        .containsExactly(apps.get(1).toString(), apps.get(2).toString(), apps.get(3).toString());
    assertThat(view.at("/Line/1/reason").asText()).startsWith("waits for a starting slot");
    assertThat(view.at("/Line/1/code").asText()).isEqualTo("SLOT");
    assertThat(view.at("/Pending").findValuesAsText("application")).containsExactly(pending.toString());
    assertThat(view.at("/Events/0/to").asText()).isEqualTo("STARTING");
    assertThat(view.at("/Promotions").findValuesAsText("to")).containsExactly("RUNNING");
    assertThat(view.at("/EndedWhileStarting").findValuesAsText("to")).containsExactly("ENDED");
    assertThat(json("/jmx?qry=Hadoop:service=ResourceManager,name=DripfeedQueue,*").at("/beans")
        .findValuesAsText("AcceptedApplications")).as("metrics without tables").hasSize(2);
  }

  @Test
  void markupOfUsersIsEscapedEverywhere() throws Exception {
    for (String page : List.of("/cluster/scheduler", "/cluster/app/" + apps.get(0), "/cluster/apps",
        "/prom", "/jmx")) {
      assertThat(get(page)).as(page).doesNotContain(MARKUP);
    }
  }

  /**
   * The one warning that shows what a user has written; YARN refuses a tag of several lines. For the state
   * log see StateChangeRecorderTest.
   */
  @Test
  void tagsOfUsersAreLoggedWithoutMarkup() throws Exception {
    List<String> log = Files.readAllLines(Path.of("target", "test.log"));
    for (ApplicationId app : apps) {
      assertThat(log).filteredOn(line -> line.contains(" OrderingDelegate: " + app))
          .singleElement().asString()
          .contains("tag 'stateaware.starting-timeout=?script?alert(1)?/script?' is ignored");
    }
  }

  private static double value(String text, String metric) {
    Matcher line = Pattern.compile("^" + metric + "\\{[^}]*queue=\"root.drip\"[^}]*} (\\S+)$",
        Pattern.MULTILINE).matcher(text);
    return line.find() ? Double.parseDouble(line.group(1)) : Double.NaN;
  }

  private static JsonNode json(String path) throws Exception {
    return new ObjectMapper().readTree(get(path));
  }

  private static String get(String path) throws Exception {
    return HTTP.send(HttpRequest.newBuilder(URI.create("http://" + address + path)).build(),
        HttpResponse.BodyHandlers.ofString()).body();
  }

}
