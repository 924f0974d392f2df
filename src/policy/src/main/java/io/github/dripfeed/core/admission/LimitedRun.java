// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.HashSet;
import java.util.Set;

/**
 * How far all attempts behind one are of certain users, who were at their limit: there may be thousands.
 * The scheduler comes that way at every heartbeat, and passes them at once while no attempt is added to the
 * lane. Immutable.
 */
final class LimitedRun {

  private final Object laneVersion;
  private final Set<String> users;
  private final OrderKey end;
  private final boolean last;

  /**
   * @param laneVersion the version of the lane before the run was found
   * @param end the last attempt of the run
   * @param last whether no attempt was behind it
   */
  LimitedRun(Object laneVersion, Set<String> users, OrderKey end, boolean last) {
    this.laneVersion = laneVersion;
    this.users = new HashSet<>(users);
    this.end = end;
    this.last = last;
  }

  /** The end of the run; null if that is not known any more, or the run has users other than these. */
  OrderKey end(Object laneVersionNow, Set<String> ofThese) {
    return laneVersion == laneVersionNow && ofThese.containsAll(users) ? end : null;
  }

  /** Whether no attempt is behind a run whose end is still known. */
  boolean isLast() {
    return last;
  }
}
