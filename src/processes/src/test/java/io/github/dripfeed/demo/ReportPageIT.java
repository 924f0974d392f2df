// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Browser;
import io.github.dripfeed.fixture.PageColours;
import io.github.dripfeed.fixture.ReportPage;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of the demo in a real browser: a half that was given up, and one that ended. */
class ReportPageIT {

  @TempDir
  private static Path folder;
  private static Browser browser;
  private static ReportPage page;

  @BeforeAll
  static void startBrowser() throws Exception {
    Browser.require("the report of the demo in a real browser");
    BurstRun deadlocked = new BurstRun("stock fifo", "root.stock");
    BurstRun finished = new BurstRun("Dripfeed", "root.dripfed");
    for (int seconds : new int[] {0, 2, 14}) {
      deadlocked.observe(sample(seconds, running("App1"), seconds < 2 ? waiting("App2") : running("App2")),
          seconds == 14);
    }
    finished.observe(sample(0, running("App1"), waiting("App2")), false);
    finished.observe(sample(9, running("App1", new Sample.Live("e", false, 6000)), waiting("App2")), false);
    finished.observe(sample(40, ended("App1", 20_000), ended("App2", 40_000)), false);
    page = new ReportPage(browser = new Browser(folder),
        new Report(folder).write(DeadlockScenario.compare("", List.of(), deadlocked, finished)));
  }

  @AfterAll
  static void stopBrowser() throws Exception {
    if (browser != null) {
      browser.end();
    }
  }

  private static Sample sample(int seconds, Sample.App... applications) {
    return new Sample(seconds * 1000L, List.of(applications), 1, 1, 1);
  }

  private static Sample.App waiting(String name) {
    return new Sample.App(name, RMAppState.ACCEPTED, false, 0, 0, List.of());
  }

  private static Sample.App running(String name, Sample.Live... executors) {
    return new Sample.App(name, RMAppState.RUNNING, false, 0, 0, executors.length == 0
        ? List.of(new Sample.Live("d", true, 500))
        : List.of(new Sample.Live("d", true, 500), executors[0]));
  }

  private static Sample.App ended(String name, long millis) {
    return new Sample.App(name, RMAppState.FINISHED, true, 0, millis, List.of());
  }

  @ParameterizedTest
  @CsvSource({"1500, light", "1500, dark", "400, light", "400, dark"})
  void pageFitsTheWindowAndCanBeRead(int width, String scheme) throws Exception {
    page.open(width, scheme);
    page.assertFits(width == ReportPage.NARROW);
    page.assertReadable(scheme, "The same burst", "App2", "Deadlock: ", "succeeded",
        "starting at once", "they would wait for ever", "observed");
    assertEndOfTheRecordingIsMarked();
    browser.picture(Path.of("target", "demo-" + width + "-" + scheme + ".png"));
  }

  @ParameterizedTest
  @ValueSource(ints = {685, 720})
  void whereAChartIsJustCutItSaysSo(int width) throws Exception {
    page.open(width, "light");
    page.assertHints();
  }

  /** Bars that end because the demo gave up are not those of applications that ended. */
  private static void assertEndOfTheRecordingIsMarked() throws Exception {
    assertThat(browser.value("document.querySelectorAll('figure').length").asInt()).isEqualTo(2);
    assertThat(browser.value("document.querySelectorAll('figure')[1].querySelector('.cut, .open')")
        .isNull()).as("these have ended").isTrue();
    String first = "document.querySelector('figure').querySelector";
    assertThat(browser.value(first + "All('.open').length").asInt()).as("one for each").isEqualTo(2);
    // Where the line is the bar ends, and another one goes on to the end of the axis.
    String end = first + "('.cut').getBBox().x";
    for (String kind : new String[] {"starting", "driver"}) {
      assertThat(browser.value("Math.abs((bar => bar.x + bar.width)(" + first + "('." + kind
          + "').getBBox()) - " + end + ") < 0.1").asBoolean()).as(kind).isTrue();
    }
    assertThat(browser.value("Math.abs(" + first + "('.open').getBBox().x - " + end + ") < 0.1")
        .asBoolean()).isTrue();
    assertThat(browser.value("(box => box.x > " + end + " && box.x + box.width <= " + Timeline.WIDTH
        + ")([..." + first + "All('text')].find(text => text.textContent"
        + " === 'stopped by the demo: they would wait for ever').getBBox())").asBoolean())
        .as("all of the text is in the picture").isTrue();
    String line = "getComputedStyle(" + first + "('.cut')).stroke";
    assertThat(PageColours.contrast(browser, line, "getComputedStyle(document.querySelector('figure'))"
        + ".backgroundColor")).as("between the bars").isGreaterThan(PageColours.VISIBLE);
    assertThat(PageColours.contrast(browser, line, "getComputedStyle(" + first + "('.open')).fill"))
        .as("on the bars").isGreaterThan(PageColours.VISIBLE);
    assertThat(browser.value("getComputedStyle(" + first + "('.open')).fill !== getComputedStyle(" + first
        + "('.starting')).fill").asBoolean()).isTrue();
  }
}
