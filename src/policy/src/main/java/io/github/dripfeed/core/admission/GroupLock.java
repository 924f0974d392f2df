// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The lock of a group of queues, or of one queue alone: of all that its attempts are, and hold. The
 * scheduler and listeners are never called with it.
 */
final class GroupLock {

  private final AtomicLong decisions = new AtomicLong();

  /** The number of a decision; what is read for it is known to all that began before. */
  long nextDecision() {
    return decisions.incrementAndGet();
  }
}
