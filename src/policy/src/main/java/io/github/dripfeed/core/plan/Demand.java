// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.resource.ResourceVector;

/**
 * Containers of one size that an application requests, or is expected to request, in one partition.
 * Immutable.
 */
public final class Demand {

  private final String partition;
  private final ResourceVector size;
  private final long count;

  /**
   * @param size size of one container, by resource type
   * @param count the number of containers; a number below 1 means none
   */
  public Demand(String partition, ResourceVector size, long count) {
    this.partition = partition;
    this.size = size;
    this.count = count;
  }

  public String partition() {
    return partition;
  }

  public ResourceVector size() {
    return size;
  }

  public long count() {
    return count;
  }

  /** The same number of containers of another size. */
  public Demand withSize(ResourceVector other) {
    return new Demand(partition, other, count);
  }

  /** The same demand with at most this number of containers. */
  public Demand atMost(long limit) {
    return count <= limit ? this : new Demand(partition, size, limit);
  }

  /** As many containers of the same size. */
  public Demand withCount(long number) {
    return new Demand(partition, size, number);
  }
}
