// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

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
    V known = get(object);
    return known == null
        ? values.computeIfAbsent(new Key(object, collected), absent -> newValue.get()) : known;
  }

  /** The value of the object; null if there is none. */
  V get(Object object) {
    forgetCollected();
    return values.get(new Key(object, null));
  }

  int size() {
    forgetCollected();
    return values.size();
  }

  Stream<Object> keys() {
    return values.keySet().stream().map(Key::get).filter(Objects::nonNull);
  }

  private void forgetCollected() {
    for (Reference<?> key = collected.poll(); key != null; key = collected.poll()) {
      values.remove(key);
    }
  }

  /** Equal to all keys of the same object; once that is collected, to itself alone. */
  private static final class Key extends WeakReference<Object> {

    private final int hash;

    /** @param collected learns that the object is collected; null for a look-up */
    Key(Object object, ReferenceQueue<Object> collected) {
      super(object, collected);
      this.hash = System.identityHashCode(object);
    }

    @Override
    public boolean equals(Object other) {
      Object object = get();
      return this == other
          || object != null && other instanceof Key && object == ((Key) other).get();
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
