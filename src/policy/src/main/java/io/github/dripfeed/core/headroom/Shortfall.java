// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

/** Why an attempt may not start beside those that are starting, and whose claims are in its way. */
public final class Shortfall {

  private final Shortage shortage;
  private final String detail;

  /** @param detail the continuation of the reason; may be empty */
  public Shortfall(Shortage shortage, String detail) {
    this.shortage = shortage;
    this.detail = detail;
  }

  public Shortage shortage() {
    return shortage;
  }

  /** The reason, as the second half of a sentence. */
  public String reason() {
    return shortage.reason() + detail;
  }
}
