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

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A copy of the attempts of a collection, which is used until the collection changes.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class CopyUntilChange<T> {

  private static final class Copy<T> {
    final long changes;
    final List<T> attempts;

    @SuppressWarnings("unchecked")
    Copy(long changes, Object[] attempts) {
      this.changes = changes;
      this.attempts = (List<T>) Arrays.asList(attempts);
    }
  }

  /** Counted after each change, so a copy of the current count has every change that was counted. */
  private final AtomicLong changes = new AtomicLong();
  /** Null after a change: it must not keep attempts in memory that were removed. */
  private volatile Copy<T> copy;

  /** To be called after each change of the collection. */
  void changed() {
    changes.incrementAndGet();
    if (copy != null) {
      copy = null;
    }
  }

  /** The number of changes; to be read before the collection is copied. */
  long changes() {
    return changes.get();
  }

  /** The copy with this number of changes, or null. Its iterators are read-only. */
  List<T> of(long now) {
    Copy<T> known = copy;
    return known != null && known.changes == now ? known.attempts : null;
  }

  /**
   * Keeps a copy.
   *
   * @param before the number of changes before it was made
   * @return the same attempts, also if the collection has changed meanwhile
   */
  List<T> keep(long before, Object[] attempts) {
    Copy<T> made = new Copy<>(before, attempts);
    copy = made;
    if (changes.get() != before) {
      copy = null;
    }
    return made.attempts;
  }
}
