/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static io.github.dripfeed.MockCluster.GB;
import static io.github.dripfeed.MockCluster.queueKey;
import static io.github.dripfeed.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.Test;

/** The metrics of a queue on the real Capacity Scheduler: what they say, and how long they live. */
class MetricsTest {

  private static final String SOURCE = "DripfeedQueue,q0=root,q1=drip";

  @Test
  void aQueueIsShownFromTheFirstLookAtItOn() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "accepted-timeout", "1m")) {
      assertThat(source()).as("making a policy registers nothing").isNull();
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.submit();
      cluster.pass(Duration.ofSeconds(20));
      cluster.heartbeat();
      cluster.look();
      assertThat(figures()).containsEntry("AcceptedApplications", 2L)
          .containsEntry("WaitingForSlotApplications", 2L)
          .containsEntry("WaitingForRoomApplications", 0L)
          .containsEntry("StartingApplications", 1L).containsEntry("RunningApplications", 0L)
          .containsEntry("OldestAcceptedSeconds", 20L).containsEntry("StartsTotal", 1L)
          .containsEntry("DripfeedAcceptedSeconds.Count", 1L)
          .containsEntry("DripfeedAcceptedSeconds.Sum", 20L)
          .containsEntry("DripfeedAcceptedSeconds.Bucket 10", 0L)
          .containsEntry("DripfeedAcceptedSeconds.Bucket 30", 1L)
          .containsEntry("DripfeedAcceptedSeconds.Bucket +Inf", 1L);

      cluster.pass(Duration.ofSeconds(7));
      app1.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(figures()).containsEntry("PromotionsByExecutorsTotal", 1L)
          .containsEntry("RunningApplications", 1L)
          .containsEntry("DripfeedStartingSeconds.Bucket 5", 0L)
          .containsEntry("DripfeedStartingSeconds.Bucket 10", 1L);
      cluster.pass(Duration.ofMinutes(5));
      cluster.look();
      assertThat(figures()).as("App2 got its driver in the same heartbeat, and no executor since")
          .containsEntry("PromotionsByTimeoutTotal", 1L)
          .containsEntry("WaitingForSlotApplications", 0L)
          .containsEntry("WaitingForRoomApplications", 1L);
    }
  }

  @Test
  void startsBeyondTheSlotsAreCountedAndWhoWaitsForRoomBesideThem() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(24 * GB, "parallel-start", "headroom")) {
      for (int i = 0; i < 5; i++) {
        cluster.submit();
      }
      cluster.look();
      cluster.heartbeat();
      cluster.pass(Duration.ofSeconds(5));
      cluster.look();
      assertThat(figures()).containsEntry("StartsTotal", 2L).containsEntry("StartsBeyondSlotsTotal", 1L)
          .containsEntry("WaitingForSlotApplications", 0L)
          .containsEntry("WaitingForRoomApplications", 3L);
    }
  }

  @Test
  void stalledHeadsAndIdlenessAreCounted() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(8 * GB, "accepted-timeout", "1m",
        "idle-timeout", "10s")) {
      cluster.fill(5);
      cluster.submit();
      cluster.heartbeat();
      cluster.look();
      cluster.pass(Duration.ofSeconds(11));
      cluster.look();
      assertThat(figures()).containsEntry("PromotionsByIdlenessTotal", 1L);
      cluster.submit(2 * GB, 0);
      cluster.heartbeat();
      cluster.pass(Duration.ofSeconds(61));
      cluster.look();
      assertThat(figures()).containsEntry("StalledHeadsTotal", 1L);
    }
  }

  @Test
  void reclaimedContainersAreCounted() throws Exception {
    try (Reclaiming queue = Reclaiming.byPriority()) {
      queue.cluster.addNode(10 * GB);
      queue.start(0, 9);
      queue.submit(1);
      queue.rounds(Reclaiming.ROUNDS);
      queue.cluster.look();
      assertThat(figures()).containsEntry("ReclaimedContainersTotal", 1L);
    }
  }

  @Test
  void countersOutliveARefreshAndTheSourceIsTheSame() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      cluster.look();
      MetricsSource before = source();
      for (int i = 0; i < 5; i++) {
        cluster.refresh();
        cluster.pass(Duration.ofSeconds(6));
        cluster.look();
      }
      assertThat(source()).isSameAs(before);
      assertThat(figures()).containsEntry("StartsTotal", 1L).containsEntry("StartingApplications", 1L);
      assertThat(Shared.current().metrics().size()).isEqualTo(1);
    }
  }

  @Test
  void aQueueThatIsNotStateAwareAnyMoreIsNotShownAnyMore() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      cluster.look();
      assertThat(figures()).isNotEmpty();
      cluster.refresh(queueKey("ordering-policy"), "fifo");
      assertThat(figures()).as("at once").isEmpty();
      cluster.pass(Duration.ofSeconds(6));
      cluster.look();
      assertThat(source()).isNull();
      assertThat(Shared.current().metrics().size()).isZero();
    }
  }

  @Test
  void aQueueThatIsRemovedIsNotShownAnyMore() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app = cluster.submit();
      cluster.heartbeat();
      cluster.look();
      app.register().finish();
      assertThat(figures()).as("idle, and there").containsEntry("StartsTotal", 1L);
      cluster.refresh(queueKey("state"), "STOPPED");
      cluster.refresh(Map.of(CapacitySchedulerConfiguration.PREFIX + "root.queues", "other",
          CapacitySchedulerConfiguration.PREFIX + MockCluster.OTHER + ".capacity", "100"));
      assertThat(figures()).isEmpty();
      cluster.refresh(Map.of(CapacitySchedulerConfiguration.PREFIX + MockCluster.OTHER
          + ".ordering-policy", StateAwareOrderingPolicy.class.getName()));
      cluster.submit(cluster.submission(GB).withQueue(MockCluster.OTHER));
      cluster.look();
      assertThat(source()).as("swept at the next look at any queue").isNull();
      assertThat(Shared.current().metrics().size()).isEqualTo(1);
    }
  }

  @Test
  void anotherResourceManagerInTheSameProcessTakesOver() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.heartbeat();
      cluster.look();
      cluster.comeBack(cluster.restart());
      cluster.pass(Duration.ofSeconds(6));
      cluster.look();
      assertThat(figures()).containsEntry("StartingApplications", 1L);
      assertThat(Shared.current().metrics().size()).isEqualTo(1);
      cluster.refresh(stateAwareKey("max-starting"), "2");
      assertThat(figures()).containsEntry("StartingApplications", 1L);
    }
  }

  private static MetricsSource source() {
    return DefaultMetricsSystem.instance().getSource(SOURCE);
  }

  /** All figures of the source; those of other records than the first with the record's name. */
  private static Map<String, Long> figures() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source().getMetrics(collector, true);
    Map<String, Long> figures = new HashMap<>();
    for (MetricsRecord record : collector.getRecords()) {
      assertThat(record.tags()).extracting(MetricsTag::value).contains("root.drip");
      String prefix = record.name().equals(QueueMetrics.RECORD) ? "" : record.name() + ".";
      List<String> bounds = record.tags().stream().filter(tag -> tag.name().equals("le"))
          .map(MetricsTag::value).toList();
      for (AbstractMetric metric : record.metrics()) {
        figures.put(prefix + metric.name() + (bounds.isEmpty() ? "" : " " + bounds.get(0)),
            metric.value().longValue());
      }
    }
    return figures;
  }
}
