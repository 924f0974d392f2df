// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.reclaim.PreemptionNotices;
import io.github.dripfeed.observe.StateAwareQueueMetrics.Count;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.yarn.LeavingContainer;
import io.github.dripfeed.yarn.NodeHeartbeats;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs reclaim in one queue and keeps what it knows between rounds. Used by one thread.
 *
 * @param <S> the applications of the queue
 */
final class QueueReclaimer<S extends SchedulableEntity> {

  private static final Logger LOG = LoggerFactory.getLogger(QueueReclaimer.class);

  private final CapacityScheduler scheduler;
  private final ReclaimMemory<S> memory = new ReclaimMemory<>();

  QueueReclaimer(CapacityScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Runs one round.
   *
   * @return the usage up to which each application is first in the fair order
   */
  Map<S, Double> round(ReclaimContext context, CSQueue queue, StateAwarePolicy<S> policy) {
    String path = queue.getQueuePath();
    long now = context.now;
    memory.leaving.keySet().removeIf(container -> !container.isOnItsNode(scheduler, now));
    memory.leaving.forEach(
        (container, receiver) -> memory.backoff.awaitRoom(receiver, container.since(), now));
    memory.backoff.retainIf(entity -> policy.ordering().order().view(entity) != null);
    checkEffect(path, context.intervalMillis, now);
    ReclaimRound<S> round = new ReclaimRound<>(context, queue, policy, memory);
    memory.owed = round.owed;
    preempt(path, round, policy.ordering().configuration().reclaimGraceMillis(), context);
    return round.owed;
  }

  /** Records whether preempted resources have reached the applications for which they were preempted. */
  private void checkEffect(String queue, long interval, long now) {
    List<S> unresolved = memory.backoff.unresolved();
    // YARN may allocate one container for each heartbeat of a node. So the last of several receivers waits
    // for that many heartbeats.
    long patience = interval + interval / 2
        + unresolved.size() * NodeHeartbeats.longestInterval(scheduler.getConf());
    for (S entity : unresolved) {
      boolean pending =
          !((SchedulerApplicationAttempt) entity).getAppSchedulingInfo().getSchedulerKeys().isEmpty();
      if (memory.backoff.isInVain(entity, newest(entity), pending, patience, now)) {
        LOG.warn("Queue {}: {} did not get the containers that were preempted for it. No more are preempted"
            + " for {} s", queue, entity.getId(), memory.backoff.pause(entity, now) / 1000);
      }
    }
  }

  /** The newest container of an application, possibly one of an earlier attempt; null if it has none. */
  private static ContainerId newest(SchedulableEntity entity) {
    ContainerId newest = null;
    for (ContainerId id : ((SchedulerApplicationAttempt) entity).getLiveContainersMap().keySet()) {
      newest = newest == null || newest.compareTo(id) < 0 ? id : newest;
    }
    return newest;
  }

  private void preempt(String queue, ReclaimRound<S> round, long grace, ReclaimContext context) {
    long now = context.now;
    Map<ContainerId, RMContainer> containers = new LinkedHashMap<>();
    Map<ContainerId, S> receivers = new HashMap<>();
    Set<S> released = new HashSet<>();
    round.planned.forEach((preemptible, receiver) -> {
      RMContainer container = PartitionSnapshot.yarnContainer(preemptible);
      if (preemptible.isReservation()) {
        LOG.info("Queue {}: the reservation of {} on {} is released for {}", queue,
            container.getApplicationAttemptId(), container.getReservedNode(), receiver.getId());
        send(container, container.getReservedNode(), SchedulerEventType.KILL_RESERVED_CONTAINER);
        released.add(receiver);
      } else {
        containers.put(container.getContainerId(), container);
        receivers.put(container.getContainerId(), receiver);
      }
    });
    // If containers are preempted for an application, too, it is judged only when they are gone.
    released.removeAll(new HashSet<>(receivers.values()));
    released.forEach(receiver -> memory.backoff.recordPreemption(receiver, newest(receiver), now));
    if (containers.isEmpty() && memory.notices.isEmpty()) {
      return;
    }
    Map<S, Integer> notified = new HashMap<>();
    // A notice outlives a pause of two rounds, however short the grace period is.
    long validity = Math.max(grace, 2 * context.intervalMillis);
    memory.notices.apply(containers.keySet(), round.paused, grace, validity, now,
        new PreemptionNotices.Actions<ContainerId>() {
          @Override
          public void sendNotice(ContainerId id) {
            notified.merge(receivers.get(id), 1, Integer::sum);
            send(containers.get(id), containers.get(id).getAllocatedNode(),
                SchedulerEventType.MARK_CONTAINER_FOR_PREEMPTION);
          }

          @Override
          public void preempt(ContainerId id) {
            if (!containers.get(id).isAMContainer()) {
              LOG.info("Queue {}: {} is preempted for {}", queue, id, receivers.get(id).getId());
              memory.backoff.recordPreemption(receivers.get(id), newest(receivers.get(id)), now);
              if (!scheduler.getConfiguration().getLazyPreemptionEnabled()) {
                memory.leaving.put(new LeavingContainer(containers.get(id), now), receivers.get(id));
              }
              send(containers.get(id), containers.get(id).getAllocatedNode(),
                  SchedulerEventType.MARK_CONTAINER_FOR_KILLABLE);
              DripfeedRuntime.current().metrics().of(queue).count(Count.RECLAIMED);
            }
          }
        });
    notified.forEach((entity, count) ->
        LOG.info("Queue {}: preemption notices for {} containers are sent, for {}",
            queue, count, entity.getId()));
  }

  private void send(RMContainer container, NodeId node, SchedulerEventType type) {
    // If its node is gone, so is the container, and YARN would dereference the missing node.
    if (scheduler.getNode(node) != null) {
      scheduler.getRMContext().getDispatcher().getEventHandler().handle(
          new ContainerPreemptEvent(container.getApplicationAttemptId(), container, type));
    }
  }
}
