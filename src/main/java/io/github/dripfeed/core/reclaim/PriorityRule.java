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

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Applications of higher priority preempt those of lower priority: the lowest priority first, and the
 * newest first within it.
 */
final class PriorityRule implements ReclaimRule {

  private static final Comparator<PreemptibleContainer> PREFERENCE = (one, other) ->
      one.asked != other.asked
      ? Boolean.compare(other.asked, one.asked)
      : one.owner != other.owner ? Integer.compare(other.owner.index, one.owner.index)
          : Integer.compare(one.newer, other.newer);

  private final List<PlanApplication> claimants;
  private final List<PreemptibleContainer> asked = new ArrayList<>();
  private int firstAsked;
  /** Requests of the applications before this one cannot be met in this pass. */
  private int next;
  /** The applications behind this one have no more containers to preempt. */
  private int last;

  /** @param claimants in the order in which they are offered: by priority, then by submission */
  PriorityRule(List<PlanApplication> claimants) {
    this.claimants = claimants;
    for (int i = 0; i < claimants.size(); i++) {
      claimants.get(i).index = i;
    }
    // In the order of preference as it is.
    for (int i = claimants.size() - 1; i >= 0; i--) {
      for (PreemptibleContainer holding : claimants.get(i).losable) {
        if (holding.asked) {
          asked.add(holding);
        }
      }
    }
    last = claimants.size() - 1;
  }

  @Override
  public void look(ResourceVector pool) {
    // Priority is all that counts.
  }

  @Override
  public void start() {
    next = 0;
  }

  @Override
  public PlanApplication next() {
    for (; next < claimants.size(); next++) {
      if (claimants.get(next).open() != null) {
        return claimants.get(next);
      }
    }
    return null;
  }

  @Override
  public void changed(PlanAccount claimant) {
    // Priority is all that counts.
  }

  @Override
  public boolean mayTake(PlanApplication claimant) {
    return true;
  }

  @Override
  public boolean hasAsked() {
    firstAsked = Candidates.firstLeft(asked, firstAsked);
    return firstAsked < asked.size();
  }

  @Override
  public Candidates candidates(PlanRequest request, boolean onlyAsked) {
    firstAsked = Candidates.firstLeft(asked, firstAsked);
    if (onlyAsked) {
      return new Candidates(asked, firstAsked, Collections.emptyIterator());
    }
    while (last >= 0 && claimants.get(last).newest() == claimants.get(last).losable.size()) {
      last--;
    }
    return new Candidates(asked, firstAsked, new Iterator<PlanApplication>() {
      private int place = last;

      @Override
      public boolean hasNext() {
        return place >= 0 && claimants.get(place).priority < request.claimant.priority;
      }

      @Override
      public PlanApplication next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return claimants.get(place--);
      }
    });
  }

  @Override
  public Comparator<PreemptibleContainer> preference() {
    return PREFERENCE;
  }

  @Override
  public boolean allows(PlanRequest request, PreemptibleContainer holding) {
    return holding.owner.priority < request.claimant.priority;
  }

  @Override
  public boolean yields(PlanRequest request, PreemptibleContainer reservation) {
    return reservation.owner.priority < request.claimant.priority;
  }

  @Override
  public boolean isBetter(PlanRequest request, List<PreemptibleContainer> taken) {
    return true;
  }

  @Override
  public boolean relax() {
    return false;
  }
}
