/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import io.github.dripfeed.core.reclaim.Notices;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reclaim in one queue, from round to round: which containers were asked back since when, and to whom
 * something is owed. Used by one thread.
 */
final class QueueReclaim {

  private static final Logger LOG = LoggerFactory.getLogger(QueueReclaim.class);

  private final CapacityScheduler scheduler;
  private final Notices<ContainerId> notices = new Notices<>();
  private Set<?> owed = Collections.emptySet();
  /** When the next round is due; null is at once. */
  private Long nextRound;

  QueueReclaim(CapacityScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Whether a round is due, if the next opportunity comes after so many milliseconds. */
  boolean isDue(long now, long untilNext) {
    return nextRound == null || now >= nextRound - untilNext / 2;
  }

  /**
   * One round.
   *
   * @param share what shares are told by, or null where priority decides
   * @param leaving what YARN's preemption has chosen
   * @return to whom how much is owed
   */
  <S extends SchedulableEntity> Map<S, Double> round(CSQueue queue, StateAwareOrdering<S> ordering,
      WeightedShare share, Set<ContainerId> leaving, long now) {
    nextRound = now + ordering.configuration().reclaimIntervalMillis();
    ReclaimRound<S> round = new ReclaimRound<>(
        scheduler, queue, ordering, share, leaving, notices::isAsked, owed::contains);
    owed = new HashSet<>(round.owed().keySet());
    act(queue, round.planned(), ordering.configuration().reclaimGraceMillis(), now);
    return round.owed();
  }

  private <S extends SchedulableEntity> void act(
      CSQueue queue, Map<RMContainer, S> planned, long grace, long now) {
    Map<ContainerId, RMContainer> containers = new LinkedHashMap<>();
    planned.keySet().forEach(container -> containers.put(container.getContainerId(), container));
    Map<S, Integer> asked = new HashMap<>();
    notices.follow(containers.keySet(), grace, now, new Notices.Actions<ContainerId>() {
      @Override
      public void ask(ContainerId id) {
        asked.merge(planned.get(containers.get(id)), 1, Integer::sum);
        send(containers.get(id), SchedulerEventType.MARK_CONTAINER_FOR_PREEMPTION);
      }

      @Override
      public void take(ContainerId id) {
        LOG.info("Queue {}: {} is taken back for {}", queue.getQueuePath(), id,
            planned.get(containers.get(id)).getId());
        send(containers.get(id), SchedulerEventType.MARK_CONTAINER_FOR_KILLABLE);
        Shared.current().metrics().of(queue.getQueuePath()).reclaimed();
      }
    });
    asked.forEach((entity, count) -> LOG.info("Queue {}: {} containers are asked back for {}",
        queue.getQueuePath(), count, entity.getId()));
  }

  private void send(RMContainer container, SchedulerEventType type) {
    // With its node a container is gone, and YARN asks the node.
    if (scheduler.getNode(container.getAllocatedNode()) != null) {
      scheduler.getRMContext().getDispatcher().getEventHandler().handle(
          new ContainerPreemptEvent(container.getApplicationAttemptId(), container, type));
    }
  }
}
