/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
