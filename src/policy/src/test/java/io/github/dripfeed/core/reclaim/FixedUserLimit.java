// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.cluster.UserLimits;
import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceVector;

/** A user limit that nothing changes. */
final class FixedUserLimit {

  private FixedUserLimit() {
  }

  /** A user with this limit; above it the user gets no more containers. */
  static PlanUser user(ResourceVector limit) {
    UserLimits.QueueResources queue = new UserLimits.QueueResources(limit, limit, limit);
    return new PlanUser(new UserLimits(new DominantShare(limit), queue, ResourceVector.zero(limit.types()),
        100, -1), 1, true);
  }

  /** A user without a limit. */
  static PlanUser unlimited(int types) {
    return user(ResourceVector.of(types, type -> 1L << 40));
  }
}
