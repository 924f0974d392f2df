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
