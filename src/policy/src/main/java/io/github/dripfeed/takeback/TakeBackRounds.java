// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * The queues of one scheduler whose starting applications may be taken back, and the memory of what was
 * done. References the scheduler and its queues weakly or not at all. Used by the monitor's thread.
 */
public final class TakeBackRounds {

  /** The time from one round to the next, in milliseconds. */
  private static final long INTERVAL = 1000;

  private final Map<StateAwareQueue<?>, Boolean> queues = new WeakHashMap<>();
  private final Map<String, PartitionMemory> byPartition = new HashMap<>();
  /** When the next round is due; null means now. */
  private Long next;
  /** The paths of the queues of the last round. */
  private Set<String> lastRound = Collections.emptySet();
  /** Those of them that are not there when a round is due. */
  private final Set<String> missing = new HashSet<>();
  /** Since when a round waits for them; null if none waits. */
  private Long waitsSince;

  TakeBackRounds() {
  }

  /**
   * Visits a queue whose starting applications may be taken back, and runs the round of all such queues of
   * the scheduler if it is due.
   *
   * @param interval the time between two visits of the queue, in milliseconds
   */
  public static void visit(CapacityScheduler scheduler, StateAwareQueue<?> queue, DripfeedRuntime runtime,
      long interval, long now) {
    TakeBackRounds rounds =
        runtime.ofScheduler(scheduler, TakeBackRounds.class, TakeBackRounds::new);
    rounds.queues.put(queue, Boolean.TRUE);
    CSQueue yarnQueue = queue.queue();
    Map<StateAwareQueue<?>, CSQueue> present =
        yarnQueue == null ? null : rounds.begin(yarnQueue.getQueuePath(), interval, now);
    if (present != null) {
      rounds.lastRound = pathsOf(present);
      new TakeBackRound(scheduler, runtime, rounds.byPartition, present, now).run();
    }
  }

  /**
   * The queues of the round that begins with the visit of this one; null if none does. A refresh gives
   * every queue a new policy, which is unknown until its first visit. Without its applications a round
   * would see a standstill where there is none, and progress where somebody is only missing. So it waits
   * until all queues of the last round are there, and goes without those that are not there after two
   * visits: they are gone, or empty.
   */
  private Map<StateAwareQueue<?>, CSQueue> begin(String path, long interval, long now) {
    Map<StateAwareQueue<?>, CSQueue> present = null;
    if (waitsSince == null) {
      if (!isDue(now)) {
        return null;
      }
      present = present();
      missing.addAll(lastRound);
      missing.removeAll(pathsOf(present));
      waitsSince = now;
    }
    missing.remove(path);
    // A visit may come a little early.
    if (!missing.isEmpty() && now - waitsSince < interval + interval / 2) {
      return null;
    }
    missing.clear();
    waitsSince = null;
    return present == null ? present() : present;
  }

  private static Set<String> pathsOf(Map<StateAwareQueue<?>, CSQueue> queues) {
    Set<String> paths = new HashSet<>();
    queues.values().forEach(queue -> paths.add(queue.getQueuePath()));
    return paths;
  }

  /**
   * Whether a round is due, which then begins. It may come half an interval early, but not every time: a
   * visit that was late is followed by one after less than an interval.
   */
  boolean isDue(long now) {
    if (next != null && now - next < -INTERVAL / 2) {
      return false;
    }
    next = (next == null || now - next > 0 ? now : next) + INTERVAL;
    return true;
  }

  /** Read once for a round: a queue is found through an application, and the last one may end any time. */
  private Map<StateAwareQueue<?>, CSQueue> present() {
    Map<StateAwareQueue<?>, CSQueue> present = new HashMap<>();
    for (StateAwareQueue<?> each : new ArrayList<>(queues.keySet())) {
      CSQueue yarnQueue = each == null ? null : each.queue();
      if (yarnQueue != null) {
        present.put(each, yarnQueue);
      }
    }
    return present;
  }
}
