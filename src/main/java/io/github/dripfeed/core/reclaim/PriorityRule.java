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

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who has the higher priority takes from whoever has a lower one: from the lowest and newest first.
 */
final class PriorityRule implements Rule {

  private final List<Claimant> claimants;
  private final List<Holding> losable = new ArrayList<>();
  private final Comparator<Holding> preference;

  /** @param claimants in the order in which they are offered: by priority, then by submission */
  PriorityRule(List<Claimant> claimants) {
    this.claimants = claimants;
    Map<Claimant, Integer> place = new IdentityHashMap<>();
    for (Claimant claimant : claimants) {
      place.put(claimant, place.size());
      losable.addAll(claimant.losable);
    }
    preference = Comparator.<Holding, Boolean>comparing(holding -> !holding.asked)
        .thenComparing(holding -> -place.get(holding.owner))
        .thenComparing(holding -> holding.newer);
    losable.sort(preference);
  }

  @Override
  public void look(long[] pool) {
    // Priority is all that counts.
  }

  @Override
  public Claimant next() {
    for (Claimant claimant : claimants) {
      if (claimant.open() != null) {
        return claimant;
      }
    }
    return null;
  }

  @Override
  public boolean mayTake(Claimant claimant) {
    return true;
  }

  @Override
  public List<List<Holding>> candidates() {
    return Collections.singletonList(losable);
  }

  @Override
  public Comparator<Holding> preference() {
    return preference;
  }

  @Override
  public boolean allows(Request request, Holding holding) {
    return holding.owner.priority < request.claimant.priority;
  }

  @Override
  public boolean isBetter(Request request, List<Holding> taken) {
    return true;
  }

  @Override
  public boolean relax() {
    return false;
  }
}
