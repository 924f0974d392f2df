/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

/**
 * The part of one queue in the {@link HeadroomLedger} of its scheduler. A queue that has not joined one has
 * a ledger without a plan. Safe for use by any thread.
 */
public final class HeadroomAccount {

  private volatile HeadroomLedger ledger = new HeadroomLedger();

  /** From now on the queue shares its headroom with those that have joined the same ledger. */
  public void join(HeadroomLedger shared) {
    if (ledger != shared) {
      ledger = shared;
    }
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
