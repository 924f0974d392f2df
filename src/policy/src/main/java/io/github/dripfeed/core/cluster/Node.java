// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.resource.ResourceVector;

/** A node on which containers may be placed. Compared by identity. */
public final class Node {

  final ResourceVector free;
  private final Object reservedFor;
  private final boolean yields;

  /**
   * @param free what is not allocated on it
   * @param reservedFor the application for which the node is reserved; null if there is none
   */
  public Node(ResourceVector free, Object reservedFor) {
    this(free, reservedFor, false);
  }

  private Node(ResourceVector free, Object reservedFor, boolean yields) {
    this.free = free;
    this.reservedFor = reservedFor;
    this.yields = yields;
  }

  /** The same node, whose reservation is given up as soon as anything ends for a requested container. */
  public Node yielding() {
    return new Node(free, reservedFor, true);
  }

  boolean isOpenTo(Object application) {
    return reservedFor == null || reservedFor.equals(application);
  }

  /** Whether it is open to others once a container of the application has ended. */
  boolean opensAfter(Object application) {
    return yields || isOpenTo(application);
  }
}
