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
 * What the applications of a queue could still have in one partition. Used up as a plan goes on.
 *
 * <p>Beside what is free now it knows what would be free if all that make progress had ended and only
 * drivers without executors were left: the <em>reserve</em>. As long as one first stage of the largest
 * containers that the queue allows has room in it, somebody can always go on, however wrong every
 * estimate was.
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
  private boolean taken;

  /**
   * @param used what the queue has
   * @param free what it may have more
   * @param progress what of it applications have that have executors, and so will end
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
   * @param freeNow what nobody has of it
   * @param progress what the queue's applications have of it that have executors
   */
  public void addNode(long[] freeNow, long[] progress) {
    nodes.add(freeNow.clone());
    addReservedNode(freeNow, progress);
  }

  /** Adds a node on which nothing may be placed now: somebody has a reservation there. */
  public void addReservedNode(long[] freeNow, long[] progress) {
    reserve.addNode(ResourceVector.plus(freeNow, progress));
  }

  public void addUser(String name, UserHeadroom room) {
    users.put(name, room);
  }

  /** Whether a container of this size could ever be placed. */
  boolean isPossible(long[] size) {
    return ResourceVector.fits(size, largest);
  }

  /** Somebody who comes before asks for what cannot be had: nothing is left for others. */
  void take() {
    taken = true;
  }

  /**
   * Places containers, each on the node that has most free, as the heartbeats of all nodes in turn do.
   *
   * @return why not all could be placed, or null if they are
   */
  Shortage place(String user, long[] size, long count) {
    if (taken) {
      return Shortage.DEMAND;
    }
    UserHeadroom ofUser = users.get(user);
    if (ofUser == null) {
      // He came after all was taken down.
      return Shortage.USER;
    }
    for (long i = 0; i < count; i++) {
      if (!ResourceVector.fits(size, free)) {
        return Shortage.QUEUE;
      }
      if (!ofUser.has(size, used)) {
        return Shortage.USER;
      }
      if (!placeOnNode(size)) {
        return Shortage.NODES;
      }
      ResourceVector.subtract(free, size);
      ResourceVector.add(used, size);
      ofUser.take(size);
    }
    return null;
  }

  /**
   * Takes the room of a driver from what is there whatever the estimates are worth.
   *
   * @param executors of the largest size that have to find room in the rest
   * @return why they could not, or null if they could
   */
  Shortage keep(String user, long[] driver, int executors) {
    reserve.place(driver);
    ResourceVector.subtract(later, driver);
    // A user gets one container more as long as he is not above his limit.
    boolean enough = reserve.count() >= executors
        && ResourceVector.fits(ResourceVector.times(largest, executors), later)
        && users.get(user).keep(driver, ResourceVector.times(largest, executors - 1));
    return enough ? null : Shortage.RESERVE;
  }

  private boolean placeOnNode(long[] size) {
    List<long[]> looked = new ArrayList<>();
    boolean placed = false;
    while (!placed && !nodes.isEmpty() && nodes.peek()[0] >= size[0]) {
      long[] node = nodes.poll();
      if (ResourceVector.fits(size, node)) {
        ResourceVector.subtract(node, size);
        placed = true;
      }
      looked.add(node);
    }
    nodes.addAll(looked);
    return placed;
  }
}
