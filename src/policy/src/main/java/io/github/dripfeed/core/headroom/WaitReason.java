// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.wire.Wire.Wait;

/** Why the next attempt of a line waits, and with it the attempts behind it. Immutable. */
public final class WaitReason {

  private final Wait code;
  private final String parent;
  private final String claimant;

  public WaitReason(Wait code) {
    this(code, null, null);
  }

  WaitReason(Wait code, String parent, String claimant) {
    this.code = code;
    this.parent = parent;
    this.claimant = claimant;
  }

  public Wait code() {
    return code;
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
