// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import io.github.dripfeed.fixture.Browser;
import io.github.dripfeed.fixture.ReportPage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of the simulator in a real browser, with all settings that it has. */
class ReportPageIT {

  @TempDir
  private static Path folder;
  private static Browser browser;
  private static ReportPage page;

  @BeforeAll
  static void startBrowser() throws Exception {
    // With another Hadoop than the default one the simulator is not built.
    Assumptions.assumeFalse(System.getProperty("simulator.jar").equals("none"));
    Browser.require("the report of the simulator in a real browser");
    page = new ReportPage(browser = new Browser(folder), new HtmlReport(folder).write(results()));
  }

  @AfterAll
  static void stopBrowser() throws Exception {
    if (browser != null) {
      browser.end();
    }
  }

  /** Every kind of bar and every table: some limits deadlock, some take very long. */
  private static Results results() {
    IdleStudy idle = new IdleStudy(100, List.of(
        new IdleStudy.Row(5, 8192, 60, 700, Double.POSITIVE_INFINITY, 6000, 600, 200, 100),
        new IdleStudy.Row(50, 8192, 60, 700, 90, 6000, 600, 200, 100)));
    Results made = ResultsTest.results(setting -> setting.name().contains("AM limit 1.00")
        ? ResultsTest.outcome(setting, true, ResultsTest.NEVER)
        : ResultsTest.outcome(setting, false,
            late(setting.name().contains("AM limit 0.05") ? 900_000 : 60_000)));
    Experiment study = made.studies().get(0);
    return new Results(List.of(study, study), List.of(), idle);
  }

  private static ApplicationTimes late(int millis) {
    return new ApplicationTimes("a", true, 0, millis / 2, millis - 100, millis, 1);
  }

  @ParameterizedTest
  @CsvSource({"1500, light", "1500, dark", "400, light", "400, dark"})
  void pageFitsTheWindowAndCanBeRead(int width, String scheme) throws Exception {
    page.open(width, scheme);
    browser.value("document.querySelectorAll('details').forEach(each => { each.open = true; })");
    page.assertFits(width == ReportPage.NARROW);
    page.assertReadable(scheme, "What Dripfeed does for workloads", "observed", "makespan", "never",
        "Made up", "worst makespan", "50 nodes", "stock with a limit");
    browser.picture(Path.of("target", "simulator-" + width + "-" + scheme + ".png"));
  }

  @ParameterizedTest
  @ValueSource(ints = {810, 840})
  void whereAChartIsJustCutItSaysSo(int width) throws Exception {
    page.open(width, "light");
    page.assertHints();
  }
}
