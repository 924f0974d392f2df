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

import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.reclaim.QueueReclaimer;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.StockPreemption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes resources back within state-aware queues, for those who deserve them: an application of higher
 * priority takes from those of lower ones, and, where the queue is shared fairly, who has less than its
 * share from who has more. Only where the queue's {@code reclaim.enabled} says so, and never a driver.
 *
 * <p>Set it in {@code yarn-site.xml} in {@code yarn.resourcemanager.scheduler.monitor.policies}, beside
 * or instead of YARN's own, with {@code yarn.resourcemanager.scheduler.monitor.enable}.
 *
 * <p>YARN makes one, calls {@link #init} once and then {@link #editSchedule} in a thread of its own,
 * every {@link #getMonitoringInterval} milliseconds.
 */
public class ReclaimPolicy implements SchedulingEditPolicy {

  private static final Logger LOG = LoggerFactory.getLogger(ReclaimPolicy.class);
  /** How often to look for a queue that reclaims, where none does. */
  private static final long IDLE_MILLIS = 3000;
  /** How often to look at least, however long the intervals of queues are. */
  private static final long LONGEST_MILLIS = 60_000;

  private final Map<String, QueueReclaimer<?>> queues = new HashMap<>();
  private CapacityScheduler scheduler;
  private volatile long interval = IDLE_MILLIS;

  /** @throws IllegalArgumentException if the ResourceManager has another scheduler than the Capacity one */
  @Override
  public void init(Configuration config, RMContext context, ResourceScheduler sched) {
    if (!(sched instanceof CapacityScheduler)) {
      throw new IllegalArgumentException(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES
          + " has " + ReclaimPolicy.class.getName() + ", and " + YarnConfiguration.RM_SCHEDULER
          + " = '" + sched.getClass().getName() + "': allowed is only "
          + CapacityScheduler.class.getName());
    }
    scheduler = (CapacityScheduler) sched;
  }

  @Override
  public void editSchedule() {
    Set<String> reclaiming = new HashSet<>();
    interval = look(scheduler.getRootQueue(), reclaiming,
        DripfeedRuntime.current().clock().monotonicMillis());
    queues.keySet().retainAll(reclaiming);
  }

  /** @return after how many milliseconds to look again */
  private long look(CSQueue queue, Set<String> reclaiming, long now) {
    long next = Long.MAX_VALUE;
    if (queue.getChildQueues() != null) {
      for (CSQueue child : queue.getChildQueues()) {
        next = Math.min(next, look(child, reclaiming, now));
      }
    }
    Object policy = QueueCompat.orderingPolicy(queue);
    OrderingDelegate<?> ordering = OrderingDelegate.of(policy);
    if (ordering != null && ordering.configuration().reclaims()) {
      reclaiming.add(queue.getQueuePath());
      // A longer interval may become a shorter one, and this is when it is noticed.
      next = Math.min(LONGEST_MILLIS, ordering.configuration().reclaimIntervalMillis());
      lookAt(queue, policy, now);
    }
    return queue.getParent() == null && next == Long.MAX_VALUE ? IDLE_MILLIS : next;
  }

  private void lookAt(CSQueue queue, Object policy, long now) {
    QueueReclaimer<?> reclaim =
        queues.computeIfAbsent(queue.getQueuePath(), path -> new QueueReclaimer<>(scheduler));
    if (reclaim.isDue(now, interval) && !queue.getPreemptionDisabled()) {
      try {
        Set<ContainerId> leaving = StockPreemption.chosen(scheduler);
        if (policy instanceof StateAwareFairOrderingPolicy) {
          roundByShare(reclaim, queue, (StateAwareFairOrderingPolicy<?>) policy, leaving, now);
        } else {
          roundByPriority(reclaim, queue, OrderingDelegate.of(policy), leaving, now);
        }
      } catch (RuntimeException | LinkageError e) {
        DripfeedRuntime.current().countFailure();
        LOG.error("Nothing is taken back in queue {} in this round", queue.getQueuePath(), e);
      }
    }
  }

  /** The applications of a queue are of one class, whatever policy it has. */
  @SuppressWarnings("unchecked")
  private <S extends SchedulableEntity> void roundByShare(QueueReclaimer<?> reclaim, CSQueue queue,
      StateAwareFairOrderingPolicy<S> policy, Set<ContainerId> leaving, long now) {
    policy.setOwed(((QueueReclaimer<S>) reclaim).round(
        queue, policy.ordering(), policy.share(), leaving, now));
  }

  @SuppressWarnings("unchecked")
  private <S extends SchedulableEntity> void roundByPriority(QueueReclaimer<?> reclaim, CSQueue queue,
      OrderingDelegate<S> ordering, Set<ContainerId> leaving, long now) {
    ((QueueReclaimer<S>) reclaim).round(queue, ordering, null, leaving, now);
  }

  @Override
  public long getMonitoringInterval() {
    return interval;
  }

  @Override
  public String getPolicyName() {
    return "ReclaimPolicy";
  }
}
