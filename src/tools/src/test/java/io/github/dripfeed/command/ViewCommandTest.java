// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.ResourceManagers;
import io.github.dripfeed.command.view.PageServer;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.wire.Wire.Event;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.TimeZone;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of {@code view}, as a browser asks for it. */
class ViewCommandTest {

  private FakeResourceManager rm;
  private volatile Callable<Reading> source;
  private PageServer server;
  private URI url;
  private final TimeZone zone = TimeZone.getDefault();

  @BeforeEach
  void start() throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
    rm = new FakeResourceManager().busy();
    rm.waiting("root.batch", 17, "eve", 5).put("name", "</script><img src=x onerror=alert(1)>");
    ((ObjectNode) rm.bean.at("/Queues/0")).put("accepted", 1500);
    source = at(rm.url(), 5);
    serve();
  }

  private void serve() throws Exception {
    server = new PageServer(0, source.call(), () -> source.call(), path -> true);
    url = URI.create(server.url());
  }

  private static Callable<Reading> at(String address, int timeoutSeconds) throws Exception {
    return new ResourceManagers(
        address, new Configuration(false), timeoutSeconds, notice -> { }, progress -> { })::read;
  }

  @AfterEach
  void stop() {
    TimeZone.setDefault(zone);
    server.close();
    rm.close();
  }

  private String ask(String method, String path, String host) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", url.getPort())) {
      socket.getOutputStream().write((method + " " + path + " HTTP/1.1\r\nHost: " + host
          + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      InputStream in = socket.getInputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        answer.write(next);
      }
      return new String(answer.toByteArray(), StandardCharsets.UTF_8);
    }
  }

  private String get(String name) throws Exception {
    return ask("GET", url.getPath() + name, "localhost:" + url.getPort());
  }

  private JsonNode data() throws Exception {
    String answer = get("data.json");
    return new ObjectMapper().readTree(answer.substring(answer.indexOf("\r\n\r\n")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "view.css", "view.js", "chart.js", "icon.svg", "data.json"})
  void everythingIsServedUnderAStrictPolicyWithNothingInline(String name) throws Exception {
    String answer = get(name);
    assertThat(answer).startsWith("HTTP/1.1 200").contains("default-src 'none'; script-src 'self'",
        "nosniff", "no-store");
    assertThat(answer).doesNotContain("innerHTML", "onclick=", " style=", "eval(");
  }

  @ParameterizedTest
  @CsvSource({"localhost,200", "127.0.0.1:1,200", "[::1]:99,200", "evil.example,403",
      "localhost.evil.example,403", "127.0.0.1.evil.example:80,403"})
  void onlyALoopbackHostIsAnswered(String host, int status) throws Exception {
    assertThat(ask("GET", url.getPath(), host)).startsWith("HTTP/1.1 " + status);
  }

  @ParameterizedTest
  @CsvSource({"GET,200", "HEAD,200", "POST,405", "PUT,405", "DELETE,405", "OPTIONS,405"})
  void onlyReadingIsAnswered(String method, int status) throws Exception {
    assertThat(ask(method, url.getPath(), "localhost")).startsWith("HTTP/1.1 " + status);
  }

  @Test
  void withoutTheKeyNothingIsTold() throws Exception {
    for (String path : new String[] {"/", "/data.json", "/x/data.json", url.getPath() + "a/b"}) {
      assertThat(ask("GET", path, "localhost")).startsWith("HTTP/1.1 403").doesNotContain("alice");
    }
    assertThat(get("Other.class")).startsWith("HTTP/1.1 404");
  }

  @Test
  void barsShowWhatEachApplicationWentThroughInTheOrderOfTheirStarts() throws Exception {
    JsonNode queue = data().path("queues").path(0);
    JsonNode rows = queue.path("bars").path("rows");
    assertThat(rows.findValuesAsText("application")).containsExactly(id(1), id(2), id(3), id(4), id(12),
        id(13), id(14), id(15), id(17));
    assertThat(rows.path(0).path("segments").findValuesAsText("state"))
        .containsExactly("accepted", "starting", "running");
    assertThat(rows.path(0).path("segments").path(2).path("to").asLong())
        .isEqualTo(FakeResourceManager.NOW - 2_000_000);
    assertThat(rows.path(2).path("segments").path(1).path("end").asText()).isEqualTo("failed");
    JsonNode starting = rows.path(4).path("segments").path(1);
    assertThat(starting.path("text").asText()).isEqualTo("starting for 36 s until now");
    assertThat(rows.path(5).path("segments").path(0).path("from").asLong())
        .isEqualTo(FakeResourceManager.NOW - 252_000);
    assertThat(queue.path("bars").path("current").asInt()).isEqualTo(4);
    assertThat(queue.path("inLine").asInt()).as("its table is shorter").isEqualTo(1500);
    assertThat(queue.path("line").path(0).path("startsIn").asText()).isEqualTo("25 to 50 s");
    assertThat(queue.path("pending").path(0).path("user").asText()).isEqualTo("dave");
  }

  /** The next attempt is another one of the same application, on the same bar. */
  @Test
  void anApplicationWhoseFirstAttemptFailedWaitsAgain() throws Exception {
    failed(20, 500);
    rm.waiting("root.batch", 20, "bob", 530).put("attempt", FakeResourceManager.attempt(20, 2));
    JsonNode bar = bar(20);
    assertThat(bar.path("state").asText()).isEqualTo("accepted");
    assertThat(bar.path("segments").findValuesAsText("text")).containsExactly("accepted for 10 s; then:"
        + " its AM is allocated", "starting for 20 s; then: it failed",
        "accepted for 8 min until now");
    assertThat(bar.path("segments").findValuesAsText("end")).containsExactly("", "failed", "");
  }

  @Test
  void anAttemptThatWasTakenBackDidNotFail() throws Exception {
    rm.event(500, 20, "bob", "STARTING ENDED 20", "taken back").put("code", Event.TAKEN_BACK.name());
    assertThat(bar(20).path("segments").findValuesAsText("end")).containsExactly("taken-back");
  }

  @Test
  void theSecondAttemptThatStartsDoesNotHideThatTheFirstFailed() throws Exception {
    failed(20, 500);
    rm.event(440, 20, "bob", "ACCEPTED STARTING 60", "its AM is allocated")
        .put("attempt", FakeResourceManager.attempt(20, 2));
    rm.starting("root.batch", 20, "bob", 440).put("attempt", FakeResourceManager.attempt(20, 2));
    JsonNode bar = bar(20);
    assertThat(bar.path("state").asText()).isEqualTo("starting");
    assertThat(bar.path("segments").findValuesAsText("state"))
        .containsExactly("accepted", "starting", "accepted", "starting");
    assertThat(bar.path("segments").findValuesAsText("end")).containsExactly("", "failed", "", "");
  }

  /** The first attempt of an application fails, so many seconds ago. */
  private void failed(int number, int ago) {
    rm.event(ago + 20, number, "bob", "ACCEPTED STARTING 10", "its AM is allocated");
    rm.event(ago, number, "bob", "STARTING ENDED 20", "it failed");
  }

  @Test
  void sentencesAreShownAndDecideNothing() throws Exception {
    String before = data().path("queues").toString();
    for (String table : new String[] {"Line", "Pending", "Events"}) {
      rm.bean.path(table).forEach(row -> ((ObjectNode) row).put("reason", "garbage"));
    }
    server.close();
    serve();
    String after = data().path("queues").toString();
    assertThat(after).contains("\"reason\":\"garbage\"", "then: garbage").isNotEqualTo(before);
    String sentences = "\"(reason|text)\":\"[^\"]*\"";
    assertThat(after.replaceAll(sentences, "")).isEqualTo(before.replaceAll(sentences, ""));
  }

  private JsonNode bar(int number) throws Exception {
    // What was read at the start is served for two seconds.
    AtomicReference<JsonNode> found = new AtomicReference<>();
    Eventually.is("it is read again", () -> {
      data().at("/queues/0/bars/rows").forEach(row -> {
        if (row.path("application").asText().equals(id(number))) {
          found.set(row);
        }
      });
      return found.get() != null;
    });
    return found.get();
  }

  /** What began before the window is drawn from its edge, and told from its beginning. */
  @Test
  void whatBeganBeforeTheHourIsToldWithAllOfItsTime() throws Exception {
    rm.event(1000, 21, "bob", "RUNNING ENDED 18000", "it finished");
    rm.event(18_000, 22, "bob", "STARTING RUNNING 30", "it has its executors");
    rm.startedOn = FakeResourceManager.NOW - 40_000_000;
    assertThat(bar(21).at("/segments").findValuesAsText("text"))
        .containsExactly("running for 5 h; then: it finished");
    assertThat(bar(22).at("/segments").findValuesAsText("text"))
        .containsExactly("running for 5 h until now");
    assertThat(data().at("/queues/0/bars/minutes").asInt()).isEqualTo(60);
  }

  /** A move is no event: the next event of the attempt names another queue. */
  @Test
  void barEndsWhereTheAttemptIsInAnotherQueue() throws Exception {
    rm.queue("root.other", 0, 1, 0);
    rm.event(900, 23, "bob", "ACCEPTED STARTING 10", "its AM is allocated");
    rm.event(870, 23, "bob", "STARTING RUNNING 30", "it has its executors");
    rm.event(300, 23, "bob", "RUNNING ENDED 570", "it finished").put("queue", "root.other");
    rm.event(60, 24, "bob", "ACCEPTED STARTING 10", "its AM is allocated");
    rm.starting("root.other", 24, "bob", 60);
    JsonNode left = bar(23);
    assertThat(left.at("/state").asText()).isEqualTo("moved");
    assertThat(left.at("/segments").findValuesAsText("text")).containsExactly("accepted for 10 s; then: its"
        + " AM is allocated", "starting for 30 s; then: it has its executors",
        "running for 10 min; then: it was moved to root.other");
    assertThat(bar(24).at("/segments").findValuesAsText("state")).containsExactly("accepted");
    JsonNode there = data().at("/queues/1/bars/rows");
    assertThat(there.findValuesAsText("application")).containsExactly(id(23), id(24));
    assertThat(there.at("/0/state").asText()).isEqualTo("ended");
    assertThat(there.at("/1/segments").findValuesAsText("text"))
        .containsExactly("starting for 60 s until now");
  }

  /** The tables end after 10,000 rows of all queues. */
  @Test
  void aQueueThatTheTablesDoNotTellIsShown() throws Exception {
    rm.queue("root.idle", 0, 0, 1);
    rm.queue("root.line", 7, 0, 0).put("maxStarting", "auto");
    rm.queue("root.pending", 0, 0, 0).put("pendingActivation", 3);
    Eventually.is("it is read again", () -> data().at("/queues").size() > 1);
    JsonNode data = data();
    assertThat(data.at("/queues").findValuesAsText("queue"))
        .containsExactly("root.batch", "root.line", "root.pending");
    assertThat(data.at("/queues/1/inLine").asInt()).isEqualTo(7);
    assertThat(data.at("/queues/2/inOwnList").asInt()).isEqualTo(3);
    assertThat(data.at("/idle/0").asText()).isEqualTo("root.idle");
    assertThat(data.at("/queues/0/summary").asText()).isEqualTo("1 starting (at most 1), 1500 in line"
        + " (3 for a slot, 0 for room), 2 running, 1 in YARN's own list");
    assertThat(data.at("/queues/1/summary").asText())
        .startsWith("0 starting (as many as there is room for), 7 in line");
  }

  /** With many events, or after a failover, they do not reach back for the hour that is shown. */
  @Test
  void pageTellsSinceWhenEventsAreKnown() throws Exception {
    assertThat(data().path("knownSince").asLong()).isEqualTo(rm.startedOn);
    assertThat(data().path("zone").asText()).as("of this and of all times").isEqualTo("Asia/Kolkata");
    ((ObjectNode) rm.bean.at("/Events/0")).put("sequence", 5000);
    Eventually.is("the first of the last thousand",
        () -> data().path("knownSince").asLong() == FakeResourceManager.NOW - 2_990_000);
    ((ObjectNode) rm.bean.at("/Events/0")).put("sequence", 1);
    rm.startedOn = FakeResourceManager.NOW - 3_600_000;
    Eventually.is("it is the whole hour", () -> data().path("knownSince").asLong() == -1);
  }

  @Test
  void answerWithoutEndIsToldAndTheNextOneShown() throws Exception {
    try (TricklingServer trickling = new TricklingServer("HTTP/1.1 200 OK\r\nX: ")) {
      source = at(trickling.address(), 1);
      Eventually.is("it is gone", () -> data().path("problem").asText().contains("No whole answer from"));
    }
    source = at(rm.url(), 5);
    Eventually.is("it is back", () -> data().path("state").asText().equals("live"));
    assertThat(data().path("backSince").asLong()).isPositive();
  }

  @Test
  void anyNumberOfPagesAsksTheResourceManagerOnceInTwoSeconds() throws Exception {
    int before = rm.asked.size();
    long start = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      data();
    }
    long seconds = (System.nanoTime() - start) / 1_000_000_000L;
    assertThat(rm.asked.size() - before).isLessThanOrEqualTo((int) (2 * (seconds / 2 + 1)));
  }

  private static String id(int number) {
    return FakeResourceManager.id(number);
  }
}
