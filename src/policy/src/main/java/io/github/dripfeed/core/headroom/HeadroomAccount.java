// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

/**
 * The part of one queue in the {@link HeadroomLedger} of its scheduler. A queue that has not joined one has
 * a ledger without a plan. Safe for use by any thread.
 */
public final class HeadroomAccount {

  private volatile HeadroomLedger ledger = new HeadroomLedger();

  /** From now on the queue shares its headroom with those that have joined the same ledger. */
  public void join(HeadroomLedger shared) {
    ledger = shared;
  }

  public HeadroomLedger ledger() {
    return ledger;
  }

  /**
   * Whether a free slot has to wait: see {@link HeadroomLedger#holdsSlots}.
   *
   * @param next the claim of the next attempt; may be null
   */
  public boolean holdsSlot(String partition, HeadroomClaim next, long now) {
    HeadroomLedger current = ledger;
    return current.holdsSlots(this, partition, now) && !current.isExpected(next);
  }
}
