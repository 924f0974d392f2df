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
 * What is remembered of YARN's objects, of each for as long as YARN holds it.
 *
 * <p>Keyed weakly and by identity: attempts of a ResourceManager and of its successor in the same
 * process are equal without being the same (docs/design.md#attempts-are-equal-by-id). Safe for use by any
 * thread.
 *
 * @param <V> what is remembered; must not hold its key
 */
final class WeakIdentityMap<V> {

  private final ConcurrentMap<Key, V> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** What is remembered of the object: a new value if it is nothing yet. */
  V of(Object object, Supplier<V> newValue) {
    forgetCollected();
    return values.computeIfAbsent(new Key(object, collected), key -> newValue.get());
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
