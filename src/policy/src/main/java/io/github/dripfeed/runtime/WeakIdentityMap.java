// SPDX-License-Identifier: Apache-2.0
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

  private final ConcurrentMap<Stand, V> values = new ConcurrentHashMap<>();
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
    return values.get(new Probe(object));
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

  /** Stands for an object, and is equal to all that stand for the same one. */
  private interface Stand {

    /** Null once the object is collected. */
    Object object();
  }

  private static boolean areEqual(Stand one, Object other) {
    if (one == other) {
      return true;
    }
    Object object = other instanceof Stand ? one.object() : null;
    return object != null && object == ((Stand) other).object();
  }

  /** For a look-up, which needs no weak reference. */
  private static final class Probe implements Stand {

    private final Object object;

    Probe(Object object) {
      this.object = object;
    }

    @Override
    public Object object() {
      return object;
    }

    @Override
    public boolean equals(Object other) {
      return areEqual(this, other);
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }
  }

  private static final class Key extends WeakReference<Object> implements Stand {

    private final int hash;

    Key(Object object, ReferenceQueue<Object> collected) {
      super(object, collected);
      this.hash = System.identityHashCode(object);
    }

    @Override
    public Object object() {
      return get();
    }

    @Override
    public boolean equals(Object other) {
      return areEqual(this, other);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
