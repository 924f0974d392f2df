/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import io.github.dripfeed.VirtualTime;
import java.util.Comparator;
import java.util.PriorityQueue;

/** What is to happen when, in virtual time. What is due at the same time happens in the order of coming. */
final class Agenda {

  /** Something to happen; it may be called off. */
  static final class Item {
    private final long at;
    private final long number;
    private final boolean routine;
    private Runnable action;

    private Item(long at, long number, boolean routine, Runnable action) {
      this.at = at;
      this.number = number;
      this.routine = routine;
      this.action = action;
    }
  }

  private final VirtualTime time;
  private final PriorityQueue<Item> items = new PriorityQueue<>(
      Comparator.<Item>comparingLong(item -> item.at).thenComparingLong(item -> item.number));
  private long numbers;
  /** How many of them will change something by themselves. */
  private int planned;

  Agenda(VirtualTime time) {
    this.time = time;
  }

  long now() {
    return time.millis();
  }

  Item after(long millis, Runnable action) {
    planned++;
    return add(now() + millis, false, action);
  }

  /** Something that comes again and again, and by itself changes nothing: a heartbeat, a look. */
  void routine(long millis, Runnable action) {
    add(now() + millis, true, action);
  }

  private Item add(long at, boolean routine, Runnable action) {
    Item item = new Item(at, numbers++, routine, action);
    items.add(item);
    return item;
  }

  void callOff(Item item) {
    if (item != null && item.action != null) {
      item.action = null;
      planned--;
    }
  }

  /** Whether anything will happen but for routine. */
  boolean hasPlans() {
    return planned > 0;
  }

  /** Goes on to the next thing to happen, and lets it. */
  void next() {
    Item item = items.remove();
    if (item.action != null) {
      time.setMillis(item.at);
      if (!item.routine) {
        planned--;
      }
      Runnable action = item.action;
      item.action = null;
      action.run();
    }
  }
}
