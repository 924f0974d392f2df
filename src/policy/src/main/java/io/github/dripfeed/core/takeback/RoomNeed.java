// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import java.util.Objects;

/**
 * What an application waits for: one container of a size, below the limits that apply to it. Immutable.
 */
public final class RoomNeed {

  final Object application;
  final ResourceVector size;
  final ResourceVector reserved;
  final List<RoomLimit> limits;

  /**
   * @param application identifies the application
   * @param size the size of the container
   * @param reserved what is reserved for the application, and counts as used below its limits
   * @param limits those of its queue, of the queue's parents, and of its user; not copied
   */
  public RoomNeed(
      Object application, ResourceVector size, ResourceVector reserved, List<RoomLimit> limits) {
    this.application = Objects.requireNonNull(application);
    this.size = size;
    this.reserved = reserved;
    this.limits = limits;
  }
}
