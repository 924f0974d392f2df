// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.fixture.Browser;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.InstalledProgram;
import io.github.dripfeed.fixture.MetricsDocument;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What an operator asks at three in the morning: each question is one command of the packaged jar, at a
 * real ResourceManager that {@code yarn-site.xml} names, about real applications of several users.
 */
class CommandsProcessIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final String QUEUE = "dripfed";
  private static final String TIMEOUT =
      "yarn.scheduler.capacity.root.dripfed.ordering-policy.state-aware.starting-timeout";

  /**
   * The cell with the state of our queue, opened, and without the table of applications below the queues:
   * with that one YARN's page is wider than any screen, and so is all above it.
   */
  private static final String STATE_CELL = """
      (() => {
        const cell = [...document.querySelectorAll('td')].find(each => !each.querySelector('td')
          && each.textContent.includes('StateAwareOrderingPolicy: '));
        for (let each = cell; each !== document.body; each = each.parentElement) {
          if (getComputedStyle(each).display === 'none') each.style.display = 'block';
          if (each.id === 'cs-wrapper') [...each.parentElement.children].filter(other => other !== each)
            .forEach(other => { other.style.display = 'none'; });
        }
        cell.scrollIntoView({block: 'center', inline: 'start'});
        const text = document.createRange();
        text.selectNodeContents(cell);
        return {text: cell.textContent.replace(/\\s+/g, ' '), width: cell.getBoundingClientRect().width,
          right: Math.max(...[...text.getClientRects()].map(line => line.right)) + scrollX,
          page: document.documentElement.scrollWidth};
      })()""";

  @Test
  void everyQuestionIsAnsweredByOneCommand() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("commands"), Map.of())) {
      cluster.startResourceManager();
      // Its pages are there before it is active.
      Eventually.is("it is active", () ->
          cluster.rest().get("info").at("/clusterInfo/haState").asText().equals("ACTIVE"));
      assertThat(ask(cluster, 0, "status")).as("before any application").contains("root.dripfed: 0 MB used",
          "it has Dripfeed's policy, and no application yet", "may hold more than half", "root.stock");
      assertThat(ask(cluster, 1, "explain", "application_1_0001")).contains("nowhere: ");
      assertThat(ask(cluster, 0, "events")).contains("No such event.");
      cluster.startNodes(2, 2048);

      // Last night: one in time, one that the time limit promoted, and one that ended before.
      String quick = submit(cluster, "quick", "alice", cluster.driver(0, 1, 1));
      awaitEnd(cluster, quick);
      // Only now: however slow the machine is, the limit promoted this one alone.
      cluster.editScheduler(TIMEOUT, "20s");
      assertThat(cluster.refreshQueues().getKey()).isZero();
      String stuck = submit(cluster, "stuck", "bob", "exec sleep 3600");
      String failing = submit(cluster, "failing", "carol", "exit 3");
      awaitEnd(cluster, failing);

      // Now: one is starting, and two wait.
      cluster.editScheduler(TIMEOUT, "20m");
      assertThat(cluster.refreshQueues().getKey()).isZero();
      LocalTime submitted = LocalTime.now().truncatedTo(ChronoUnit.SECONDS);
      String starting = submit(cluster, "starting", "alice", "exec sleep 3600");
      Eventually.is("it has its driver", () ->
          cluster.rest().application(starting).at("/runningContainers").asInt() == 1);
      LocalTime seen = LocalTime.now();
      String next = submit(cluster, "next", "bob", "exec sleep 3600");
      String last = submit(cluster, "last", "carol", "exec sleep 3600");
      Eventually.is("both wait", () -> ask(cluster, 0, "status").contains("2 in line"));

      String status = ask(cluster, 0, "status", "--queue", QUEUE);
      assertThat(secondsFrom(submitted, startOf(starting + " +alice", status))).as(status)
          .isBetween(0L, secondsFrom(submitted, seen));
      assertThat(status)
          .as("who is starting since when; and the line in order, with reasons")
          .containsPattern("root\\.dripfed: \\d+ MB used.*\n +1 starting \\(at most 1\\), 2 in line"
              + " \\(2 for a slot, 0 for room\\), 1\\s+running")
          .containsSubsequence("since", "starting", starting, "alice", "SPARK-LIKE",
              "lacks 1 executor", "place", "waiting")
          .containsPattern("(?m)" + place(1, next, "bob") + place(2, last, "carol")
              + " +waits for a starting slot; " + starting + " has been\\s+starting");
      assertThat(yarnJar(cluster, "status")).containsPattern("(?m)" + place(1, next, "bob"));
      assertThat(yarnJar(cluster, "events", "--reason", "timeout", "--since", "12h"))
          .as("who was promoted by a time limit, and whose they were")
          .containsPattern(stuck + " +bob +SPARK-LIKE +root\\.dripfed +STARTING -> RUNNING +[2-9]\\d s")
          .doesNotContain(quick, failing, starting);
      assertThat(ask(cluster, 0, "events", "--from", "STARTING", "--to", "ENDED"))
          .as("who ended while starting, and why")
          .containsPattern(failing + " +carol +SPARK-LIKE +root\\.dripfed +STARTING -> ENDED +\\d.* s"
              + " +it failed: .*exitCode: 3")
          .doesNotContain(quick, stuck, starting, next, last);
      assertThat(ask(cluster, 0, "events", "--summary", "user,type"))
          .as("start-up times by user and type")
          .containsPattern("user +type +ran +start-up")
          .containsPattern("alice +SPARK-LIKE +1 +\\d[\\d.]* s")
          .containsPattern("bob +SPARK-LIKE +1 +[2-9]\\d s.* 1 +0 +0\n")
          .containsPattern("carol +SPARK-LIKE +0 .* 0 +2 +0\n");
      assertThat(ask(cluster, 0, "events", "--summary")).as("the same columns")
          .containsPattern("user +type +ran +start-up");
      assertThat(ask(cluster, 1, "status", "--brief")).as("what Nagios asks")
          .contains("OK root.dripfed: 1 starting (at most 1), 2 in line (2 for a slot, 0 for room), 1",
              "WARNING: A stock policy", "root.stock");
      assertThat(ask(cluster, 0, "status")).as("what is left").containsPattern(
          "left: [1-9]\\d* MB, \\d+ vcore");
      assertThat(ask(cluster, 0, "explain", last).replaceAll("\\s+", " "))
          .as("why does this one wait, and what would let it go")
          .containsSubsequence(last, "\"last\" of carol, SPARK-LIKE", "where number 2 of 2 in the line of"
              + " root.dripfed", "since", "why", "starting slot", starting, "lets go One application is"
              + " before it. A slot becomes free", starting + " of alice", "lacks 1 executor")
          .doesNotContain(next, stuck, failing);
      MetricsDocument.assertServed(cluster.rest()
          .jmx("Hadoop:service=ResourceManager,name=DripfeedQueue,q0=root,q1=" + QUEUE).path(0));
      assertPageShows(cluster, starting, next, last);
      replay(cluster);
    }
  }

  /** Since when this one is starting. */
  private static LocalTime startOf(String application, String status) {
    Matcher since = Pattern.compile("(\\d\\d:\\d\\d:\\d\\d) +\\d+ (?:s|min) +" + application)
        .matcher(status);
    assertThat(since.find()).as(status).isTrue();
    return LocalTime.parse(since.group(1));
  }

  /** The line of the one in this place, as a pattern. */
  private static String place(int place, String application, String user) {
    return "^ +" + place + " +\\d+ (?:s|min) +" + application + " +" + user + " +SPARK-LIKE.*\n";
  }

  private static String yarnJar(ProcessCluster cluster, String... command) throws Exception {
    List<String> call = new ArrayList<>(List.of(command));
    call.addAll(List.of("--rm", "http://" + cluster.rest().address()));
    Map.Entry<Integer, String> answer = cluster.yarnJar(call.toArray(new String[0]));
    assertThat(answer.getKey()).as(answer.getValue()).isZero();
    return answer.getValue();
  }

  /** Also past midnight. */
  private static long secondsFrom(LocalTime from, LocalTime to) {
    return Math.floorMod(ChronoUnit.SECONDS.between(from, to), TimeUnit.DAYS.toSeconds(1));
  }

  /** All of it as a page: the command serves it until it is ended. */
  private static void assertPageShows(ProcessCluster cluster, String starting, String... line)
      throws Exception {
    File output = cluster.logOf("view");
    Process view = startView(cluster, output, QUEUE);
    try {
      String url = addressOf(view, output);
      JsonNode queue;
      try (InputStream page = new URL(url + "data.json").openStream()) {
        queue = new ObjectMapper().readTree(page).at("/queues/0");
      }
      assertThat(queue.at("/queue").asText()).isEqualTo("root.dripfed");
      assertThat(queue.at("/starting").findValuesAsText("application")).containsExactly(starting);
      assertThat(queue.at("/line").findValuesAsText("application")).containsExactly(line);
      assertThat(queue.at("/bars/rows").findValuesAsText("application")).contains(starting).contains(line);
      if (Browser.isThere("the pages of a ResourceManager process in a real browser")) {
        lookAt(cluster, url, starting, line);
      }
    } finally {
      Installation.stop(view);
    }
  }

  static Process startView(ProcessCluster cluster, File output, String queue) throws IOException {
    return cluster.installation().start(Installation.COMMANDS, output, cluster.folder(), List.of(), "view",
        "--json", "--queue", queue);
  }

  /** The address that the command prints. */
  static String addressOf(Process view, File output) throws Exception {
    Pattern address = Pattern.compile("\"url\" ?: ?\"([^\"]+)\"");
    Eventually.is("it tells its address", () -> {
      assertThat(view.isAlive()).as(Files.readString(output.toPath())).isTrue();
      return address.matcher(Files.readString(output.toPath())).find();
    });
    Matcher url = address.matcher(Files.readString(output.toPath()));
    assertThat(url.find()).isTrue();
    return url.group(1);
  }

  /** What a person sees: the page of {@code view}, and what YARN's page of the scheduler has of ours. */
  private static void lookAt(ProcessCluster cluster, String view, String starting, String... line)
      throws Exception {
    Browser browser = new Browser(Files.createDirectories(cluster.folder().resolve("browser")));
    try {
      browser.open(view, 1500);
      Eventually.is("the queue is shown", () -> browser.text().contains("root.dripfed"), browser::text);
      assertThat(browser.text()).containsSubsequence("root.dripfed", "1 starting (at most 1), 2 in line",
          "Starting", starting, "In line", "1\t" + line[0], "2\t" + line[1]);
      assertThat(browser.value("document.querySelectorAll('svg.chart rect').length").asInt()).isPositive();

      JsonNode cell = openScheduler(cluster, browser);
      assertThat(cell.at("/text").asText()).contains("StateAwareOrderingPolicy: 2 accepted, 1 starting, ",
          "Starting: " + starting, "Next: " + line[0] + ", waits for a starting slot");
      browser.picture(cluster.folder().resolve("scheduler.png"));
      assertThat(cell.at("/width").asDouble()).as(cell.toString()).isBetween(100.0, 1500.0);
      assertThat(cell.at("/right").asDouble()).as("the end of its longest line: " + cell).isLessThan(1500);
    } finally {
      browser.end();
    }
  }

  /** Opens YARN's page at the queue, and returns what is known of its cell. */
  static JsonNode openScheduler(ProcessCluster cluster, Browser browser) throws Exception {
    browser.open("http://" + cluster.rest().address() + "/cluster/scheduler", 1500);
    Eventually.is("all of YARN's page", () -> browser.value("document.readyState").asText()
        .equals("complete") && browser.text().contains("Application Queues"), browser::text);
    return browser.value(STATE_CELL);
  }

  /** What would have happened under another setting: the simulator's jar reads what ended. */
  private static void replay(ProcessCluster cluster) throws Exception {
    String jar = System.getProperty("simulator.jar");
    if (jar.equals("none")) {
      // It is built with the default Hadoop alone.
      return;
    }
    List<String> command = new ArrayList<>(InstalledProgram.java());
    command.addAll(List.of("-jar", jar, "--trace", "http://" + cluster.rest().address(),
        "--queue", "root." + QUEUE, "--driver-memory", "256", "--executor-memory", "256",
        "--settings", "starting = auto", "--processes", "1"));
    Process process = new ProcessBuilder(command).directory(cluster.folder().toFile())
        .redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("replay, round 1, max-starting = auto: makespan ");
  }

  private static String submit(ProcessCluster cluster, String name, String user, String command)
      throws IOException {
    return cluster.rest().as(user).submit(name, QUEUE, ProcessCluster.DRIVER_MEMORY, command);
  }

  private static void awaitEnd(ProcessCluster cluster, String application) throws Exception {
    Eventually.is(application + " ends",
        () -> cluster.rest().application(application).at("/finishedTime").asLong() > 0);
  }

  private static String ask(ProcessCluster cluster, int exitCode, String... command) throws Exception {
    Map.Entry<Integer, String> answer = cluster.run(Installation.COMMANDS, command);
    assertThat(answer.getKey()).as(answer.getValue()).isEqualTo(exitCode);
    return answer.getValue();
  }
}
