// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.snapshot;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * One application attempt of a state-aware queue as a round sees it: its fields are read once, its view and
 * its facts are live. Used by one thread.
 *
 * @param <S> the applications of the queue
 */
public final class AttemptSnapshot<S extends SchedulableEntity> {

  public final StateAwareQueue<S> queue;
  public final CSQueue yarnQueue;
  public final S item;
  public final SchedulerApplicationAttempt app;
  /** What the order of its queue knows of it; not read once, but current. */
  public final AttemptView<S> view;
  public final YarnAttempt facts;
  public final State state;
  /** In the order in which the scheduler serves them; without requests to resize a container. */
  public final List<PendingRequest> requests;
  /** The partition of its driver. */
  public final String partition;
  /** The number of its live executors; 0 while it is accepted. */
  public final int executors;
  /** Null if it is not live. */
  public final RMContainer driver;
  /** By partition; null until one is asked for, because most rounds ask for none. */
  private Map<String, Long> fingerprints;

  public AttemptSnapshot(StateAwareQueue<S> queue, CSQueue yarnQueue, S item, AttemptView<S> view) {
    this.queue = queue;
    this.yarnQueue = yarnQueue;
    this.item = item;
    this.app = (SchedulerApplicationAttempt) item;
    this.view = view;
    this.facts = (YarnAttempt) view.facts();
    this.state = view.state();
    // Pending requests before live containers: an allocation changes the requests last.
    this.requests = PendingRequest.all(app);
    // A resize is no executor, and only its own node can meet it.
    this.requests.removeIf(PendingRequest::isUpdate);
    String named = facts.partition();
    this.partition = named == null ? "" : named;
    this.executors = state == State.ACCEPTED ? 0 : facts.liveExecutors();
    this.driver = state == State.ACCEPTED ? null : facts.driverContainer();
  }

  /** Identifies the application. */
  public ApplicationId application() {
    return app.getApplicationId();
  }

  /** Identifies the attempt; keeps nothing alive. */
  public ApplicationAttemptId id() {
    return app.getApplicationAttemptId();
  }

  public boolean isStarting() {
    return state == State.STARTING;
  }

  /** Whether it had executors, now or before. */
  public boolean hadExecutor() {
    return executors > 0 || view.hadExecutor();
  }

  /**
   * Whether it has its driver, lacks some of its first executors, and requests one. One that is past its
   * early stage counts too, as long as it has no executor now: it holds its driver as before.
   */
  public boolean isBlocked() {
    return driver != null && !facts.isExempt() && !requests.isEmpty()
        && executors < view.settings().minExecutors() && (isStarting() || executors == 0)
        && !view.isTakenBack();
  }

  /** The partition for which its next executor is; for one that is blocked. */
  public String requestedPartition() {
    return requests.get(0).partition();
  }

  /** Whether it is blocked, and its next executor may be placed in the partition. */
  public boolean isBlockedIn(String inPartition, ClusterSnapshot cluster) {
    return isBlocked() && cluster.serving(requestedPartition()).contains(inPartition);
  }

  /** Whether YARN passes over it there: it has no reservation, and its user is above the limit. */
  public boolean isSkipped(String inPartition, ClusterSnapshot cluster) {
    return !facts.hasReservation() && cluster.isAboveUserLimit(yarnQueue, app.getUser(), inPartition);
  }

  /** Whether its driver is on a node of the partition. */
  public boolean isDriverIn(String inPartition, ClusterSnapshot cluster) {
    return driver != null && inPartition.equals(cluster.partitionOf(driver.getAllocatedNode()));
  }

  /** Changes with each container that it gets or releases in the partition; 0 if it has none there. */
  public long fingerprint(String inPartition, ClusterSnapshot cluster) {
    if (fingerprints == null) {
      fingerprints = new HashMap<>();
      for (RMContainer container : app.getLiveContainersMap().values()) {
        // A sum, because the map has no order; of squares, because ids are consecutive.
        long hash = container.getContainerId().hashCode();
        fingerprints.merge(
            String.valueOf(cluster.partitionOf(container.getAllocatedNode())), hash * hash, Long::sum);
      }
    }
    return fingerprints.getOrDefault(inPartition, 0L);
  }
}
