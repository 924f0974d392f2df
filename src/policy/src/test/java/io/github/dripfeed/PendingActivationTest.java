// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.AmLimitTest.LIMIT;
import static io.github.dripfeed.AmLimitTest.ofEightGigabytes;
import static io.github.dripfeed.AmLimitTest.submit;
import static io.github.dripfeed.fixture.DripMetrics.figures;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What Dripfeed shows about applications in YARN's own list, which wait beyond the AM limit
 * (docs/design.md#the-am-limit-comes-first).
 */
class PendingActivationTest {

  private static final String IN_YARNS_LIST =
      "; 52 wait in YARN's list for the AM limit (maximum-am-resource-percent)";

  @Test
  void pendingApplicationsAreCountedSeparately() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("1.0")) {
      submit(cluster, 60);
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(figures()).containsEntry("AcceptedApplications", 7L)
          .containsEntry("StartingApplications", 1L)
          .containsEntry("PendingActivationApplications", 52L);
      cluster.refresh(LIMIT, "100");
      cluster.tick();
      assertThat(figures()).containsEntry("AcceptedApplications", 59L)
          .containsEntry("PendingActivationApplications", 0L);
    }
  }

  @Test
  void longestWaitCoversPendingApplications() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("0.1")) {
      MockApp running = cluster.submit();
      submit(cluster, 10);
      cluster.heartbeat();
      running.register().ask(1, MockCluster.GB);
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(590));
      cluster.runMonitor();
      assertThat(figures()).containsEntry("AcceptedApplications", 0L)
          .containsEntry("RunningApplications", 1L)
          .containsEntry("PendingActivationApplications", 10L);
      assertThat(figures().get("OldestAcceptedSeconds")).isBetween(590L, 620L);
      cluster.refresh(LIMIT, "100");
      cluster.advance(Duration.ofSeconds(700));
      cluster.runMonitor();
      assertThat(figures().get("OldestAcceptedSeconds")).as("from the submission, not the activation")
          .isBetween(1290L, 1320L);
    }
  }

  @Test
  void queuePageNamesPendingApplicationsAndTheLimit() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("1.0")) {
      submit(cluster, 60);
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(cluster.policy().getInfo()).contains("7 accepted, 1 starting, 0 running")
          .contains("52 wait in YARN's list for the AM limit (maximum-am-resource-percent)");
      cluster.refresh(LIMIT, "100");
      cluster.tick();
      assertThat(cluster.policy().getInfo()).contains("59 accepted, 1 starting, 0 running")
          .doesNotContain("YARN's list");
    }
  }

  @Test
  void diagnosticsOfHeldApplicationsCountPendingOnes() throws Exception {
    try (MockCluster cluster = ofEightGigabytes("1.0")) {
      List<MockApp> apps = submit(cluster, 60);
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(diagnostics(apps.get(30)))
          .contains("not yet activated", "Queue's AM resource limit exceeded")
          .doesNotContain("Held by");
      assertThat(diagnostics(apps.get(1))).contains("Number 1 in line").contains(IN_YARNS_LIST + ".");
      assertThat(diagnostics(apps.get(7))).contains("Number 7 in line").contains(IN_YARNS_LIST + ".");
      cluster.refresh(LIMIT, "100");
      cluster.advance(Duration.ofSeconds(5));
      cluster.runMonitor();
      assertThat(diagnostics(apps.get(30))).contains("Held by StateAwareOrderingPolicy: Number 30 in line")
          .doesNotContain("YARN's list");
    }
  }

  private static String diagnostics(MockApp app) {
    return app.rmApp().getDiagnostics().toString();
  }
}
