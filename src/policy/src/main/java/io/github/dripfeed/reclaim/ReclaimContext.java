// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.StockPreemption;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * What the rounds of all queues at one time have in common: the scheduler, read at most once, and those
 * settings of YARN's own preemption that count also where that is off. Used by one thread.
 */
final class ReclaimContext {

  final CapacityScheduler scheduler;
  /** In milliseconds. */
  final long now;
  final CountedResources types;
  final DominantShare measure;
  /** The time between two rounds, in milliseconds. */
  final long intervalMillis;
  /** The fraction of the queue's usage that one round may newly reclaim. */
  final double maxPerRound;
  /** The deviation from its share that is tolerated, as a fraction of the share. */
  final double tolerance;
  /** The containers that YARN's own preemption has selected. */
  final Set<ContainerId> selected;
  private ClusterSnapshot cluster;

  ReclaimContext(CapacityScheduler scheduler, long now) {
    this.scheduler = scheduler;
    this.now = now;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    this.measure = types.measure(scheduler.getClusterResource());
    Configuration conf = scheduler.getConfiguration();
    this.intervalMillis = interval(scheduler);
    this.maxPerRound = conf.getDouble(CapacitySchedulerConfiguration.TOTAL_PREEMPTION_PER_ROUND,
        CapacitySchedulerConfiguration.DEFAULT_TOTAL_PREEMPTION_PER_ROUND);
    this.tolerance = conf.getDouble(CapacitySchedulerConfiguration.PREEMPTION_MAX_IGNORED_OVER_CAPACITY,
        CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_MAX_IGNORED_OVER_CAPACITY);
    this.selected = StockPreemption.chosen(scheduler);
  }

  static long interval(CapacityScheduler scheduler) {
    return scheduler.getConfiguration().getLong(
        CapacitySchedulerConfiguration.PREEMPTION_MONITORING_INTERVAL,
        CapacitySchedulerConfiguration.DEFAULT_PREEMPTION_MONITORING_INTERVAL);
  }

  /** Read when a queue first needs it: most rounds have nothing to reclaim. */
  ClusterSnapshot cluster() {
    cluster = cluster == null ? new ClusterSnapshot(scheduler) : cluster;
    return cluster;
  }
}
