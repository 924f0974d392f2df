// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.function.Predicate;

/**
 * A limit that containers have in common, and what is left below it: that of a queue, of one of its
 * parents, or of a user. Compared by identity.
 */
public final class RoomLimit {

  /** Null for a user. */
  private final ResourceVector free;
  /** Null for a queue. */
  private final Predicate<ResourceAmounts> isAbove;

  private RoomLimit(ResourceVector free, Predicate<ResourceAmounts> isAbove) {
    this.free = free;
    this.isAbove = isAbove;
  }

  /** The limit of a queue: a container has to fit below it. */
  public static RoomLimit ofQueue(ResourceVector free) {
    return new RoomLimit(free, null);
  }

  /**
   * The limit of a user: YARN allocates a container, which may exceed it, as long as the user is not above
   * it.
   *
   * @param isAbove whether the user is above it once so much is released
   */
  public static RoomLimit ofUser(Predicate<ResourceAmounts> isAbove) {
    return new RoomLimit(null, isAbove);
  }

  /**
   * Whether a container may be allocated.
   *
   * @param released what is released below the limit before
   */
  boolean admits(ResourceVector size, ResourceSum released) {
    return isAbove == null ? size.fitsInSum(free, released) : !isAbove.test(released);
  }
}
