/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Who may start although no slot is free. Is told of all applications of a queue, first those that run,
 * then those that are starting, then those that wait; each gets what it needs of what those before left.
 * One that waits may start if what is left holds its driver and its first executors and, whatever it
 * and all others may ask for in the end, the reserve of its {@link PartitionHeadroom} stays large enough.
 *
 * @param <T> what stands for an application attempt
 */
public final class StartPlan<T> {

  private final Function<String, PartitionHeadroom> zones;
  private final Map<T, HeadroomClaim> claims = new HashMap<>();
  private final Map<String, Shortage> shortages = new HashMap<>();

  /** @param zones by the names of their partitions, the same for the same name */
  public StartPlan(Function<String, PartitionHeadroom> zones) {
    this.zones = zones;
  }

  /** One that is past its early stage. If its demand can't be met, nothing is left for others. */
  public void runs(String user, List<Demand> asks) {
    asks.forEach(ask -> meet(user, ask));
  }

  /**
   * One that is starting.
   *
   * @param missing executors that it lacks to be running, of the size that it asks for or is expected to
   */
  public void starts(T item, String user, List<Demand> missing) {
    missing.forEach(executors -> meet(user, executors));
    claims.put(item, HeadroomClaim.ofStarting(amounts(missing)));
  }

  /**
   * One that waits; those of one line in their order.
   *
   * @param line the partition that its driver competes in
   * @param driver what it asks for
   * @param firstStage the executors that make it running, of the sizes that it is expected to ask for
   */
  public void waits(T item, String line, String user, Demand driver, List<Demand> firstStage) {
    if (isShort(line)) {
      return;
    }
    Shortage shortage = shortage(user, driver, firstStage);
    if (shortage == null) {
      claims.put(item, HeadroomClaim.toStart(driver.partition(), driver.size(), amounts(firstStage)));
    } else {
      shortages.put(line, shortage);
    }
  }

  /** Whether there was no room for one of the line, and so is none for those behind. */
  public boolean isShort(String line) {
    return shortages.containsKey(line);
  }

  private Shortage shortage(String user, Demand driver, List<Demand> firstStage) {
    PartitionHeadroom zone = zones.apply(driver.partition());
    Shortage shortage = zone.place(user, driver.size(), 1);
    int executors = 0;
    for (Demand demand : firstStage) {
      executors = Math.max(executors, (int) demand.count());
      if (shortage == null) {
        shortage = zones.apply(demand.partition()).place(user, demand.size(), demand.count());
      }
    }
    return shortage == null ? zone.keep(user, driver.size(), executors) : shortage;
  }

  /** What can never be had is nobody's loss, nor is what a user's limit keeps from him. */
  private void meet(String user, Demand demand) {
    PartitionHeadroom zone = zones.apply(demand.partition());
    if (demand.count() > 0 && zone.isPossible(demand.size())) {
      Shortage shortage = zone.place(user, demand.size(), demand.count());
      if (shortage != null && shortage != Shortage.USER) {
        zone.take();
      }
    }
  }

  private static Map<String, long[]> amounts(List<Demand> demands) {
    Map<String, long[]> amounts = new HashMap<>();
    for (Demand demand : demands) {
      amounts.merge(demand.partition(), ResourceVector.times(demand.size(), demand.count()),
          ResourceVector::plus);
    }
    return amounts;
  }

  /** Of all that are starting, and of all that may start. */
  public Map<T, HeadroomClaim> claims() {
    return claims;
  }

  /** By line, what there was too little of for the first one that may not start. */
  public Map<String, Shortage> shortages() {
    return shortages;
  }
}
