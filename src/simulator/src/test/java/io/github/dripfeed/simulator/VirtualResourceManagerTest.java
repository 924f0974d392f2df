// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a simulation's ResourceManager must not do in real time. */
class VirtualResourceManagerTest {

  @ParameterizedTest
  @ValueSource(strings = {YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS,
      YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS})
  void nothingExpiresForDaysOfRealTime(String interval) {
    VirtualResourceManager rm = new VirtualResourceManager(
        QueueSetup.wholeCluster().with(SchedulerVariants.fifo()), attempt -> { }, event -> { });
    try {
      assertThat(rm.getConfig().getLong(interval, 0)).isEqualTo(Integer.MAX_VALUE);
    } finally {
      rm.stop();
    }
  }
}
