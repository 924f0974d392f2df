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

import io.github.dripfeed.core.Amounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who has less than it deserves takes from whoever has more, from the one with most beyond its share
 * first, and of that the newest.
 *
 * <p>Containers are whole, and shares are not. Nobody falls below its share for one who would get
 * beyond its own; only for one who has nothing, or stays short even so, may another fall below by a
 * part of one. Each step brings what is held closer to the shares, in the sum of squares, and that is
 * why it comes to rest.
 */
final class ShareRule implements Rule {

  /** Shares are told less exactly than containers are counted. */
  private static final double EXACT = 1e-6;

  private final List<Claimant> claimants;
  private final Measure measure;
  private final double deadZone;
  private boolean relaxed;

  /** @param deadZone by what part of its share one may be off without anything being done about it */
  ShareRule(List<Claimant> claimants, Measure measure, double deadZone) {
    this.claimants = claimants;
    this.measure = measure;
    this.deadZone = deadZone;
  }

  @Override
  public void look(long[] pool) {
    Shares.tell(claimants, measure, pool);
    for (Claimant claimant : claimants) {
      claimant.isOff = isOff(claimant, claimant.held);
    }
  }

  @Override
  public Claimant next() {
    Claimant next = null;
    for (Claimant claimant : claimants) {
      if (claimant.open() != null && (next == null || excess(claimant) < excess(next))) {
        next = claimant;
      }
    }
    return next;
  }

  @Override
  public boolean mayTake(Claimant claimant) {
    return isShort(claimant);
  }

  @Override
  public List<List<Holding>> candidates() {
    List<Claimant> over = new ArrayList<>(claimants);
    over.removeIf(claimant -> !isOver(claimant));
    List<Holding> asked = new ArrayList<>();
    for (Claimant claimant : over) {
      claimant.losable.stream().filter(holding -> holding.asked).forEach(asked::add);
    }
    over.sort(Comparator.comparing(claimant -> -excess(claimant)));
    List<List<Holding>> candidates = new ArrayList<>();
    candidates.add(asked);
    over.forEach(claimant -> candidates.add(claimant.losable));
    return candidates;
  }

  @Override
  public Comparator<Holding> preference() {
    return Comparator.<Holding, Boolean>comparing(holding -> !holding.asked)
        .thenComparing(holding -> -excess(holding.owner))
        .thenComparing(holding -> holding.newer);
  }

  @Override
  public boolean allows(Request request, Holding holding) {
    Claimant taker = request.claimant;
    Claimant loser = holding.owner;
    if (!isShort(taker) || !isOver(loser) || !(loser.isOff || taker.isOff && !isPutOff(request))) {
      return false;
    }
    double left = measure.of(Amounts.minus(loser.held, holding.size));
    return left >= loser.share * (1 - EXACT) || relaxed && isShortEvenWith(request);
  }

  @Override
  public boolean isBetter(Request request, List<Holding> taken) {
    Map<Claimant, long[]> before = new IdentityHashMap<>();
    for (Holding holding : taken) {
      Amounts.add(before.computeIfAbsent(holding.owner, owner -> owner.held.clone()), holding.size);
    }
    Claimant taker = request.claimant;
    double change = square(taker, Amounts.plus(taker.held, request.size)) - square(taker, taker.held);
    for (Map.Entry<Claimant, long[]> loser : before.entrySet()) {
      change += square(loser.getKey(), loser.getKey().held)
          - square(loser.getKey(), loser.getValue());
    }
    double size = measure.of(request.size);
    return taken.isEmpty() || change < -size * size * EXACT;
  }

  @Override
  public boolean relax() {
    relaxed = !relaxed;
    return relaxed;
  }

  private double excess(Claimant claimant) {
    return measure.of(claimant.held) - claimant.share;
  }

  private boolean isOver(Claimant claimant) {
    return excess(claimant) > claimant.share * EXACT;
  }

  private boolean isShort(Claimant claimant) {
    return excess(claimant) < -claimant.share * EXACT;
  }

  private boolean isShortEvenWith(Request request) {
    Claimant taker = request.claimant;
    return Amounts.isZero(taker.held)
        || measure.of(Amounts.plus(taker.held, request.size)) < taker.share * (1 - EXACT);
  }

  /** Whether who is no longer off by more than the dead zone would be so again, by having too much. */
  private boolean isPutOff(Request request) {
    Claimant taker = request.claimant;
    return !isOff(taker, taker.held) && isOff(taker, Amounts.plus(taker.held, request.size));
  }

  private boolean isOff(Claimant claimant, long[] held) {
    return Math.abs(measure.of(held) - claimant.share) > claimant.share * (deadZone + EXACT);
  }

  private double square(Claimant claimant, long[] held) {
    double off = measure.of(held) - claimant.share;
    return off * off;
  }
}
