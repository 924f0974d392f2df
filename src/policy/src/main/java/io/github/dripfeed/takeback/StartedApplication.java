// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.OrderKey;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.snapshot.AttemptSnapshot;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * An application that is not accepted any more, in a queue in which applications may be taken back.
 *
 * @param <S> the applications of the queue
 */
final class StartedApplication<S extends SchedulableEntity> {

  final AttemptSnapshot<S> read;
  final StateAwareQueue<S> queue;
  final CSQueue yarnQueue;
  final OrderKey submitted;
  final OrderKey inQueue;
  /** Null if it is not live. */
  final RMContainer driver;
  /** By partition; null until one is asked for, because most rounds ask for none. */
  private Map<String, Long> fingerprints;

  StartedApplication(AttemptSnapshot<S> read, StateAwareQueue<S> queue, CSQueue yarnQueue) {
    this.read = read;
    this.queue = queue;
    this.yarnQueue = yarnQueue;
    this.submitted = YarnAttempt.orderKeyOf(read.app, false);
    this.inQueue = YarnAttempt.orderKeyOf(read.app, queue.isByPriority());
    this.driver = read.facts.driverContainer();
  }

  /** Whether it had executors, now or before. */
  boolean hadExecutor() {
    return read.executors > 0 || read.view.hadExecutor();
  }

  /**
   * Whether it has its driver, lacks some of its first executors, and requests one. One that is past its
   * early stage counts too, as long as it has no executor now: it holds its driver as before.
   */
  boolean isBlocked() {
    return driver != null && !read.facts.isExempt() && !read.requests.isEmpty()
        && read.executors < read.view.settings().minExecutors()
        && (read.isStarting() || read.executors == 0) && !read.view.isTakenBack();
  }

  /** Whether YARN's rules and ours allow it to lose its driver; the room decides then. */
  boolean mayLoseDriver(CapacityScheduler scheduler) {
    return isBlocked() && !hadExecutor() && read.facts.hasAttemptLeft()
        && !(read.facts.isDriverRecovered()
            && read.view.ageWhenDiscovered() >= read.view.settings().startingTimeout())
        && !StockPreemption.isDisabled(yarnQueue, scheduler);
  }

  /** The request that the scheduler serves first. */
  PendingRequest request() {
    return read.requests.get(0);
  }

  boolean requestsIn(String partition) {
    return isBlocked() && request().partition().equals(partition);
  }

  /** False also if the node of its driver is gone. */
  boolean isDriverIn(String partition, ClusterSnapshot cluster) {
    return driver != null && partition.equals(cluster.partitionOf(driver.getAllocatedNode()));
  }

  /** Changes with each container that it gets or releases in the partition; 0 if it has none there. */
  long fingerprint(String partition, ClusterSnapshot cluster) {
    if (fingerprints == null) {
      fingerprints = new HashMap<>();
      for (RMContainer container : read.app.getLiveContainersMap().values()) {
        // A sum, because the map has no order; of squares, because ids are consecutive.
        long id = container.getContainerId().getContainerId();
        fingerprints.merge(
            String.valueOf(cluster.partitionOf(container.getAllocatedNode())), id * id, Long::sum);
      }
    }
    return fingerprints.getOrDefault(partition, 0L);
  }

  boolean isAtMaxContainers() {
    int limit = queue.order().settings().maxContainers();
    return limit > 0 && read.facts.containers() >= limit;
  }
}
