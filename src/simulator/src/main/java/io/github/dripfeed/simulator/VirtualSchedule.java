// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/** The future events in virtual time. Events of the same time run in the order of their creation. */
final class VirtualSchedule {

  private record Item(long at, long number, boolean routine, Runnable action)
      implements Comparable<Item> {
    @Override
    public int compareTo(Item other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
    }
  }

  private final VirtualTime time;
  private final PriorityQueue<Item> items = new PriorityQueue<>();
  private long numbers;
  /** The number of events that are not routine. */
  private int planned;
  private long lastPlannedAt;

  VirtualSchedule(VirtualTime time) {
    this.time = time;
  }

  long now() {
    return time.millis();
  }

  void after(long millis, Runnable action) {
    planned++;
    items.add(new Item(now() + millis, numbers++, false, action));
  }

  /** A recurring event that changes nothing by itself, such as a heartbeat. */
  void routine(long millis, Runnable action) {
    items.add(new Item(now() + millis, numbers++, true, action));
  }

  /** Whether any event but routine remains. */
  boolean hasPlans() {
    return planned > 0;
  }

  /** The time of the last such event. */
  long lastPlannedAt() {
    return lastPlannedAt;
  }

  /** Brings nearer what is planned, so that the first of it is at most this far away. */
  void skipQuiet(long mostMillis) {
    long first = items.stream().filter(item -> !item.routine).mapToLong(item -> item.at).min().orElse(0);
    long excess = first - now() - mostMillis;
    if (excess > 0) {
      List<Item> all = new ArrayList<>(items);
      items.clear();
      all.forEach(item -> items.add(item.routine ? item
          : new Item(item.at - excess, item.number, false, item.action)));
    }
  }

  /** Advances to the next event and runs it. */
  void next() {
    Item item = items.remove();
    time.setMillis(item.at);
    if (!item.routine) {
      planned--;
      lastPlannedAt = item.at;
    }
    item.action.run();
  }
}
