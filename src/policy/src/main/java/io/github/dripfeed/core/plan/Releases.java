// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * What the applications of one queue gave back lately, by partition: the forecast of what comes free while
 * a driver starts up. Safe for use by any thread.
 */
public final class Releases {

  /** The forecast looks back so many times as far as ahead. */
  private static final int WINDOW = 4;
  /** What is released within such a time is one entry, in milliseconds. */
  private static final long STEP = 500;
  /** No window is longer, in milliseconds. */
  private static final long LONGEST = 1_200_000;

  private static final class Entry {
    final long step;
    final Map<String, ResourceSum> sums = new HashMap<>();

    Entry(long step) {
      this.step = step;
    }
  }

  private final Deque<Entry> entries = new ArrayDeque<>();

  /** A container in the partition has ended. */
  public synchronized void add(String partition, ResourceAmounts amounts, long now) {
    long step = Math.floorDiv(now, STEP);
    if (entries.isEmpty() || entries.peekLast().step != step) {
      entries.add(new Entry(step));
      while (entries.peekFirst().step < step - LONGEST / STEP) {
        entries.removeFirst();
      }
    }
    Map<String, ResourceSum> sums = entries.peekLast().sums;
    ResourceSum sum = sums.get(partition);
    if (sum == null || sum.types() != amounts.types()) {
      sum = new ResourceSum(amounts.types());
      sums.put(partition, sum);
    }
    sum.add(amounts);
  }

  /**
   * What usually comes free in the partition within a time.
   *
   * @param ahead the time, in milliseconds; nothing comes free within 0
   * @param types the number of resource types that count
   */
  public ResourceVector soon(String partition, long ahead, int types, long now) {
    return lately(partition, ahead, types, now).each(amount -> amount / WINDOW);
  }

  /** What came free in the partition within four times that time. */
  public synchronized ResourceVector lately(String partition, long ahead, int types, long now) {
    ResourceSum sum = new ResourceSum(types);
    long since = Math.floorDiv(now - Math.min(LONGEST, ahead * WINDOW), STEP);
    Iterator<Entry> newest = entries.descendingIterator();
    while (ahead > 0 && newest.hasNext()) {
      Entry entry = newest.next();
      if (entry.step < since) {
        break;
      }
      ResourceSum there = entry.sums.get(partition);
      if (there != null && there.types() == types) {
        sum.add(there);
      }
    }
    return sum.toVector();
  }
}
