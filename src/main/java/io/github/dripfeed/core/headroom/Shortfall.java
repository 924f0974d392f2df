// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

/** Why an attempt may not start beside those that are starting, and whose claims are in its way. */
public final class Shortfall {

  private final Shortage shortage;
  private final String parent;
  private final String claimant;

  public Shortfall(Shortage shortage) {
    this(shortage, null, null);
  }

  Shortfall(Shortage shortage, String parent, String claimant) {
    this.shortage = shortage;
    this.parent = parent;
    this.claimant = claimant;
  }

  public Shortage shortage() {
    return shortage;
  }

  /** The parent queue that has too little; null if it is the queue itself, or another reason. */
  public String parent() {
    return parent;
  }

  /** Another queue, whose starting applications claim room, too; null if none does. */
  public String claimant() {
    return claimant;
  }
}
