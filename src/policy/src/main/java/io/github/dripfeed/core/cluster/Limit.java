// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.function.Predicate;

/**
 * A limit that containers have in common: that of a queue, of one of its parents, or of a user. Compared by
 * identity.
 */
@FunctionalInterface
public interface Limit {

  /**
   * Whether a container may be allocated.
   *
   * @param released what is released under this limit first
   */
  boolean admits(ResourceVector size, ResourceAmounts released);

  /** The limit of a queue: a container must fit into what it leaves. */
  static Limit ofQueue(ResourceVector free) {
    return (size, released) -> size.fitsInSum(free, released);
  }

  /**
   * The limit of a user: YARN allocates a container, which may exceed it, as long as the user is not above
   * it.
   *
   * @param isAbove whether the user is above it once so much is released
   */
  static Limit ofUser(Predicate<ResourceAmounts> isAbove) {
    return (size, released) -> !isAbove.test(released);
  }
}
