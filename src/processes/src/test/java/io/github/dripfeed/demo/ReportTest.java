// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  @TempDir
  private Path folder;

  @Test
  void pageIsSelfContainedAndEscaped() throws Exception {
    BurstRun half = new BurstRun("fifo & <b>co</b>", "root.stock");
    half.observe(new Sample(1000, List.of(new Sample.App("<script>alert(1)</script>",
        RMAppState.RUNNING, false, 0, 0, List.of(new Sample.Live("d", true, 500)))), 1, 1, 1), false);
    Path page = new Report(folder).write(DeadlockScenario.compare("", List.of(), half, half));

    assertThat(Files.readString(page))
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "fifo &amp; &lt;b&gt;co&lt;/b&gt;",
            "class=\"driver\"", "not observed")
        .doesNotContain("<script", "<b>co", "https://", "src=", "href=");
    assertThat(folder.resolve("timeline.svg")).content().contains("<svg", "&lt;script&gt;")
        .doesNotContain("<script");
  }

  @Test
  void barsOfAStoppedRecordingDoNotLookLikeShortApplications() throws Exception {
    BurstRun deadlocked = new BurstRun("fifo", "root.stock");
    deadlocked.observe(new Sample(10_000, List.of(new Sample.App("App1", RMAppState.RUNNING, false, 0, 0,
        List.of(new Sample.Live("d", true, 500)))), 1, 1, 1), true);
    BurstRun finished = new BurstRun("Dripfeed", "root.dripfed");
    finished.observe(new Sample(6000, List.of(new Sample.App("App1", RMAppState.FINISHED, true, 0, 5000,
        List.of())), 1, 1, 1), false);
    new Report(folder).write(DeadlockScenario.compare("", List.of(), deadlocked, finished));

    assertThat(folder.resolve("timeline.svg")).content()
        .containsOnlyOnce("stopped by the demo: they would wait for ever")
        .containsOnlyOnce("class=\"open\"").containsOnlyOnce("class=\"cut\"");
  }
}
