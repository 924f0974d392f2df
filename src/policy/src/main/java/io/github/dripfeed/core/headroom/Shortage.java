// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

/** The reason why no further application may start beside those that are already starting. */
public enum Shortage {
  DEMAND("earlier applications have requested the free resources"),
  EXPECTED("the applications that have started are expected to want the free resources"),
  NODES("no node has what it and the starting applications are expected to need"),
  QUEUE("its queue or a parent queue has too little headroom for what it and the starting applications"
      + " are expected to need"),
  USER("its user's limit is lower than what it is expected to need"),
  RESERVE("room for the largest container that the queue allows must stay free");

  private final String reason;

  Shortage(String reason) {
    this.reason = reason;
  }

  /** The reason, as the second half of a sentence. */
  public String reason() {
    return reason;
  }
}
