// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.FreePorts;
import io.github.dripfeed.fixture.InstalledProgram;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The Prometheus of this machine, as a process that scrapes a ResourceManager every second. */
final class Prometheus implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String address = "127.0.0.1:" + FreePorts.next();
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final Path log;
  private final Process process;

  /**
   * Starts it.
   *
   * @param folder an existing folder for its files
   * @param target host and port of the ResourceManager
   * @param rules the file of alerts
   */
  Prometheus(Path folder, String target, Path rules) throws IOException {
    Path configuration = Files.writeString(folder.resolve("prometheus.yml"), """
        global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
        rule_files: ['%s']
        scrape_configs:
          - job_name: resourcemanager
            metrics_path: /prom
            static_configs: [{targets: ['%s'], labels: {cluster: test}}]
        """.formatted(rules.toAbsolutePath(), target));
    log = folder.resolve("prometheus.log");
    process = new ProcessBuilder(InstalledProgram.find("prometheus").orElseThrow(),
        "--config.file=" + configuration, "--storage.tsdb.path=" + folder.resolve("prometheus"),
        "--web.listen-address=" + address)
        .redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** Returns once it answers. */
  void await() throws Exception {
    Eventually.is("Prometheus answers", () -> {
      if (!process.isAlive()) {
        throw new IllegalStateException("Prometheus ended: " + Files.readString(log));
      }
      try {
        return get("/api/v1/status/buildinfo").at("/status").asText().equals("success");
      } catch (IOException e) {
        return false;
      }
    });
  }

  /** The series that an expression has now; an expression that Prometheus refuses is an error. */
  JsonNode query(String expression) throws IOException {
    return get("/api/v1/query?query=" + encoded(expression)).at("/data/result");
  }

  /** The values of a label in the series that match. */
  JsonNode labelValues(String series, String label) throws IOException {
    return get("/api/v1/label/" + label + "/values?match[]=" + encoded(series)).at("/data");
  }

  /** The alerts that it evaluates. */
  JsonNode rules() throws IOException {
    return get("/api/v1/rules").at("/data/groups/0/rules");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private JsonNode get(String path) throws IOException {
    String uri = "http://" + address + path.replace("[]", "%5B%5D");
    try {
      HttpResponse<String> answer = http.send(
          HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofSeconds(20)).build(),
          HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(uri + ": " + answer.body());
      }
      return JSON.readTree(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
