// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that ask a ResourceManager, at one that serves what they read. */
class CommandsTest extends CommandFixture {

  @Test
  void statusShowsWhoStartsAndTheLineInOrderWithReasons() {
    rm.busy();
    Output output = run("status");
    assertThat(output.exitCode()).as(output.err()).isZero();
    assertThat(output.out()).containsSubsequence("root.batch: 1 starting (at most 1), 3 in line",
        "the last 20 starts came 25 to 50 s apart", "36 s", FakeResourceManager.id(12), "alice",
        "lacks 1 executor, requested", "1", "4 min", FakeResourceManager.id(13), "25 to 50 s", "2",
        FakeResourceManager.id(14), "3", FakeResourceManager.id(15), "carol",
        "waits for a starting slot; " + FakeResourceManager.id(12), "in YARN's own list",
        FakeResourceManager.id(16), "not yet activated");
  }

  @Test
  void startsAtOnceAreLessThanASecondApart() {
    rm.queue("root.batch", 0, 0, 9).put("group", "all")
        .put("changedSettings", "starting-group = all").put("startIntervalLowSeconds", 0)
        .put("startIntervalHighSeconds", 0);
    assertThat(run("status").out()).contains("came less than 1 s apart").containsOnlyOnce("all");
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 100, 200})
  void textFitsTheTerminal(int width) {
    rm.busy();
    rm.waiting("root.batch", 17, "a-user-with-a-very-long-name-from-a-directory", 100);
    Output status = Output.of(true, width, rm.call("status"));
    Output events = Output.of(true, width, rm.call("events"));
    for (String line : (status.out() + events.out()).split("\n")) {
      assertThat(Text.width(line.replaceAll("\u001b\\[\\d*m", ""))).as(line).isLessThanOrEqualTo(width);
    }
  }

  /** Half a number would be another one. */
  @ParameterizedTest
  @CsvSource({"80,false", "100,false", "110,true", "140,true"})
  void whatADriverAsksForIsShownInFullOrNotAtAll(int width, boolean shown) {
    rm.queue("root.batch", 1, 0, 0);
    rm.waiting("root.batch", 13, "bob", 252).put("resources", "yarn.io/gpu = 2");
    rm.waiting("root.batch", 14, "bob", 200).put("memoryMb", 1500).put("vcores", 2);
    String out = Output.of(true, width, rm.call("status")).out();
    assertThat(out.contains("asks for")).isEqualTo(shown);
    assertThat(out.contains("2 GB, 1 vcore, yarn.io/gpu = 2")).isEqualTo(shown);
    assertThat(out.contains("1500 MB, 2 vcores")).isEqualTo(shown);
    assertThat(out.replaceAll("nightly[^\n]*", "")).doesNotContain("~");
  }

  @Test
  void coloursAreForTerminals() {
    rm.busy();
    assertThat(run("status").out()).doesNotContain("\u001b");
    assertThat(Output.of(true, 80, rm.call("status")).out()).contains("\u001b[33m");
  }

  /** As with {@code status 2>err.log}. */
  @Test
  void errorsInAFileHaveNoColours() {
    for (boolean live : new boolean[] {true, false}) {
      assertThat(Output.onTerminal(live, rm.call("status", "--queue", "root.nowhere")).err())
          .contains("No queue")
          .matches(text -> text.contains("\u001b[31m") == live);
    }
  }

  @Test
  void namesDoNotControlTheTerminal() {
    rm.queue("root.batch", 1, 0, 0);
    rm.waiting("root.batch", 1, "eve\u001b]0;owned\u0007\u009b31m", 5)
        .put("name", "\u202egpj.exe\nroot.batch: 0 starting")
        .put("reason", "\u001b[2Jgone");
    String explain = "explain " + FakeResourceManager.id(1);
    for (String command : new String[] {"status", "status --json", explain}) {
      String out = Output.of(false, 200, rm.call(command.split(" "))).out();
      assertThat(out).as(command).contains("owned");
      assertThat(out.replace("\n", "").codePoints()
          .noneMatch(c -> Character.isISOControl(c) && c != '\r' || c == 0x202e)).as(command).isTrue();
    }
  }

  @Test
  void statusIsForOneQueueToo() throws Exception {
    rm.busy();
    rm.queue("root.other", 0, 0, 1);
    assertThat(run("status", "--queue", "root.other").out()).contains("root.other: 0 starting")
        .doesNotContain("root.batch");
    assertThat(run("status", "--queue", "batch").out()).contains("root.batch: 1 starting");
    Output missing = run("status", "--queue", "root.nowhere");
    assertThat(missing.exitCode()).isEqualTo(Problem.NOT_FOUND);
    assertThat(missing.err()).contains("No queue 'root.nowhere'", "root.batch, root.other");
    JsonNode document = run("status", "--json", "--queue", "root.batch").json();
    assertThat(document.at("/queues/0/line/1/application").asText()).isEqualTo(FakeResourceManager.id(14));
    assertThat(document.at("/queues/0/startingApplications/0/since").asLong()).isPositive();
  }

  /** The table of a line ends after 1,000 rows, and the queue counts all. */
  @Test
  void aLineThatIsLongerThanItsTableIsNotCutInSilence() throws Exception {
    rm.queue("root.batch", 1500, 1, 0).put("pendingActivation", 1);
    rm.starting("root.batch", 12, "alice", 36);
    for (int i = 0; i < 1000; i++) {
      rm.waiting("root.batch", 1000 + i, "bob", 1000 - i);
    }
    assertThat(run("status", "--all").out()).containsSubsequence("1500 in line",
        FakeResourceManager.id(1999), "waits for a starting slot", "\n  ... and 500 more\n")
        .doesNotContain("more starting");
    assertThat(run("status").out()).containsSubsequence(FakeResourceManager.id(1019),
        "\n  ... and 1480 more; --all\n").doesNotContain(FakeResourceManager.id(1020));
    assertThat(oneLine("explain " + FakeResourceManager.id(1001))).contains("number 2 of 1500 in the line");

    String beyond = FakeResourceManager.id(2000);
    String yarn = "{\"queue\":\"batch\",\"state\":\"ACCEPTED\",\"user\":\"eve\",\"startedTime\":"
        + (FakeResourceManager.NOW - 60_000) + ",\"runningContainers\":-1,\"finishedTime\":0,"
        + "\"diagnostics\":\"%s\"}";
    rm.applications.put(beyond, String.format(yarn, "[Sun Nov 22] Application is Activated, waiting for"
        + " resources. Held by StateAwareOrderingPolicy: More than 50 applications are before it in line;"
        + " the next waits for a starting slot. Details : AM Partition = x ; "));
    assertThat(oneLine("explain " + beyond)).contains("where in the line of root.batch, beyond the first"
        + " 1,000 places", "for 60 s", "why [Sun Nov 22] Application is Activated", "the next waits for a"
        + " starting slot.", "lets go First those of the first 1,000 places. A slot becomes free",
        FakeResourceManager.id(12) + " of alice").doesNotContain("not yet", "max-parallel-apps");
    assertThat(run("explain", beyond, "--json").json().at("/state").asText()).isEqualTo("line");
    rm.applications.put(beyond, String.format(yarn, ""));
    assertThat(oneLine("explain " + beyond)).as("YARN has not been told yet").contains("beyond the first"
        + " 1,000 places", "unless max-parallel-apps keeps it out");
    rm.applications.put(beyond, String.format(yarn, "Application is added to the scheduler and is not yet"
        + " activated."));
    assertThat(oneLine("explain " + beyond)).contains("or in YARN's own list", "is not yet activated");
  }

  /** The tables end after 10,000 rows of all queues. */
  @Test
  void aQueueThatTheTablesDoNotTellIsNotIdle() {
    for (int i = 0; i < 11; i++) {
      rm.queue("root.idle" + i, 0, 0, 1);
    }
    rm.queue("root.line", 7, 0, 0);
    rm.queue("root.starting", 0, 2, 0);
    rm.queue("root.pending", 0, 0, 0).put("pendingActivation", 3);
    assertThat(run("status").out()).contains("root.line: 0 starting", "... and 7 more",
        "root.starting: 2 starting", "... and 2 more starting", "root.pending: 0 starting",
        "... and 3 more", "11 more queues, in which nobody starts or waits").doesNotContain("root.idle");
  }

  /** Each partition has its own line, with places from 1. */
  @Test
  void eachPartitionHasItsOwnLine() {
    rm.queue("root.batch", 3, 1, 0).put("waitingForSlot", 3);
    rm.starting("root.batch", 12, "alice", 36).put("partition", "gpu");
    rm.waiting("root.batch", 13, "bob", 100);
    rm.waiting("root.batch", "gpu", 14, "bob", 90);
    rm.waiting("root.batch", "gpu", 15, "carol", 80);
    assertThat(run("status").out()).containsSubsequence("partition", FakeResourceManager.id(12), "gpu",
        "For the default partition, 1 in line:", "place", "    1 ", FakeResourceManager.id(13),
        "For partition gpu, 2 in line:", "place", "    1 ", FakeResourceManager.id(14),
        "    2 ", FakeResourceManager.id(15)).doesNotContain("more", "in line for partition");
    assertThat(oneLine("explain " + FakeResourceManager.id(13)))
        .contains("number 1 of 1 in the line of root.batch since");
    assertThat(oneLine("explain " + FakeResourceManager.id(15)))
        .contains("number 2 of 2 in the line of root.batch for partition gpu", "Starting: ", "of alice");
    assertThat(oneLine("explain " + FakeResourceManager.id(13))).as("it waits for no slot of gpu")
        .doesNotContain("Starting: ");
  }

  @Test
  void aPartitionIsNamedUnlessItIsTheDefaultOneAlone() {
    rm.queue("root.batch", 1200, 0, 0);
    rm.waiting("root.batch", 13, "bob", 100);
    assertThat(run("status").out()).doesNotContain("artition");
    rm.queue("root.gpu", 1200, 0, 0);
    rm.waiting("root.gpu", "gpu", 14, "bob", 90);
    assertThat(run("status", "--queue", "root.gpu").out())
        .contains("For partition gpu:\n").contains("... and 1199 more");
    assertThat(oneLine("explain " + FakeResourceManager.id(14)))
        .as("the queue counts all its partitions together")
        .contains("where number 1 in the line of root.gpu for partition gpu");
  }

  @Test
  void startingApplicationsBeyondTheirTableAreCounted() {
    rm.queue("root.batch", 1, 1500, 0);
    for (int i = 0; i < 3; i++) {
      rm.starting("root.batch", 20 + i, "alice", 36);
    }
    rm.waiting("root.batch", 30, "bob", 100);
    assertThat(run("status").out()).containsSubsequence("1500 starting", FakeResourceManager.id(22),
        "lacks 1 executor", "\n  ... and 1497 more starting\n", "place", FakeResourceManager.id(30));
  }

  @Test
  void whoWasTakenBackHasNoPlace() {
    rm.queue("root.batch", 1, 0, 0);
    rm.waiting("root.batch", 13, "bob", 100).put("place", -1).put("priority", -1);
    rm.waiting("root.batch", 14, "bob", 90).put("priority", 5);
    assertThat(run("status").out().replaceAll(" +", " ")).contains("\n back 100 s ", " 5 ")
        .doesNotContain("-1");
    assertThat(oneLine("explain " + FakeResourceManager.id(13)))
        .contains("where in the line of root.batch, without a place for now");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "status --nonsense|Unknown option: '--nonsense'; there are --all, --brief, --help, --interval",
    "status here|Unmatched argument at index 1: 'here'; there are --all",
    "events --reason because|option '--reason' (WORD): expected one of [AM_ALLOCATED, EXECUTORS, TIMEOUT",
    "events --to ACCEPTED|'--to': expected one of [STARTING, RUNNING, ENDED]",
    "events --from ENDED|'--from': expected one of [NEW, ACCEPTED, STARTING, RUNNING]",
    "events --since whenever|allowed are how long ago",
    "events --summary colour|allowed are user, type",
    "events --application job_1|no id of an application",
    "explain|Missing required parameter: '<application>'", "off|Missing required option: '--queue=PATH'",
    "explain application_1_1|no id of an application", "events --last 0|a number from 1",
    "status --timeout never|a number from 1", "status --queue=|--queue = '': allowed",
    "status --watch --watch|option '--watch' should be specified only once",
    "events --last -1|--last = '-1': allowed is a number from 1",
    "view --port 65536|--port = '65536': allowed is a number from 0 to 65535",
    "view --port http|--port = 'http'", "view root.batch|'root.batch'",
    "queues|No such command: 'queues'"})
  void wrongCallsAreNamedBeforeAnybodyIsAsked(String call, String message) {
    Output output = run(call.split(" "));
    assertThat(output.err()).contains(message);
    assertThat(output.exitCode()).isNotZero();
    assertThat(rm.asked).as("not asked").isEmpty();
  }

  @Test
  void anOptionAtTheEndLacksItsValue() {
    Output output = Output.of("status", "--queue");
    assertThat(output.err()).contains("Missing required parameter for option '--queue' (PATH)");
    assertThat(output.exitCode()).isEqualTo(Problem.WRONG_CALL);
  }

  @ParameterizedTest
  @CsvSource({"status --queue --json, --queue, --json",
      "events --text --queue=batch, --text, --queue=batch"})
  void anOptionIsNoValueOfTheOneBefore(String call, String option, String next) {
    Output output = run(call.split(" "));
    assertThat(output.out() + output.err())
        .contains("Expected parameter for option '" + option + "' but found '" + next + "'");
    assertThat(output.exitCode()).isEqualTo(Problem.WRONG_CALL);
    assertThat(rm.asked).as("not asked").isEmpty();
  }

  @Test
  void whatCannotBeReachedIsNamed() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    Output refused = Output.of("status", "--rm", "http://127.0.0.1:" + free);
    assertThat(refused.exitCode()).isEqualTo(Problem.UNREACHABLE);
    assertThat(refused.err()).contains("Nothing listens at http://127.0.0.1:" + free, "refused");
    assertThat(Output.of("status", "--rm", "no-such-host.invalid").err())
        .contains("No such host: no-such-host.invalid");
    try (ServerSocket plain = new ServerSocket(0)) {
      Thread server = new Thread(() -> {
        try (Socket socket = plain.accept()) {
          socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
          socket.getInputStream().read(new byte[1 << 12]);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      server.start();
      Output http = Output.of("status", "--rm", "https://127.0.0.1:" + plain.getLocalPort());
      assertThat(http.exitCode()).isEqualTo(Problem.UNREACHABLE);
      assertThat(http.err()).contains("does not speak HTTPS");
      server.join();
    }
    try (ServerSocket silent = new ServerSocket(0)) {
      assertThat(Output.of("status", "--timeout", "1", "--rm", "http://127.0.0.1:" + silent.getLocalPort())
          .err()).contains("No answer from", "within 1 s");
    }
    assertThat(Output.of("status", "--json", "--rm", "ftp://x").json().at("/exitCode").asInt())
        .isEqualTo(Problem.WRONG_CALL);
  }

  /** YARN knows which queues have the policy before any of them has an application. */
  @Test
  void queuesAreKnownBeforeTheFirstApplication() throws Exception {
    rm.hasDripfeed = false;
    rm.scheduler(20_000, 6000);
    JsonNode queues = run("status", "--json").json().at("/queues");
    assertThat(queues).singleElement().satisfies(queue -> {
      assertThat(queue.path("queue").asText()).isEqualTo("root.batch");
      assertThat(queue.at("/room/0/memoryMb").asInt()).isEqualTo(4000);
    });
    assertThat(run("status", "--queue", "root.stock").err()).contains("No queue 'root.stock' under");
    assertThat(run("events").out()).isEqualTo("No such event.\n");
    String application = FakeResourceManager.id(1);
    rm.applications.put(application, "{\"queue\":\"batch\",\"state\":\"ACCEPTED\"}");
    assertThat(oneLine("explain " + application)).contains("accepted by YARN, and not yet in the line");
  }

  @Test
  void whatIsNoResourceManagerWithDripfeedIsNamed() {
    rm.hasDripfeed = false;
    assertThat(run("status").err()).contains("No queue of the ResourceManager at " + rm.url()
        + " has Dripfeed's policy. Set the ordering-policy of one to");
    assertThat(run("status").exitCode()).isEqualTo(Problem.NO_DRIPFEED);
    rm.everything = "<html>Welcome</html>";
    assertThat(run("status").err()).contains("not JSON: Welcome");
    rm.everything = "{}";
    assertThat(run("status").err()).contains("is no ResourceManager");
    rm.status = 404;
    assertThat(run("status").exitCode()).isEqualTo(Problem.NO_DRIPFEED);
    rm.status = 500;
    assertThat(run("status").exitCode()).isEqualTo(Problem.UNREACHABLE);
  }

  @ParameterizedTest
  @CsvSource({"401, Negotiate", "401, 'Basic realm=\"x\"'", "403, PseudoAuth", "403,"})
  void missingLoginIsNamed(int status, String challenge) {
    rm.status = status;
    rm.challenge = challenge;
    Output output = run("status");
    assertThat(output.exitCode()).as(output.err()).isEqualTo(Problem.NOT_ALLOWED);
    assertThat(output.err()).contains("Not ");
  }

  @Test
  void missingLoginAtOneOfAPairIsNamedInWhicheverOrderTheyAreAsked() throws Exception {
    rm.status = 401;
    rm.challenge = "Basic realm=\"x\"";
    String gone;
    try (FakeResourceManager other = new FakeResourceManager()) {
      gone = other.url();
    }
    for (String pair : new String[] {rm.url() + "," + gone, gone + "," + rm.url()}) {
      Output output = Output.of("status", "--rm", pair);
      assertThat(output.err()).contains("Not logged in: " + rm.url(), "Nothing listens at " + gone);
      assertThat(output.exitCode()).as(pair).isEqualTo(Problem.NOT_ALLOWED);
    }
  }

  @Test
  void standbyLeadsToTheActiveOne() throws Exception {
    try (FakeResourceManager active = new FakeResourceManager().busy()) {
      rm.haState = "STANDBY";
      assertThat(run("status").err()).contains("is on standby");
      rm.haState = "INITIALIZING";
      assertThat(run("status").err()).contains("is not ready: it is starting");
      rm.haState = "STANDBY";
      assertThat(run("status").exitCode()).isEqualTo(Problem.UNREACHABLE);
      Output pair = Output.of("status", "--rm", rm.url() + "," + active.url());
      assertThat(pair.exitCode()).as(pair.err()).isZero();
      rm.active = active.url();
      Output followed = run("status");
      assertThat(followed.out()).contains("root.batch");
      assertThat(followed.err()).contains("is not the active ResourceManager; asking " + active.url());
    }
  }

  /** Up to the maximum of the queue and of its parents; nothing is left beyond it, none is made up. */
  @Test
  void whatIsLeftInTheQueueIsTold() throws Exception {
    rm.busy();
    rm.scheduler(20_000, 6000);
    assertThat(run("status").out()).contains("left: 4000 MB, 40 vcores\n");
    rm.scheduler(20_000, 19_000);
    assertThat(run("status").out()).as("beyond its maximum").contains("left: 0 MB, 0 vcores");
    JsonNode room = run("status", "--json").json().at("/queues/0/room");
    assertThat(room.at("/0/memoryMb").asInt()).isEqualTo(-9000);
    assertThat(room.at("/0/partition").asText("none")).isEmpty();
    rm.scheduler = "{}";
    assertThat(run("status").out()).doesNotContain("left: ");
    assertThat(run("status", "--json").json().at("/queues/0/room")).isEmpty();
  }

  /** Stock order with a high AM limit deadlocks, whoever has the queue. */
  @Test
  void queueThatHoldsNobodyIsWarnedOf() throws Exception {
    rm.busy();
    rm.scheduler(20_000, 6000);
    assertThat(run("status").out()).doesNotContain("WARNING");
    ((ObjectNode) rm.table("Queues").get(0)).put("maxStarting", "");
    assertThat(run("status").out()).contains("WARNING: A stock policy or enforce = false");
    assertThat(run("status", "--brief").exitCode()).isEqualTo(1);
  }

  /** A failover between two questions of one call. */
  @Test
  void whoBecomesAStandbyIsNotAskedFurther() throws Exception {
    String moved = FakeResourceManager.id(99);
    rm.busy();
    rm.lastAsActive = "/jmx";
    try (FakeResourceManager other = new FakeResourceManager().busy()) {
      rm.active = other.url();
      other.scheduler(20_000, 5000);
      Output room = run("status");
      assertThat(room.exitCode()).as(room.err()).isZero();
      assertThat(room.out()).contains("left: 5000 MB, 50 vcores");
      assertThat(room.err()).contains("is not the active ResourceManager; asking " + other.url());

      rm.haState = "ACTIVE";
      other.applications.put(moved, "{\"queue\":\"default\",\"state\":\"ACCEPTED\"}");
      assertThat(run("explain", moved).out()).contains("a queue without Dripfeed");

      rm.haState = "ACTIVE";
      rm.lastAsActive = "/ws/v1/cluster/info";
      rm.tellsOnStandby = false;
      other.startedOn = FakeResourceManager.NOW - 60_000;
      assertThat(run("events", "--json").json().at("/knownSince").asLong()).isEqualTo(other.startedOn);
    }
  }

  @Test
  void whoBecomesAStandbyWhileNoOtherIsActiveIsNamed() {
    rm.busy();
    rm.lastAsActive = "/jmx";
    Output explain = run("explain", FakeResourceManager.id(99));
    assertThat(explain.err()).contains("is on standby, and knows no active one");
    assertThat(explain.exitCode()).isEqualTo(Problem.UNREACHABLE);
    rm.haState = "ACTIVE";
    Output status = run("status");
    assertThat(status.err()).contains("What is left in the queues is not shown: The ResourceManager at",
        "is on standby, and knows no active one");
    assertThat(status.out()).as("what was read before").contains("3 in line").doesNotContain("left: ");
    assertThat(status.exitCode()).isZero();
  }

  @Test
  void viewNamesAPortInUseAndAQueueThatIsNotThere() throws Exception {
    rm.busy();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = String.valueOf(taken.getLocalPort());
      Output inUse = run("view", "--port", port);
      assertThat(inUse.exitCode()).isEqualTo(Problem.WRONG_CALL);
      assertThat(inUse.err()).contains("--port = '" + port + "': ", "another port, or none");
      JsonNode document = run("view", "--port", port, "--json").json();
      assertThat(document.at("/exitCode").asInt()).isEqualTo(Problem.WRONG_CALL);
      assertThat(document.at("/errors/0").asText()).contains(port);
    }
    Output missing = run("view", "--queue", "root.nowhere");
    assertThat(missing.exitCode()).isEqualTo(Problem.NOT_FOUND);
    assertThat(missing.err()).contains("No queue 'root.nowhere' under Dripfeed; there are root.batch");
    assertThat(run("view", "--queue", "root.nowhere", "--json").json().at("/exitCode").asInt())
        .isEqualTo(Problem.NOT_FOUND);
  }

  /** The command serves until its process, or here its thread, ends. */
  @Test
  void viewTellsItsAddressAndServesUntilItIsEnded() throws Exception {
    rm.busy();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int[] exitCode = {-1};
    Thread command = new Thread(() -> exitCode[0] = Commands.run(rm.call("view", "--json"),
        new Terminal(Output.stream(out), Output.stream(out), false, false, false, 80)));
    command.start();
    Eventually.is("it tells its address", () -> out.toString(StandardCharsets.UTF_8).endsWith("\n"));
    String told = out.toString(StandardCharsets.UTF_8);
    assertThat(told.trim().split("\n")).as("one line").hasSize(1);
    String url = new ObjectMapper().readTree(told).at("/url").asText();
    try (InputStream page = new URL(url + "data.json").openStream()) {
      JsonNode data = new ObjectMapper().readTree(page);
      assertThat(data.at("/queues/0/queue").asText()).isEqualTo("root.batch");
      assertThat(data.at("/zone").asText()).isEqualTo(ZoneId.systemDefault().getId());
    }
    command.interrupt();
    command.join(10_000);
    assertThat(exitCode[0]).isZero();
    assertThatThrownBy(() -> new URL(url).openStream()).isInstanceOf(ConnectException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "events", "events --summary user",
      "explain application_1795300000000_0014", "explain application_1_0001"})
  void everyAnswerSaysWhoHasToldItAndWhen(String call) throws Exception {
    rm.busy();
    Output output = run((call + " --json").split(" "));
    JsonNode document = output.json();
    assertThat(document.fieldNames()).toIterable()
        .startsWith("exitCode", "resourceManager", "version", "time");
    assertThat(document.at("/exitCode").asInt()).isEqualTo(output.exitCode());
    assertThat(document.at("/resourceManager").asText()).isEqualTo(rm.url());
    assertThat(document.at("/version").asText()).isEqualTo(FakeResourceManager.VERSION);
    assertThat(document.at("/time").asLong()).isEqualTo(FakeResourceManager.NOW);
    assertThat(document.has("errors")).as("whenever it is no success").isEqualTo(output.exitCode() != 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "events", "explain", "view"})
  void helpAndVersionAskNobody(String command) throws Exception {
    Output help = Output.of(command, "--help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).startsWith("Usage: dripfeed-tools " + command).contains("Exit codes:");
    assertThat(Output.of(command, "--version").out()).startsWith("Dripfeed");
  }
}
