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

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what changes the lanes of a queue: an attempt is added or removed, or moves to another lane or to
 * another place in it. So a reader of all lanes learns whether it may have missed an attempt, or met one
 * twice.
 *
 * <p>Safe for use by any thread.
 */
final class QueueChanges {

  /** Returned instead of a number during a change. */
  static final long UNDER_WAY = -1;

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  void begin() {
    begun.incrementAndGet();
  }

  void end() {
    ended.incrementAndGet();
  }

  /** The number of changes, or {@link #UNDER_WAY}. If it is the same number later, nothing has changed. */
  long count() {
    long whole = ended.get();
    return begun.get() == whole ? whole : UNDER_WAY;
  }
}
