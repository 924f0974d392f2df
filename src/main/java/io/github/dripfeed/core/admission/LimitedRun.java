/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
