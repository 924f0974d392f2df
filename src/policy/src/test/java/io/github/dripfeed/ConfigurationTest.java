// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.Comparator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.AbstractComparatorOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Valid and invalid configurations, at the start and in refreshes of the real Capacity Scheduler. */
class ConfigurationTest {

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "starting-timeout            | 0        | a duration above 0",
      "starting-timeout            | -5m      | a duration above 0",
      "starting-timeout            | soon     | a duration above 0",
      "max-starting                | 0        | a whole number from 1",
      "max-starting                | 1.5      | a whole number from 1",
      "max-starting                | AUTO     | or auto",
      "parallel-start              | on       | use max-starting = auto",
      "min-executors               | none     | a whole number from 1",
      "min-executors               | 0        | a whole number from 1",
      "accepted-timeout            | -1       | or 0 for off",
      "accepted-timeout            | 5 apples | or 0 for off",
      "idle-timeout                | x        | or 0 for off",
      "order                       | fair     | priority or fifo",
      "max-containers              | -1       | or 0 for no limit",
      "priority-weight             | true     | not a property of this policy class",
      "allow-application-overrides | yes      | true or false",
      "max-starting-timeout        | 0        | a duration above 0",
      "monitor-interval            | 0        | a duration above 0",
      "reclaim.grace-period        | -1       | or 0 to kill without delay",
      "starting-timeut             | 5m       | no such property"})
  void anInvalidPropertyIsRefusedAtTheStart(String name, String value, String allowed) {
    assertThatThrownBy(() -> MockCluster.of(StateAwareOrderingPolicy.class, name, value).close())
        .satisfies(refusal -> assertThat(rootOf(refusal))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("ordering-policy.state-aware." + name + " = '" + value + "'")
            .hasMessageContaining(allowed));
  }

  @Test
  void fairPolicyRefusesPropertiesOfTheOtherPolicy() {
    assertThatThrownBy(
        () -> MockCluster.of(StateAwareFairOrderingPolicy.class, "order", "fifo").close())
        .satisfies(refusal -> assertThat(rootOf(refusal))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("ordering-policy.state-aware.order = 'fifo'"));
  }

  @Test
  void refusedRefreshKeepsTheRunningConfiguration() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "max-starting", "2")) {
      MockApp app1 = cluster.submit();
      cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      assertThatThrownBy(() -> cluster.refresh(stateAwareKey("max-starting"), "many"))
          .satisfies(refusal -> assertThat(rootOf(refusal))
              .hasMessageContaining("ordering-policy.state-aware.max-starting = 'many'"));
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(cluster.offered()).as("still two at once").containsExactly("App1", "App2");
      assertThat(app1.containers()).isEqualTo(1);
    }
  }

  @Test
  void aPropertyCanBeChangedByARefresh() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      cluster.refresh(stateAwareKey("max-starting"), "2");
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      cluster.runMonitor();
      assertThat(cluster.policy().getInfo()).contains("max-starting=2", "1 accepted, 1 starting");
    }
  }

  @Test
  void preemptionUsesTheSameOrder() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      FiCaSchedulerApp low = cluster.submit(GB, 0).attempt();
      FiCaSchedulerApp high = cluster.submit(GB, 1).attempt();
      assertThat(comparator(cluster).compare(high, low)).isNegative();
      cluster.refresh(stateAwareKey("order"), "fifo");
      assertThat(comparator(cluster).compare(high, low)).isPositive();
    }
  }

  private static Comparator<SchedulableEntity> comparator(MockCluster cluster) {
    return ((AbstractComparatorOrderingPolicy<?>) (OrderingPolicy<?>) cluster.policy())
        .getComparator();
  }

  @Test
  void thePolicyCanBeSwitchedFromFifoAndBackUnderLoad() throws Exception {
    try (MockCluster cluster = MockCluster.of(
        FifoOrderingPolicy.class)) {
      cluster.addNode(16 * GB);
      MockApp app1 = cluster.submit();
      cluster.heartbeat();
      cluster.submit();
      cluster.refresh(queueKey("ordering-policy"), StateAwareOrderingPolicy.class.getName());
      assertThat(cluster.offered()).as("App1 is starting").containsExactly("App1");
      app1.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      cluster.refresh(queueKey("ordering-policy"), "fifo");
      cluster.submit();
      assertThat(cluster.offered()).containsExactly("App1", "App2", "App3");
      cluster.refresh(queueKey("ordering-policy"), StateAwareOrderingPolicy.class.getName());
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1", "App2");
    }
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
