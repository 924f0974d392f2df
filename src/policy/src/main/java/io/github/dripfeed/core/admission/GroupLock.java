// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Guards the lines, the slots and what decisions know of the attempts of a group of queues, or of one queue
 * alone. The scheduler and listeners are never called with it.
 */
final class GroupLock {

  private final AtomicLong decisions = new AtomicLong();

  /** The number of a new decision. A fact that is read for a number is known to all decisions up to it. */
  long nextDecision() {
    return decisions.incrementAndGet();
  }
}
