// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The attempts of a queue that are past {@link State#ACCEPTED}, by order key. YARN walks all of them at
 * every heartbeat of a node while the queue is full, and then nothing changes; so the second walk without a
 * change copies them into an array, which later walks use.
 *
 * <p>Safe for use by any thread. A walk is weakly consistent: it may or may not show a change that another
 * thread makes meanwhile, and may meet an attempt twice or not at all if its order key changes.
 */
final class AdmittedAttempts<T> {

  private final ConcurrentNavigableMap<OrderKey, T> byKey = new ConcurrentSkipListMap<>();
  /** Null after a change. */
  private volatile List<T> copy;
  private volatile boolean walked;

  synchronized void put(OrderKey key, T attempt) {
    byKey.put(key, attempt);
    changed();
  }

  synchronized void remove(OrderKey key) {
    if (byKey.remove(key) != null) {
      changed();
    }
  }

  private void changed() {
    walked = false;
    copy = null;
  }

  /** In order. */
  Iterator<T> iterator() {
    List<T> known = copy;
    if (known != null) {
      return known.iterator();
    }
    if (!walked) {
      walked = true;
      return byKey.values().iterator();
    }
    return copied().iterator();
  }

  @SuppressWarnings("unchecked")
  private synchronized List<T> copied() {
    if (copy == null) {
      copy = (List<T>) Arrays.asList(byKey.values().toArray());
    }
    return copy;
  }

  /** Appends every attempt with its order key, in order. */
  void addPlaces(List<Map.Entry<OrderKey, T>> places) {
    byKey.forEach((key, attempt) -> places.add(new AbstractMap.SimpleImmutableEntry<>(key, attempt)));
  }

  /** The attempt at this place, or the one right behind it; null if there is none. */
  T atOrBehind(OrderKey place) {
    Map.Entry<OrderKey, T> found = byKey.ceilingEntry(place);
    return found == null ? null : found.getValue();
  }

  /** In reverse order. */
  Collection<T> newestFirst() {
    return byKey.descendingMap().values();
  }
}
