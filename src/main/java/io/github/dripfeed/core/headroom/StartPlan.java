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
 * Decides which applications may start although no slot is free. The caller adds all applications of a
 * queue: first the running ones, then the starting ones, then the waiting ones. Each is assigned what it
 * needs from the headroom that the ones before it leave. A waiting application may start if its driver
 * and first executors fit into the rest, and if the reserve of its {@link PartitionHeadroom} stays large
 * enough whatever all applications request later.
 *
 * @param <T> what stands for an application attempt
 */
public final class StartPlan<T> {

  private final Function<String, PartitionHeadroom> partitions;
  private final Map<T, HeadroomClaim> claims = new HashMap<>();
  private final Map<String, Shortage> shortages = new HashMap<>();

  /**
   * @param partitions returns the headroom of a partition by its name; always the same object for the same
   *     name
   */
  public StartPlan(Function<String, PartitionHeadroom> partitions) {
    this.partitions = partitions;
  }

  /** Adds a running application. If its demand cannot be met, nothing is left for others. */
  public void runs(String user, List<Demand> demands) {
    demands.forEach(demand -> meet(user, demand));
  }

  /**
   * Adds a starting application.
   *
   * @param missing the executors that it lacks to be running, of the requested or expected size
   */
  public void starts(T item, String user, List<Demand> missing) {
    missing.forEach(executors -> meet(user, executors));
    claims.put(item, HeadroomClaim.ofStarting(amounts(missing)));
  }

  /**
   * Adds a waiting application. Applications of one line are added in their order.
   *
   * @param line the partition of its line
   * @param driver the request for its driver
   * @param firstStage the executors that make it running, of the expected sizes
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

  /** An application of the line may not start, for a reason that this plan does not know. */
  public void hold(String line, Shortage shortage) {
    shortages.putIfAbsent(line, shortage);
  }

  /** Whether an application of the line may not start, so that none behind it may either. */
  public boolean isShort(String line) {
    return shortages.containsKey(line);
  }

  private Shortage shortage(String user, Demand driver, List<Demand> firstStage) {
    PartitionHeadroom headroom = partitions.apply(driver.partition());
    Shortage shortage = headroom.assign(user, driver.size(), 1);
    int executors = 0;
    for (Demand demand : firstStage) {
      executors = Math.max(executors, (int) demand.count());
      if (shortage == null) {
        shortage = partitions.apply(demand.partition()).assign(user, demand.size(), demand.count());
      }
    }
    return shortage == null ? headroom.reserveForDriver(user, driver.size(), executors) : shortage;
  }

  /**
   * Demand that can never be met, or that only the user's limit blocks, holds back no other application.
   */
  private void meet(String user, Demand demand) {
    PartitionHeadroom headroom = partitions.apply(demand.partition());
    if (demand.count() > 0 && headroom.isPossible(demand.size())) {
      Shortage shortage = headroom.assign(user, demand.size(), demand.count());
      if (shortage != null && shortage != Shortage.USER) {
        headroom.exhaust();
      }
    }
  }

  private static Map<String, ResourceVector> amounts(List<Demand> demands) {
    Map<String, ResourceVector> amounts = new HashMap<>();
    for (Demand demand : demands) {
      amounts.merge(demand.partition(), demand.size().times(demand.count()), ResourceVector::plus);
    }
    return amounts;
  }

  /** The claims of all starting applications and of all that may start. */
  public Map<T, HeadroomClaim> claims() {
    return claims;
  }

  /** The shortage of the first application that may not start, by line. */
  public Map<String, Shortage> shortages() {
    return shortages;
  }
}
