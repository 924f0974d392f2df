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

import io.github.dripfeed.core.Amounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How many of the largest containers would find room on the nodes if all that make progress had ended
 * and only drivers without executors were left. Nobody can say on which node a driver will be placed:
 * it is taken to be where it does most harm.
 */
final class Reserve {

  private final class Node {
    final long[] free;
    final long[] later;

    Node(long[] free, long[] later) {
      this.free = free.clone();
      this.later = later;
    }

    /** How far it is from holding one less, as a part of the largest container. */
    double slack() {
      long count = howMany(later);
      double slack = Double.MAX_VALUE;
      for (int type = 0; type < later.length; type++) {
        if (largest[type] > 0) {
          slack = Math.min(slack, (later[type] - count * largest[type]) / (double) largest[type]);
        }
      }
      return slack;
    }
  }

  private final long[] largest;
  private final PriorityQueue<Node> leastSlackFirst =
      new PriorityQueue<>(Comparator.comparingDouble(Node::slack));
  private long count;

  Reserve(long[] largest) {
    this.largest = largest;
  }

  /**
   * @param free what drivers may be placed in; nothing where a node is reserved
   * @param later what would be free if all that make progress had ended
   */
  void addNode(long[] free, long[] later) {
    count += howMany(later);
    leastSlackFirst.add(new Node(free, later));
  }

  /** A driver is placed where it does most harm. */
  void place(long[] driver) {
    List<Node> full = new ArrayList<>();
    Node worst = leastSlackFirst.poll();
    while (worst != null && !Amounts.fits(driver, worst.free)) {
      full.add(worst);
      worst = leastSlackFirst.poll();
    }
    leastSlackFirst.addAll(full);
    if (worst != null) {
      count -= howMany(worst.later);
      Amounts.subtract(worst.free, driver);
      Amounts.subtract(worst.later, driver);
      count += howMany(worst.later);
      leastSlackFirst.add(worst);
    }
  }

  /** How many of the largest containers there is room for. */
  long count() {
    return count;
  }

  private long howMany(long[] room) {
    long most = Long.MAX_VALUE;
    for (int type = 0; type < largest.length; type++) {
      if (largest[type] > 0) {
        most = Math.min(most, Math.max(0, room[type]) / largest[type]);
      }
    }
    return most == Long.MAX_VALUE ? 0 : most;
  }
}
