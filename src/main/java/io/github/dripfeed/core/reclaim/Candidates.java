/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.reclaim;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The containers that may be preempted: first those with a preemption notice, then the containers of one
 * application after the other. Nothing is copied, and an application is not visited before its turn.
 */
final class Candidates implements Iterator<PreemptibleContainer> {

  private final Iterator<PlanApplication> losers;
  private List<PreemptibleContainer> current;
  private int place;
  private boolean ofLosers;
  private PreemptibleContainer next;
  private long looked;

  /** @param from the first container with a notice that is not finally preempted */
  Candidates(List<PreemptibleContainer> asked, int from, Iterator<PlanApplication> losers) {

    this.current = asked;
    this.place = from;
    this.losers = losers;
    advance();
  }

  private void advance() {
    next = null;
    while (next == null) {
      looked++;
      if (place < current.size()) {
        PreemptibleContainer holding = current.get(place++);
        if (!holding.taken && !(ofLosers && holding.asked)) {
          next = holding;
        }
      } else if (losers.hasNext()) {
        PlanApplication loser = losers.next();
        current = loser.losable;
        place = loser.newest();
        ofLosers = true;
      } else {
        return;
      }
    }
  }

  /** How many containers and applications were looked at so far, also those that were left out. */
  long looked() {
    return looked;
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public PreemptibleContainer next() {
    if (next == null) {
      throw new NoSuchElementException();
    }
    PreemptibleContainer result = next;
    advance();
    return result;
  }

  /** The first container with a notice that is not finally preempted, at or after an index. */
  static int firstLeft(List<PreemptibleContainer> asked, int from) {
    int first = from;
    while (first < asked.size() && asked.get(first).gone) {
      first++;
    }
    return first;
  }
}
