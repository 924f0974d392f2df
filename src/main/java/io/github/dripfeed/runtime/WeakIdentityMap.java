/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.runtime;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Maps YARN's objects to values. An entry lives as long as YARN holds its key.
 *
 * <p>Keys are weak and compared by identity: attempts of a ResourceManager and of its successor in the
 * same process are equal without being the same object (docs/design.md#attempts-are-equal-by-id). Safe
 * for use by any thread.
 *
 * @param <V> the values; a value must not reference its key
 */
final class WeakIdentityMap<V> {

  private final ConcurrentMap<Key, V> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** The value of the object; creates one if there is none. */
  V of(Object object, Supplier<V> newValue) {
    Key key = new Key(object, collected);
    V known = find(key);
    return known == null ? values.computeIfAbsent(key, absent -> newValue.get()) : known;
  }

  /** The value of the object; null if there is none. */
  V get(Object object) {
    return find(new Key(object, collected));
  }

  private V find(Key key) {
    forgetCollected();
    return values.get(key);
  }

  int size() {
    forgetCollected();
    return values.size();
  }

  private void forgetCollected() {
    for (Reference<?> key = collected.poll(); key != null; key = collected.poll()) {
      values.remove(key);
    }
  }

  private static final class Key extends WeakReference<Object> {

    private final int hash;

    Key(Object object, ReferenceQueue<Object> collected) {
      super(object, collected);
      this.hash = System.identityHashCode(object);
    }

    @Override
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      if (!(other instanceof Key)) {
        return false;
      }
      Object object = get();
      return object != null && object == ((Key) other).get();
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
