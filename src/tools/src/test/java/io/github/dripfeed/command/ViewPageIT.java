// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.command.remote.ResourceManagers;
import io.github.dripfeed.command.view.PageServer;
import io.github.dripfeed.fixture.Browser;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.PageColours;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.TimeZone;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of {@code view} in a real browser. Needs {@code chromium} or Chrome on the path. */
class ViewPageIT {

  private static final String PLANTED = "</script><img src=x onerror=alert(1)>";
  private static final int WIDE = 1500;
  /** That of the command; no machine that runs this test has it for the browser. */
  private static final ZoneId ZONE = ZoneId.of("Pacific/Chatham");

  @TempDir
  private static Path folder;
  private static Browser browser;

  private FakeResourceManager rm;
  private PageServer server;
  private final TimeZone zone = TimeZone.getDefault();

  @BeforeAll
  static void startBrowser() throws Exception {
    Browser.require("the page of view in a real browser");
    browser = new Browser(folder);
  }

  @AfterAll
  static void stopBrowser() throws Exception {
    if (browser != null) {
      browser.end();
    }
  }

  @BeforeEach
  void serve() throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone(ZONE));
    rm = new FakeResourceManager().busy();
    rm.waiting("root.batch", 17, "eve", 5).put("name", PLANTED);
    ((ObjectNode) rm.bean.at("/Queues/0")).put("accepted", 1500).put("maxStarting", "auto");
    rm.queue("root.other", 1, 0, 0);
    rm.waiting("root.other", 18, "frank", 7).put("reason", "No room for its AM");
    ResourceManagers source = new ResourceManagers(
        rm.url(), new Configuration(false), 5, notice -> { }, progress -> { });
    server = new PageServer(0, source.read(), source::read, path -> true);
  }

  @AfterEach
  void stop() {
    TimeZone.setDefault(zone);
    server.close();
    rm.close();
  }

  private void open(int width) throws Exception {
    open(width, "light");
  }

  private void open(int width, String scheme) throws Exception {
    browser.open(server.url(), width, scheme);
    Eventually.is("both queues are shown",
        () -> browser.value("document.querySelectorAll('section.queue').length").asInt() == 2);
  }

  private void awaitText(String text) throws Exception {
    Eventually.is("the page says '" + text + "'", () -> browser.text().contains(text), browser::text);
  }

  private boolean isShownAsLive() throws Exception {
    return browser.value("[...document.querySelectorAll('svg.chart')]"
        + ".some(chart => [...chart.querySelectorAll('.tick')].pop().textContent === 'now')").asBoolean();
  }

  /** From now on, the page gets its answers with a change, which is a statement about {@code d}. */
  private void change(String statement) throws Exception {
    browser.value("{const real = window.fetch; window.fetch = (...call) => real(...call)"
        + ".then(answer => answer.json()).then(d => {" + statement
        + "; return {ok: true, json: () => Promise.resolve(d)};});}");
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, 400})
  void rowsPlacesAndReasonsAreShownAndThePageFitsTheWindow(int width) throws Exception {
    open(width);
    assertThat(browser.text()).contains("root.batch", "root.other",
        "1 starting (as many as there is room for), 1500 in line (3 for a slot, 0 for room), 2 ru",
        "the last 20 starts came 25 to 50 s apart", "lacks", "1 executor, requested",
        "waits for a starting slot", "No room for its AM",
        "... and 1496 more", "carol", "25 to 50 s");
    assertThat(browser.text()).containsSubsequence("Starting", FakeResourceManager.id(12), "In line", "1",
        FakeResourceManager.id(13), "2", FakeResourceManager.id(14), "3", FakeResourceManager.id(15), "4",
        FakeResourceManager.id(17), "In YARN's own list", FakeResourceManager.id(16));
    assertThat(browser.text()).as("a name is text").contains(PLANTED);
    assertThat(browser.value("document.images.length").asInt()).isZero();
    assertThat(browser.value("document.querySelectorAll('svg.chart rect').length").asInt()).isPositive();
    assertThat(isShownAsLive()).isTrue();
    assertThat(browser.value("window.innerWidth").asInt()).isEqualTo(width);
    assertFits();
    browser.value("document.querySelectorAll('details').forEach(each => { each.open = true; })");
    awaitText("what it went through");
    assertFits();
    assertThat(browser.value("getComputedStyle(document.getElementById('state')).display").asText())
        .as("who listens to the page is told when something is said there").isEqualTo("block");
    browser.picture(Path.of("target", "view-" + width + ".png"));
  }

  private static void assertFits() throws Exception {
    assertThat(browser.value("document.documentElement.scrollWidth").asInt())
        .isEqualTo(browser.value("document.documentElement.clientWidth").asInt());
  }

  @ParameterizedTest
  @CsvSource({"1500, light", "1500, dark", "400, light", "400, dark"})
  void pageHasTheColoursThatThePersonWantsAndCanBeRead(int width, String scheme) throws Exception {
    open(width, scheme);
    boolean dark = scheme.equals("dark");
    assertThat(PageColours.luminance(browser, "getComputedStyle(document.body).backgroundColor") < 0.1)
        .isEqualTo(dark);
    assertThat(PageColours.luminance(browser, "getComputedStyle(document.body).color") > 0.5)
        .isEqualTo(dark);
    browser.value("document.querySelector('details').open = true");
    awaitText("what it went through");
    // What is not live is faded; a machine that stands still may delay an answer for that long.
    Eventually.is("it is paused while it is live", () -> browser.value("!document.body.classList.contains("
        + "'gone') && (document.getElementById('pause').click(), true)").asBoolean());
    PageColours.assertReadable(browser, "root.batch", "bob", FakeResourceManager.id(12),
        "waits for a starting slot", "No room for its AM", "carol", "25 to 50 s",
        "ended while starting", "0012 alice", "Pause", "has been starting for as long as the queue allows");
    for (String state : List.of("bad", "good")) {
      browser.value("{const state = document.getElementById('state'); state.className = '" + state
          + "'; state.textContent = 'What happened';}");
      PageColours.assertReadable(browser, "What happened");
    }
    browser.picture(Path.of("target", "view-" + width + "-" + scheme + ".png"));
  }

  @Test
  void pausedPageSaysSoAndDoesNotLookLive() throws Exception {
    open(WIDE);
    String colour = "getComputedStyle(document.getElementById('pause')).backgroundColor";
    String before = browser.value(colour).asText();
    browser.value("document.getElementById('pause').click()");
    assertThat(browser.text()).contains("Paused since ");
    assertThat(browser.value(colour).asText()).isNotEqualTo(before);
    assertThat(isShownAsLive()).isFalse();
    browser.value("document.getElementById('pause').click()");
    assertThat(browser.text()).doesNotContain("Paused since ");
    Eventually.is("it follows again", this::isShownAsLive);
  }

  /** What was asked before has its answer only then. */
  @Test
  void pausedPageDoesNotChange() throws Exception {
    open(WIDE);
    browser.value("{const real = window.fetch; window.fetch = (...call) => real(...call)"
        + ".then(answer => answer.text()).then(text => new Promise(go => {"
        + "window.release = () => {window.fetch = real; go({ok: true, json: () => Promise.resolve("
        + "JSON.parse(text.replaceAll('alice', 'mallory')))});"
        + "setTimeout(() => {window.released = true}, 0)};}));}");
    Eventually.is("a question is under way", () -> browser.value("'release' in window").asBoolean());
    browser.value("document.getElementById('pause').click()");
    browser.value("window.release()");
    Eventually.is("it has its answer", () -> browser.value("window.released === true").asBoolean());
    assertThat(browser.text()).contains("alice", "Paused since ").doesNotContain("mallory", "not answer");
    browser.value("document.getElementById('pause').click()");
    Eventually.is("it follows again", this::isShownAsLive);
  }

  @Test
  void timesAreThoseOfTheZoneOfTheCommand() throws Exception {
    open(WIDE);
    ZonedDateTime known = Instant.ofEpochMilli(rm.startedOn).atZone(ZONE);
    assertThat(browser.text()).contains("times of Pacific/Chatham",
        DateTimeFormatter.ISO_LOCAL_TIME.format(known) + ".");
    assertThat(browser.value("document.querySelector('svg.chart .tick').textContent").asText())
        .as("an hour ago").isEqualTo("22:45");
    change("d.zone = 'GMT+02:00'");
    awaitText("times of +02:00");
    assertThat(browser.text()).contains("11:00:02.");
    change("d.zone = 'Nowhere'");
    awaitText("times of this browser");
  }

  @Test
  void commandThatHasEndedIsTold() throws Exception {
    open(WIDE);
    server.close();
    awaitText("The command \"view\" does not answer: it has ended, or the tunnel to it. What is shown is");
    assertThat(isShownAsLive()).isFalse();
  }

  @Test
  void tunnelThatHangsIsTold() throws Exception {
    open(WIDE);
    browser.value("{const slow = setTimeout; window.setTimeout = (what, millis) => slow(what, millis / 10);"
        + "window.fetch = (url, how) => new Promise((answer, fail) =>"
        + " how.signal.addEventListener('abort', () => fail(how.signal.reason)));}");
    awaitText("does not answer: it has ended, or the tunnel to it. What is shown is of ");
    assertThat(isShownAsLive()).isFalse();
  }

  @Test
  void slowResourceManagerAndAnotherDayAreTold() throws Exception {
    open(WIDE);
    change("d.state = 'slow'; d.read -= 86400000");
    awaitText("The ResourceManager has not answered yet");
    assertThat(browser.value("document.getElementById('age').textContent").asText())
        .matches("as of (\\d+\\D+|\\D+\\d+ )\\d\\d:\\d\\d:\\d\\d");
    assertThat(isShownAsLive()).isFalse();
  }

  @Test
  void answerThatCannotBeShownIsTold() throws Exception {
    open(WIDE);
    change("d.state = 'gone'; d.problem = 'Nothing listens'; d.queues = [{queue: 'root.batch'}]");
    awaitText("This page cannot show the answer: TypeError");
  }

  /** A queue before it goes, and its section is the first then. */
  @Test
  void focusStaysWhereItIs() throws Exception {
    open(WIDE);
    browser.value("document.querySelectorAll('section.queue summary')[1].focus()");
    ((ArrayNode) rm.bean.get("Queues")).remove(0);
    Eventually.is("the first queue is gone",
        () -> browser.value("document.querySelectorAll('section.queue').length").asInt() == 1);
    assertThat(browser.value("document.activeElement.tagName").asText()).isEqualTo("SUMMARY");
  }
}
