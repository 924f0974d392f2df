// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import java.util.Objects;

/** A container that an application requests, or one that it holds and could lose. Immutable. */
public final class Container {

  public final Object application;
  public final ResourceVector size;
  final Node node;
  final ResourceVector reserved;
  final List<Limit> limits;

  /**
   * @param application identifies the application attempt
   * @param node the node of a container that it holds; null for a request
   * @param reserved what is reserved for the application, counts as used below its limits, and ends with it
   * @param limits those of its queue, of the queue's parents, and of its user; not copied
   */
  public Container(Object application, ResourceVector size, Node node, ResourceVector reserved,
      List<Limit> limits) {
    this.application = Objects.requireNonNull(application);
    this.size = size;
    this.node = node;
    this.reserved = reserved;
    this.limits = limits;
  }

  /** Whether it counts below the limit. */
  public boolean isBelow(Limit limit) {
    return limits.contains(limit);
  }
}
