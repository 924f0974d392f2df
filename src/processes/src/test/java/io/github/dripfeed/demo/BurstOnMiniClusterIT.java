// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.LogOfFailure;
import java.io.PrintStream;
import java.nio.file.Path;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A burst on a real NodeManager. Application masters and executors are processes of their own, and the
 * files of {@code conf-examples} configure the cluster.
 */
@ExtendWith(LogOfFailure.class)
class BurstOnMiniClusterIT {

  private static DemoCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = DemoCluster.start(
        DemoCluster.examples(), Path.of("target", "e2e").toAbsolutePath());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void examplesSelectThePolicy() throws Exception {
    assertThat(policyOf("dripfed")).isExactlyInstanceOf(StateAwareOrderingPolicy.class);
    assertThat(policyOf("dripfed").getInfo()).contains("Settings: all defaults");
    assertThat(policyOf("stock").getConfigName()).isEqualTo("fifo");
  }

  @Test
  void burstOfDriversAllGetExecutors() throws Exception {
    Burst.Shape burst = new Burst.Shape(8, 512, 0, 2, 512, 1);
    BurstRun half = new BurstRun("Dripfeed", "dripfed");
    half.run(cluster, burst, new PlainScreen(new PrintStream(PrintStream.nullOutputStream())));
    assertThat(half.outcome().succeeded()).isEqualTo(8);
    assertThat(half.outcome().mostStarting())
        .as("%s%n%s", half.recording(), LiveTables.rows("Events")).isEqualTo(1);
    assertThat(half.outcome().executors()).isGreaterThanOrEqualTo(16);
    assertThat(policyOf("dripfed").getNumSchedulableEntities()).isZero();
  }

  private static OrderingPolicy<?> policyOf(String queue) throws ReflectiveOperationException {
    CapacityScheduler scheduler =
        (CapacityScheduler) cluster.resourceManager().getResourceScheduler();
    // The declaring class differs between versions of Hadoop
    // (docs/design.md#signatures-differ-between-versions).
    return (OrderingPolicy<?>) MethodUtils.invokeMethod(
        scheduler.getQueue(queue), "getOrderingPolicy");
  }
}
