// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceVector;

/**
 * The current headroom of one level of the queue hierarchy: how much it may allocate beyond its usage.
 * Called by scheduling threads, outside any lock of this package.
 */
public interface Headroom {

  /**
   * Whether it has headroom for the amounts in the partition.
   *
   * @param amounts by resource type
   */
  boolean has(String partition, ResourceVector amounts);
}
