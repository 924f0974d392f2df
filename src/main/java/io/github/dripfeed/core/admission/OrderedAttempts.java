/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Every attempt of a queue, held ones included, in order; a read-only view. An iteration shows each attempt
 * that is in the queue when it begins, whatever changes meanwhile: a policy that takes over the queue must
 * miss none, and with fair shares an attempt may move to a place that the iteration has passed. So it walks
 * a copy in order. YARN walks a queue when a node comes or goes, or an operator does something; the copy is
 * used again unless something has changed.
 *
 * @param <T> the type that represents an application attempt
 */
final class OrderedAttempts<T> extends AbstractCollection<T> {

  private final Map<T, QueuedAttempt<T>> attempts;
  private final AdmissionLanes<T> lanes;
  private final CopyUntilChange<T> sorted = new CopyUntilChange<>();

  /**
   * @param attempts every attempt; each change is to be reported to {@link #changed}
   * @param lanes the same ones
   */
  OrderedAttempts(Map<T, QueuedAttempt<T>> attempts, AdmissionLanes<T> lanes) {
    this.attempts = attempts;
    this.lanes = lanes;
  }

  /** An attempt was added or removed, or its order key has changed. */
  void changed() {
    sorted.changed();
  }

  @Override
  public Iterator<T> iterator() {
    long changes = sorted.changes();
    List<T> known = sorted.of(changes);
    return (known == null ? sorted.keep(changes, sorted()) : known).iterator();
  }

  private Object[] sorted() {
    List<Map.Entry<OrderKey, T>> places = lanes.places();
    if (places == null || places.size() < attempts.size()) {
      places = unordered();
    }
    // Takes linear time for what is in order already.
    places.sort(Map.Entry.comparingByKey());
    Object[] items = new Object[places.size()];
    for (int i = 0; i < items.length; i++) {
      items[i] = places.get(i).getValue();
    }
    return items;
  }

  private List<Map.Entry<OrderKey, T>> unordered() {
    // With the keys of this moment: they must not change while they are compared.
    List<Map.Entry<OrderKey, T>> places = new ArrayList<>(attempts.size());
    for (QueuedAttempt<T> attempt : attempts.values()) {
      places.add(new AbstractMap.SimpleImmutableEntry<>(attempt.admittedAt(), attempt.item));
    }
    return places;
  }

  @Override
  public int size() {
    return attempts.size();
  }

  @Override
  public boolean contains(Object item) {
    return attempts.containsKey(item);
  }

  @Override
  public boolean remove(Object item) {
    throw new UnsupportedOperationException("only the queue removes an attempt");
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException("only the queue removes an attempt");
  }
}
