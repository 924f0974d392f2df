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

/** A node on which containers may be placed. Compared by identity. */
public final class RoomNode {

  final ResourceVector free;
  private final Object reservedFor;

  /**
   * @param free what is not allocated on it
   * @param reservedFor the application for which the node is reserved; null if there is none
   */
  public RoomNode(ResourceVector free, Object reservedFor) {
    this.free = free;
    this.reservedFor = reservedFor;
  }

  boolean isOpenTo(Object application) {
    return reservedFor == null || reservedFor.equals(application);
  }
}
