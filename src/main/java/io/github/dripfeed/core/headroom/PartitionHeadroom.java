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

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
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

  private static final Comparator<ResourceSum> MOST_FREE_FIRST =
      Comparator.<ResourceSum>comparingLong(free -> free.get(0)).reversed();

  private final ResourceSum used;
  private final ResourceSum free;
  private final ResourceSum later;
  private final ResourceVector largest;
  private final SafetyReserve reserve;
  private final PriorityQueue<ResourceSum> nodes = new PriorityQueue<>(MOST_FREE_FIRST);
  private final Map<String, UserHeadroom> users = new HashMap<>();
  private boolean exhausted;

  /**
   * @param used the usage of the queue
   * @param free the headroom of the queue
   * @param progress the part of the usage that applications with executors hold, which will end
   * @param largest the largest container that the queue allows
   */
  public PartitionHeadroom(ResourceVector used, ResourceVector free, ResourceAmounts progress,
      ResourceVector largest) {
    this.used = new ResourceSum(used);
    this.free = new ResourceSum(free);
    this.later = new ResourceSum(free.plus(progress));
    this.largest = largest;
    this.reserve = new SafetyReserve(largest);
  }

  /**
   * Adds a node on which containers may be placed.
   *
   * @param freeNow the unallocated resources of the node
   * @param progress the resources that the queue's applications with executors hold on the node
   */
  public void addNode(ResourceVector freeNow, ResourceAmounts progress) {
    nodes.add(new ResourceSum(freeNow));
    addReservedNode(freeNow, progress);
  }

  /** Adds a node on which nothing can be placed now, because it is reserved. */
  public void addReservedNode(ResourceVector freeNow, ResourceAmounts progress) {
    reserve.addNode(freeNow.plus(progress));
  }

  public void addUser(String name, UserHeadroom headroom) {
    users.put(name, headroom);
  }

  /** Whether a container of this size could ever be placed. */
  boolean isPossible(ResourceVector size) {
    return size.fitsIn(largest);
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
  Shortage assign(String user, ResourceVector size, long count) {
    if (exhausted) {
      return Shortage.DEMAND;
    }
    UserHeadroom ofUser = users.get(user);
    if (ofUser == null) {
      // The user arrived after the usage was read.
      return Shortage.USER;
    }
    for (long i = 0; i < count; i++) {
      if (!size.fitsIn(free)) {
        return Shortage.QUEUE;
      }
      if (!ofUser.has(size, used)) {
        return Shortage.USER;
      }
      if (!assignToNode(size)) {
        return Shortage.NODES;
      }
      free.subtract(size);
      used.add(size);
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
  Shortage reserveForDriver(String user, ResourceVector driver, int executors) {
    reserve.addDriver(driver);
    later.subtract(driver);
    // YARN allocates one more container as long as the user is not above its limit.
    boolean enough = reserve.count() >= executors
        && largest.times(executors).fitsIn(later)
        && users.get(user).reserveForDriver(driver, largest.times(executors - 1));
    return enough ? null : Shortage.RESERVE;
  }

  private boolean assignToNode(ResourceVector size) {
    List<ResourceSum> visited = new ArrayList<>();
    boolean placed = false;
    while (!placed && !nodes.isEmpty() && nodes.peek().get(0) >= size.get(0)) {
      ResourceSum node = nodes.poll();
      if (size.fitsIn(node)) {
        node.subtract(size);
        placed = true;
      }
      visited.add(node);
    }
    nodes.addAll(visited);
    return placed;
  }
}
