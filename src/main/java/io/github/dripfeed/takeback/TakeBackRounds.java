/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.takeback;

import io.github.dripfeed.runtime.DripfeedRuntime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * The queues of one scheduler whose starting applications may be taken back, and the memory of what was
 * done. References the scheduler and its queues weakly or not at all. Used by the monitor's thread.
 */
public final class TakeBackRounds {

  /** The shortest time between two rounds, in milliseconds. */
  private static final long INTERVAL = 1000;

  private final Map<TakeBackQueue<?>, Boolean> queues = new WeakHashMap<>();
  private final Map<String, PartitionMemory> byPartition = new HashMap<>();
  private Long last;

  private TakeBackRounds() {
  }

  /**
   * Visits a queue whose starting applications may be taken back, and runs the round of all such queues of
   * the scheduler if it is due.
   */
  public static void visit(
      CapacityScheduler scheduler, TakeBackQueue<?> queue, DripfeedRuntime runtime, long now) {
    TakeBackRounds rounds =
        runtime.ofScheduler(scheduler, TakeBackRounds.class, TakeBackRounds::new);
    rounds.queues.put(queue, Boolean.TRUE);
    if (rounds.last == null || now - rounds.last >= INTERVAL) {
      rounds.last = now;
      List<TakeBackQueue<?>> present = new ArrayList<>(rounds.queues.keySet());
      present.removeIf(each -> each == null || each.queue() == null);
      new TakeBackRound(scheduler, runtime, rounds.byPartition, now).run(present);
    }
  }
}
