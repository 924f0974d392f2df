/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
    Path page = new Report(folder).write(DeadlockScenario.compare(half, half));

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
    new Report(folder).write(DeadlockScenario.compare(deadlocked, finished));

    assertThat(folder.resolve("timeline.svg")).content()
        .containsOnlyOnce("stopped by the demo: they would wait for ever")
        .containsOnlyOnce("class=\"open\"").containsOnlyOnce("class=\"cut\"");
  }
}
