// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.FinishedProcess;
import io.github.dripfeed.fixture.HadoopVersion;
import io.github.dripfeed.fixture.InstalledProgram;
import io.github.dripfeed.fixture.MetricsDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * The metrics of a real ResourceManager in a real Prometheus, and what the project ships for it. Needs
 * {@code prometheus} and {@code promtool} on the path.
 */
class PrometheusIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final Path MONITORING = Path.of("docs", "monitoring").toAbsolutePath();
  private static final Path ALERTS = MONITORING.resolve("prometheus-alerts.yml");
  private static final String PROMETHEUS_ENABLED = "hadoop.prometheus.endpoint.enabled";
  private static final String QUEUE = "root.dripfed";

  /** {@code label_values(series, label)} is Grafana's. */
  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");

  private static final Pattern JOIN = Pattern.compile("\\b(and|unless)\\b");
  private static final Pattern LIMIT = Pattern.compile("(==|[<>]) [\\d.]+( \\*)?");

  @Test
  void everyMetricAlertAndPanelHasData() throws Exception {
    assumeTrue(HadoopVersion.isAtLeast("3.3"), "Hadoop's endpoint for Prometheus came with 3.3");
    require("prometheus");
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("prometheus"),
        Map.of(PROMETHEUS_ENABLED, "true"))) {
      cluster.startResourceManager();
      cluster.startNodes(2, 2048);
      cluster.submit("running", "dripfed", 0, 1, 3600);
      Eventually.is("it runs", () -> cluster.rest().page().contains("0 starting, 1 running"));
      Path alerts = Files.copy(ALERTS, cluster.folder().resolve(ALERTS.getFileName()));
      try (Prometheus prometheus = new Prometheus(cluster.folder(), cluster.rest().address(), alerts)) {
        prometheus.await();
        Eventually.is("the first scrape", () -> !prometheus.query("dripfeed_queue_starts_total").isEmpty());
        // Rates and quantiles need something that happens between two scrapes.
        cluster.submit("quick", "dripfed", 0, 1, 1);
        cluster.submit("starting", "dripfed", 3600, 1, 1);
        cluster.submit("held", "dripfed", 3600, 1, 1);
        Eventually.is("one is starting, one is held", () ->
            cluster.rest().page().contains("1 accepted, 1 starting, 1 running"));

        assertMetrics(cluster.rest().prometheus(), prometheus);
        assertAlerts(prometheus);
        assertDashboard(prometheus);
      }
    }
  }

  /** Every metric of the document is served with the type that the document says, and scraped. */
  private static void assertMetrics(String page, Prometheus prometheus) throws Exception {
    for (MetricsDocument.Metric metric : MetricsDocument.metrics()) {
      assertThat(page).contains("# TYPE " + metric.name() + " " + metric.type() + "\n");
      awaitSeries(prometheus, metric.name() + "{cluster=\"test\",queue=\"" + QUEUE + "\"}");
    }
    Eventually.is("the scraped values are those of the queue", () ->
        value(prometheus, "dripfeed_queue_accepted_applications") == 1
            && value(prometheus, "dripfeed_queue_starting_applications") == 1
            && value(prometheus, "dripfeed_queue_starts_total") == 3);
  }

  private static double value(Prometheus prometheus, String metric) throws Exception {
    return prometheus.query(metric + "{queue=\"" + QUEUE + "\"}").at("/0/value/1").asDouble();
  }

  /** Prometheus evaluates each alert, on series that exist, and nothing is wrong here. */
  private static void assertAlerts(Prometheus prometheus) throws Exception {
    Eventually.is("all alerts were evaluated", () -> {
      for (JsonNode rule : prometheus.rules()) {
        assertThat(rule.at("/lastError").asText()).as(rule.at("/name").asText()).isEmpty();
        if (!rule.at("/health").asText().equals("ok")) {
          return false;
        }
      }
      return prometheus.rules().size() > 0;
    });
    assertThat(prometheus.rules()).hasSameSizeAs(alerts());
    // Until YARN has published twice, metrics seem to stand still. The test is too short for most alerts to
    // fire, but not for their conditions to hold.
    Eventually.is("no condition of an alert holds",
        () -> StreamSupport.stream(prometheus.rules().spliterator(), false)
            .allMatch(rule -> rule.at("/state").asText().equals("inactive")));
    for (JsonNode rule : prometheus.rules()) {
      prometheus.query(rule.at("/query").asText());
    }
    for (MatchResult metric : all(Pattern.compile("\\b(dripfeed|metrics_system)_\\w+"),
        Files.readString(ALERTS))) {
      awaitSeries(prometheus, metric.group());
    }
    assertJoinsMatch(prometheus);
  }

  /**
   * Where labels differ a condition that joins series never holds, and nothing says so. With a limit that
   * everything reaches, each such condition has to hold for the series of this ResourceManager.
   */
  private static void assertJoinsMatch(Prometheus prometheus) throws Exception {
    List<String> joined = new ArrayList<>();
    for (JsonNode rule : prometheus.rules()) {
      String expression = rule.at("/query").asText();
      if (JOIN.matcher(expression).find()) {
        String relaxed = LIMIT.matcher(expression).replaceAll(">= 0$2");
        assertThat(relaxed).isNotEqualTo(expression);
        awaitSeries(prometheus, relaxed);
        joined.add(rule.at("/name").asText());
      }
    }
    assertThat(joined).contains("DripfeedApplicationsStartByTimeLimit", "DripfeedTakesBackAgainAndAgain",
        "DripfeedMetricsVanished", "DripfeedMetricsStandStill");
  }

  /** A scrape that takes longer than a second interrupts all series until the next one. */
  private static void awaitSeries(Prometheus prometheus, String expression) throws Exception {
    Eventually.is("there is " + expression, () -> !prometheus.query(expression).isEmpty());
  }

  private static void assertDashboard(Prometheus prometheus) throws Exception {
    JsonNode dashboard =
        new ObjectMapper().readTree(MONITORING.resolve("grafana-dashboard.json").toFile());
    Map<String, String> variables = new LinkedHashMap<>();
    for (JsonNode variable : dashboard.at("/templating/list")) {
      Matcher labels = LABEL_VALUES.matcher(variable.at("/query").asText());
      if (labels.matches()) {
        JsonNode values =
            prometheus.labelValues(filled(labels.group(1), variables), labels.group(2));
        assertThat(values).as(variable.at("/name").asText()).isNotEmpty();
        variables.put(variable.at("/name").asText(), values.get(0).asText());
      }
    }
    assertThat(variables).containsEntry("cluster", "test").containsEntry("queue", QUEUE)
        .containsKey("instance");
    int expressions = 0;
    for (JsonNode target : dashboard.findValues("expr")) {
      String expression = filled(target.asText(), variables);
      Eventually.is(expression, () -> {
        JsonNode series = prometheus.query(expression);
        return !series.isEmpty() && !series.at("/0/value/1").asText().equals("NaN");
      });
      expressions++;
    }
    assertThat(expressions).isGreaterThan(10);
  }

  /** As Grafana does it: a dot is one of a regular expression, so it is escaped. */
  private static String filled(String expression, Map<String, String> variables) {
    String filled = expression;
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      filled = filled.replace(
          "$" + variable.getKey(), variable.getValue().replace(".", "\\\\."));
    }
    return filled;
  }

  @Test
  void everyAlertFiresAndEnds() throws Exception {
    require("promtool");
    Path tests = MONITORING.resolve("prometheus-alerts-test.yml");
    FinishedProcess promtool = FinishedProcess.of(new ProcessBuilder(
        InstalledProgram.find("promtool").orElseThrow(), "test", "rules", tests.toString()),
        Duration.ofMinutes(2));
    assertThat(promtool.exitCode()).as(promtool.output()).isZero();
    for (String alert : alerts()) {
      assertThat(Files.readString(tests)).contains("alertname=\"" + alert + "\"");
    }
  }

  private static List<String> alerts() throws IOException {
    return all(Pattern.compile("- alert: (\\w+)"), Files.readString(ALERTS)).stream()
        .map(alert -> alert.group(1)).toList();
  }

  private static List<MatchResult> all(Pattern pattern, String text) {
    List<MatchResult> all = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      all.add(matcher.toMatchResult());
    }
    return all;
  }

  private static void require(String program) {
    InstalledProgram.require(
        "the metrics, alerts and dashboard in a real Prometheus", "prometheus", program);
  }
}
