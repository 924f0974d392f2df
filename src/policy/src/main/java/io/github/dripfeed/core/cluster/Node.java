// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.resource.ResourceVector;

/** A node on which containers may be placed. Compared by identity. */
public final class Node {

  final ResourceVector free;
  private final Object reservedFor;

  /**
   * @param free what is not allocated on it
   * @param reservedFor the application for which the node is reserved; null if there is none
   */
  public Node(ResourceVector free, Object reservedFor) {
    this.free = free;
    this.reservedFor = reservedFor;
  }

  boolean isOpenTo(Object application) {
    return reservedFor == null || reservedFor.equals(application);
  }
}
