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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The headroom of a queue in one partition. It shrinks while a plan is made.
 *
 * <p>Beside the free resources it tracks the <em>reserve</em>: the resources that would be free if all
 * applications with executors had ended and only drivers without executors were left. As long as the
 * first executors of one application, in the largest containers that the queue allows, fit into the
 * reserve, some application can always go on, however wrong the estimates are.
 */
public final class PartitionHeadroom {

  private static final Comparator<long[]> MOST_FREE_FIRST =
      Comparator.<long[]>comparingLong(free -> free[0]).reversed();

  private final long[] used;
  private final long[] free;
  private final long[] later;
  private final long[] largest;
  private final SafetyReserve reserve;
  private final PriorityQueue<long[]> nodes = new PriorityQueue<>(MOST_FREE_FIRST);
  private final Map<String, UserHeadroom> users = new HashMap<>();
  private boolean exhausted;

  /**
   * @param used the usage of the queue
   * @param free the headroom of the queue
   * @param progress the part of the usage that applications with executors hold, which will end
   * @param largest the largest container that the queue allows
   */
  public PartitionHeadroom(long[] used, long[] free, long[] progress, long[] largest) {
    this.used = used.clone();
    this.free = free.clone();
    this.later = ResourceVector.plus(free, progress);
    this.largest = largest.clone();
    this.reserve = new SafetyReserve(this.largest);
  }

  /**
   * Adds a node on which containers may be placed.
   *
   * @param freeNow the unallocated resources of the node
   * @param progress the resources that the queue's applications with executors hold on the node
   */
  public void addNode(long[] freeNow, long[] progress) {
    nodes.add(freeNow.clone());
    addReservedNode(freeNow, progress);
  }

  /** Adds a node on which nothing can be placed now, because it is reserved. */
  public void addReservedNode(long[] freeNow, long[] progress) {
    reserve.addNode(ResourceVector.plus(freeNow, progress));
  }

  public void addUser(String name, UserHeadroom headroom) {
    users.put(name, headroom);
  }

  /** Whether a container of this size could ever be placed. */
  boolean isPossible(long[] size) {
    return ResourceVector.fits(size, largest);
  }

  /** An earlier application has demand that cannot be met, so nothing is left for others. */
  void exhaust() {
    exhausted = true;
  }

  /**
   * Assigns containers, each to the node with the most free resources, as allocation over the heartbeats
   * of all nodes does.
   *
   * @return why not all could be assigned, or null if all were
   */
  Shortage assign(String user, long[] size, long count) {
    if (exhausted) {
      return Shortage.DEMAND;
    }
    UserHeadroom ofUser = users.get(user);
    if (ofUser == null) {
      // The user arrived after the usage was read.
      return Shortage.USER;
    }
    for (long i = 0; i < count; i++) {
      if (!ResourceVector.fits(size, free)) {
        return Shortage.QUEUE;
      }
      if (!ofUser.has(size, used)) {
        return Shortage.USER;
      }
      if (!assignToNode(size)) {
        return Shortage.NODES;
      }
      ResourceVector.subtract(free, size);
      ResourceVector.add(used, size);
      ofUser.take(size);
    }
    return null;
  }

  /**
   * Reserves resources for a driver in the reserve, which does not depend on estimates.
   *
   * @param executors the number of executors of the largest size that must fit into the rest
   * @return why they do not fit, or null if they fit
   */
  Shortage reserveForDriver(String user, long[] driver, int executors) {
    reserve.addDriver(driver);
    ResourceVector.subtract(later, driver);
    // YARN allocates one more container as long as the user is not above its limit.
    boolean enough = reserve.count() >= executors
        && ResourceVector.fits(ResourceVector.times(largest, executors), later)
        && users.get(user).reserveForDriver(driver, ResourceVector.times(largest, executors - 1));
    return enough ? null : Shortage.RESERVE;
  }

  private boolean assignToNode(long[] size) {
    List<long[]> visited = new ArrayList<>();
    boolean placed = false;
    while (!placed && !nodes.isEmpty() && nodes.peek()[0] >= size[0]) {
      long[] node = nodes.poll();
      if (ResourceVector.fits(size, node)) {
        ResourceVector.subtract(node, size);
        placed = true;
      }
      visited.add(node);
    }
    nodes.addAll(visited);
    return placed;
  }
}
