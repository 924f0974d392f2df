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
 * Counts the moves of attempts between lanes and between places, so that a reader of all lanes learns
 * whether it may have missed one.
 *
 * <p>Safe for use by any thread.
 */
final class LaneMoves {

  /** Returned instead of a number while an attempt is moving. */
  static final long ONE_IS_MOVING = -1;

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  /** An attempt is about to be added to another lane. */
  void begin() {
    begun.incrementAndGet();
  }

  /** It was removed from the lane in which it was. */
  void end() {
    ended.incrementAndGet();
  }

  /** The number of moves, or {@link #ONE_IS_MOVING}. If it is the same later, none took place meanwhile. */
  long count() {
    long whole = ended.get();
    return begun.get() == whole ? whole : ONE_IS_MOVING;
  }
}
