/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
