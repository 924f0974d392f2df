// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.DripMetrics.source;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.dao.ClusterInfo;
import org.junit.jupiter.api.Test;

/** A ResourceManager that is not active reports no queues. */
class StandbyTest {

  @Test
  void stoppedResourceManagerReportsNothing() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(gauge("AcceptedApplications")).containsExactly(1L);
      cluster.rm().stop();
      for (int i = 0; i < 10; i++) {
        cluster.tick();
        assertThat(source()).as("independent of what the monitor still watches").isNull();
      }
      assertThat(DripfeedRuntime.current().metrics().size()).isZero();
      assertThat(cluster.isMonitored()).isFalse();
    }
  }

  @Test
  void standbyReportsNothingUntilItIsActive() throws Exception {
    try (MockCluster cluster = highlyAvailable()) {
      activate(cluster);
      cluster.addNode(16 * GB);
      for (int i = 0; i < 5; i++) {
        cluster.submit();
      }
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(gauge("AcceptedApplications")).containsExactly(4L);

      MethodUtils.invokeMethod(cluster.rm(), true, "transitionToStandby", true);
      for (int i = 0; i < 10; i++) {
        cluster.advance(Duration.ofMinutes(6));
        cluster.runMonitor();
        assertThat(source()).isNull();
      }
      assertThat(cluster.isMonitored()).isFalse();

      activate(cluster);
      cluster.detachNodes();
      cluster.addNode(16 * GB);
      cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.tick();
      assertThat(gauge("AcceptedApplications")).containsExactly(1L);
      // It counts from submission, which YARN stamps with the real time; the monitor's is an hour ahead.
      assertThat(gauge("OldestAcceptedSeconds")).hasSize(1).allSatisfy(
          seconds -> assertThat(seconds).isBetween(3500L, 3700L));
    }
  }

  @Test
  void standbyServesEmptyTablesAndTheEventsThatItHasSeen() throws Exception {
    try (MockCluster cluster = highlyAvailable()) {
      activate(cluster);
      cluster.addNode(16 * GB);
      MockApp before = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      assertThat(LiveTables.column("Queues", "accepted")).containsExactly(1L);

      MethodUtils.invokeMethod(cluster.rm(), true, "transitionToStandby", true);
      for (int i = 0; i < 3; i++) {
        for (String table : List.of("Queues", "Starting", "Line", "Pending")) {
          assertThat(LiveTables.rows(table)).as(table).isEmpty();
        }
        assertThat(LiveTables.rows("Events").get(0))
            .containsEntry("application", before.id().toString()).containsEntry("to", "STARTING");
        cluster.advance(Duration.ofMinutes(6));
        cluster.runMonitor();
      }
      assertThat(LiveTables.attribute("ResourceManager")).as("that of no active one").isEqualTo("");

      activate(cluster);
      cluster.detachNodes();
      cluster.addNode(16 * GB);
      MockApp after = cluster.submit();
      cluster.heartbeat();
      cluster.tick();
      assertThat(LiveTables.column("Starting", "application")).containsExactly(after.id().toString());
      assertThat(LiveTables.attribute("ResourceManager")).isEqualTo("rm0");
    }
  }

  /** Its commands ask YARN since when it is the active one, so that no event counts as known before. */
  @Test
  void resourceManagerTellsSinceWhenItIsTheActiveOne() throws Exception {
    try (MockCluster cluster = highlyAvailable()) {
      long first = startedOn(cluster, System.currentTimeMillis());
      long second = startedOn(cluster, System.currentTimeMillis());
      assertThat(second).isGreaterThan(first);
    }
  }

  /** Makes it active, and then a standby; returns since when it was active. */
  private static long startedOn(MockCluster cluster, long before) throws Exception {
    Thread.sleep(2);
    activate(cluster);
    long activeSince = new ClusterInfo(cluster.rm()).getStartedOn();
    assertThat(activeSince).isGreaterThan(before);
    MethodUtils.invokeMethod(cluster.rm(), true, "transitionToStandby", true);
    return activeSince;
  }

  @Test
  void onlyTheActiveResourceManagerReports() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.runMonitor();
      cluster.restart().reconnectNodes();
      for (int i = 0; i < 10; i++) {
        // The monitor still watches the queues of the stopped ResourceManager until it detects the stop.
        cluster.tick();
        assertThat(gauge("AcceptedApplications")).containsExactly(2L);
        assertThat(gauge("StartingApplications")).containsExactly(1L);
      }
      cluster.submit();
      cluster.tick();
      assertThat(gauge("AcceptedApplications")).containsExactly(3L);
    }
  }

  private static MockCluster highlyAvailable() {
    List<String> properties = new ArrayList<>(List.of(
        YarnConfiguration.RM_HA_ENABLED, "true", YarnConfiguration.AUTO_FAILOVER_ENABLED, "false",
        YarnConfiguration.RM_HA_IDS, "rm0,rm1", YarnConfiguration.RM_HA_ID, "rm0"));
    int port = 0;
    for (String address : YarnConfiguration.getServiceAddressConfKeys(new YarnConfiguration())) {
      for (String id : List.of("rm0", "rm1")) {
        properties.addAll(List.of(HAUtil.addSuffix(address, id), "127.0.0.1:" + port));
      }
    }
    return MockCluster.configured(
        StateAwareOrderingPolicy.class, properties.toArray(new String[0]));
  }

  private static void activate(MockCluster cluster) throws Exception {
    MethodUtils.invokeMethod(cluster.rm(), true, "transitionToActive");
  }

  /** The value of the gauge in each record that has it. */
  private static List<Long> gauge(String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source().getMetrics(collector, true);
    List<Long> values = new ArrayList<>();
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        if (metric.name().equals(name)) {
          values.add(metric.value().longValue());
        }
      }
    }
    return values;
  }
}
