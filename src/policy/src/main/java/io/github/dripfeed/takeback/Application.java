// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.OrderKey;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.StockPreemption;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * One application as a round sees it; everything is read once.
 *
 * @param <S> the applications of the queue
 */
final class Application<S extends SchedulableEntity> {

  final StateAwareQueue<S> queue;
  final S item;
  final SchedulerApplicationAttempt app;
  final AttemptView<S> view;
  final YarnAttempt facts;
  final OrderKey submitted;
  /** Its position in the order of its queue. */
  final int place;
  final State state;
  final List<PendingRequest> requests;
  final int executors;
  final RMContainer driver;
  final CSQueue yarnQueue;
  /** By partition; null until one is asked for, because most rounds ask for none. */
  private Map<String, Long> fingerprints;

  Application(StateAwareQueue<S> queue, CSQueue yarnQueue, AttemptView<S> view, int place) {
    this.queue = queue;
    this.yarnQueue = yarnQueue;
    this.view = view;
    this.item = view.item();
    this.app = (SchedulerApplicationAttempt) item;
    this.facts = (YarnAttempt) view.facts();
    this.place = place;
    this.submitted = YarnAttempt.orderKeyOf(app, queue.isByPriority());
    this.state = view.state();
    // Pending requests before live containers: an allocation changes the requests last.
    this.requests = PendingRequest.all(app);
    // A container that is to grow is no executor, and no room elsewhere helps it.
    this.requests.removeIf(PendingRequest::isUpdate);
    this.executors = facts.liveExecutors();
    this.driver = facts.driverContainer();
  }

  /** Identifies it; keeps nothing alive. */
  Object id() {
    return app.getApplicationAttemptId();
  }

  boolean hasDriver() {
    return state != State.ACCEPTED && driver != null;
  }

  /** Whether it has made progress: it has executors, or had some. */
  boolean isProgressing() {
    return executors > 0 || view.hadExecutor();
  }

  /**
   * Whether it has its driver, lacks some of its first executors, and requests one. One whose
   * starting time ended before it had an executor counts too: it holds its driver as before.
   */
  boolean isBlocked() {
    return hasDriver() && !facts.isExempt() && !requests.isEmpty()
        && executors < view.settings().minExecutors() && (state == State.STARTING || !view.hadExecutor());
  }

  /** Whether YARN's rules and ours allow it to lose its driver; the room decides then. */
  boolean mayLoseDriver(CapacityScheduler scheduler) {
    return isBlocked() && !isProgressing() && !view.isTakenBack() && facts.hasAttemptLeft()
        && !StockPreemption.isDisabled(yarnQueue, scheduler);
  }

  /** The request that the scheduler serves first. */
  PendingRequest request() {
    return requests.get(0);
  }

  /** Changes with each container that it gets or releases in the partition; 0 if it has none there. */
  long fingerprint(String partition, CapacityScheduler scheduler) {
    if (fingerprints == null) {
      fingerprints = fingerprints(scheduler);
    }
    return fingerprints.getOrDefault(partition, 0L);
  }

  private Map<String, Long> fingerprints(CapacityScheduler scheduler) {
    Map<String, Long> sums = new HashMap<>();
    for (RMContainer container : app.getLiveContainersMap().values()) {
      SchedulerNode node = scheduler.getSchedulerNode(container.getAllocatedNode());
      if (node != null) {
        // A sum, because the map has no order; of squares, because ids are consecutive.
        long id = container.getContainerId().getContainerId();
        sums.merge(node.getPartition(), id * id, Long::sum);
      }
    }
    return sums;
  }

  boolean isAtMaxContainers() {
    int limit = queue.order().settings().maxContainers();
    return limit > 0 && facts.containers() >= limit;
  }
}
