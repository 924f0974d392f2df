// SPDX-License-Identifier: Apache-2.0
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
