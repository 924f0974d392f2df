// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import java.util.Objects;

/** A driver that could be taken back, and the room that it holds. Immutable. */
public final class Loss {

  final Object application;
  final RoomNode node;
  final ResourceVector driver;
  final ResourceVector held;
  final List<RoomLimit> limits;

  /**
   * @param application identifies the application
   * @param node the node of its driver
   * @param held what it uses below its limits: its driver, and what is reserved for it
   * @param limits those of its queue, of the queue's parents, and of its user; not copied
   */
  public Loss(Object application, RoomNode node, ResourceVector driver, ResourceVector held,
      List<RoomLimit> limits) {
    this.application = Objects.requireNonNull(application);
    this.node = node;
    this.driver = driver;
    this.held = held;
    this.limits = limits;
  }

  /** Identifies the application. */
  public Object application() {
    return application;
  }
}
