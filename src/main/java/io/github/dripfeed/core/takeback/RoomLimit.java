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

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/**
 * A limit that containers have in common, and what is left below it: that of a queue, of one of its
 * parents, or of a user. Compared by identity.
 */
public final class RoomLimit {

  private final ResourceVector free;
  /** Whether one container may exceed it, as YARN allows it for a user that is not above its limit. */
  private final boolean isExceedable;

  private RoomLimit(ResourceVector free, boolean isExceedable) {
    this.free = free;
    this.isExceedable = isExceedable;
  }

  /** The limit of a queue: a container has to fit below it. */
  public static RoomLimit ofQueue(ResourceVector free) {
    return new RoomLimit(free, false);
  }

  /** The limit of a user: YARN allocates a container as long as the user is not above it. */
  public static RoomLimit ofUser(ResourceVector free) {
    return new RoomLimit(free, true);
  }

  /**
   * Whether a container may be allocated.
   *
   * @param released what is released below the limit before
   */
  boolean admits(ResourceVector size, ResourceSum released) {
    ResourceVector left = free.plus(released);
    return isExceedable ? ResourceVector.zero(left.types()).fitsIn(left) : size.fitsIn(left);
  }
}
