// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/** The settings of YARN's own preemption that reclaim shares, also where YARN's preemption is off. */
final class ReclaimSettings {

  /** The time between two rounds, in milliseconds. */
  final long intervalMillis;
  /** The fraction of the queue's usage that one round may newly reclaim. */
  final double maxPerRound;
  /** The deviation from its share that is tolerated, as a fraction of the share. */
  final double tolerance;

  /** @param conf the scheduler's configuration, which a refresh replaces */
  ReclaimSettings(Configuration conf) {
    intervalMillis = conf.getLong(CapacitySchedulerConfiguration.PREEMPTION_MONITORING_INTERVAL,
        CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_MONITORING_INTERVAL);
    maxPerRound = conf.getDouble(CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND,
        CapacitySchedulerConfiguration.DEFAULT_TOTAL_PREEMPTION_PER_ROUND);
    tolerance = conf.getDouble(CapacitySchedulerConfiguration.PREEMPTION_MAX_IGNORED_OVER_CAPACITY,
        CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_MAX_IGNORED_OVER_CAPACITY);
  }
}
