/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import io.github.dripfeed.core.History;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The histories of all application attempts in this process, each for as long as its attempt is held
 * by YARN.
 *
 * <p>Keyed weakly and by identity: attempts of a ResourceManager and of its successor in the same
 * process are equal without being the same (contract, fact 16). Safe for use by any thread.
 */
final class Histories {

  private final ConcurrentMap<Key, History> histories = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** The history of the attempt, a new one starting now if there is none. */
  History of(Object attempt, long now) {
    forgetCollected();
    return histories.computeIfAbsent(new Key(attempt, collected), key -> new History(now));
  }

  int size() {
    forgetCollected();
    return histories.size();
  }

  private void forgetCollected() {
    for (Reference<?> key = collected.poll(); key != null; key = collected.poll()) {
      histories.remove(key);
    }
  }

  private static final class Key extends WeakReference<Object> {

    private final int hash;

    Key(Object attempt, ReferenceQueue<Object> collected) {
      super(attempt, collected);
      this.hash = System.identityHashCode(attempt);
    }

    @Override
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      if (!(other instanceof Key)) {
        return false;
      }
      Object attempt = get();
      return attempt != null && attempt == ((Key) other).get();
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
