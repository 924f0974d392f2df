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
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * Every attempt of a queue, held ones included, in order: a live, read-only view that sorts nothing.
 * Iteration is weakly consistent: an attempt that is added or removed meanwhile may or may not appear,
 * and one whose order key changes appears at least once.
 *
 * @param <T> the type that represents an application attempt
 */
final class OrderedAttempts<T> extends AbstractCollection<T> {

  private final Map<T, ?> known;
  private final ConcurrentNavigableMap<OrderKey, T> byKey;

  /**
   * @param known the same attempts, for look-ups
   * @param byKey the attempts by order key
   */
  OrderedAttempts(Map<T, ?> known, ConcurrentNavigableMap<OrderKey, T> byKey) {
    this.known = known;
    this.byKey = byKey;
  }

  @Override
  public Iterator<T> iterator() {
    return Collections.unmodifiableCollection(byKey.values()).iterator();
  }

  @Override
  public int size() {
    return known.size();
  }

  @Override
  public boolean contains(Object item) {
    return known.containsKey(item);
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
