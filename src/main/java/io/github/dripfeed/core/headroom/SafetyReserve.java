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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How many of the largest containers would find room on the nodes if all that make progress had ended
 * and only drivers without executors were left.
 *
 * <p>Nobody can say on which nodes drivers will be placed. Wherever that is, each costs the room of at
 * most one of the largest containers; and together they cost no more than what they take of each type of
 * resource, spent where the least of it is enough. The smaller of the two is what is counted with.
 */
final class SafetyReserve {

  /** What the drivers take of one type, and what that can cost. */
  private static final class Type {
    final long largest;
    /** For each node, what has to be taken of it until it holds one less. */
    final List<Long> untilOneLess = new ArrayList<>();
    private boolean sorted;
    private int reached;
    private long left;

    Type(long largest) {
      this.largest = largest;
    }

    void take(long amount) {
      if (!sorted) {
        Collections.sort(untilOneLess);
        sorted = true;
      }
      left += amount;
      while (reached < untilOneLess.size() && left >= untilOneLess.get(reached)) {
        left -= untilOneLess.get(reached);
        reached++;
      }
    }

    long cost() {
      boolean everywhere = reached == untilOneLess.size();
      return reached + (everywhere && largest > 0 ? left / largest : 0);
    }
  }

  private final long[] largest;
  private final Type[] types;
  private long room;
  private long drivers;

  SafetyReserve(long[] largest) {
    this.largest = largest;
    this.types = new Type[largest.length];
    for (int type = 0; type < types.length; type++) {
      types[type] = new Type(largest[type]);
    }
  }

  /**
   * Adds a node; all of them before any driver.
   *
   * @param later what would be free of it if all that make progress had ended
   */
  void addNode(long[] later) {
    long count = howMany(later);
    room += count;
    for (int type = 0; type < types.length && count > 0; type++) {
      if (largest[type] > 0) {
        types[type].untilOneLess.add(later[type] - count * largest[type] + 1);
      }
    }
  }

  /** A driver that is no larger than the largest container is placed somewhere. */
  void place(long[] driver) {
    drivers++;
    for (int type = 0; type < types.length; type++) {
      types[type].take(driver[type]);
    }
  }

  /** How many of the largest containers there is room for, wherever the drivers are. */
  long count() {
    long cost = 0;
    for (Type type : types) {
      cost += type.cost();
    }
    return room - Math.min(drivers, cost);
  }

  private long howMany(long[] free) {
    long most = Long.MAX_VALUE;
    for (int type = 0; type < largest.length; type++) {
      if (largest[type] > 0) {
        most = Math.min(most, Math.max(0, free[type]) / largest[type]);
      }
    }
    return most == Long.MAX_VALUE ? 0 : most;
  }
}
