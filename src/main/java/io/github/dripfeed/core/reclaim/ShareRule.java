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

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Applications below their fair share preempt those above theirs: the one farthest above its share first,
 * and its newest container first.
 *
 * <p>Containers are whole, and shares are not. No application is pushed below its share to lift another
 * above its own. Only for an application that has nothing, or that stays below its share even so, may
 * another fall below by a fraction of a container. Each step reduces the sum of squared deviations from
 * the shares, so preemption ends.
 */
final class ShareRule implements ReclaimRule {

  /** Tolerance, because shares are computed less exactly than containers are counted. */
  private static final double EXACT = 1e-6;

  /** What one had beyond its share when it was noted; it counts as long as it is still so. */
  private static final class Note {
    final PlanApplication claimant;
    final double excess;

    Note(PlanApplication claimant) {
      this.claimant = claimant;
      this.excess = claimant.excess;
    }
  }

  private final List<PlanApplication> claimants;
  private final DominantShare measure;
  private final double deadZone;
  private final List<PreemptibleContainer> asked = new ArrayList<>();
  private int firstAsked;
  /** Those who ask, the one with least first. */
  private final PriorityQueue<Note> takers = new PriorityQueue<>(
      Comparator.<Note>comparingDouble(note -> note.excess)
          .thenComparingInt(note -> note.claimant.index));
  /** Those who have more than they deserve, the one with most first. */
  private final TreeSet<PlanApplication> losers = new TreeSet<>(ShareRule::byExcess);
  private final Comparator<PreemptibleContainer> preference = (one, other) -> one.asked != other.asked
      ? Boolean.compare(other.asked, one.asked)
      : one.owner == other.owner ? Integer.compare(one.newer, other.newer)
          : byExcess(one.owner, other.owner);
  private double smallest = Double.MAX_VALUE;
  private boolean relaxed;

  /** @param deadZone by what part of its share one may be off without anything being done about it */
  ShareRule(List<PlanApplication> claimants, DominantShare measure, double deadZone) {
    this.claimants = claimants;
    this.measure = measure;
    this.deadZone = deadZone;
    for (int i = 0; i < claimants.size(); i++) {
      claimants.get(i).index = i;
      findSmallest(claimants.get(i));
      smallest = Math.min(smallest, claimants.get(i).smallest);
    }
  }

  /** Who has most beyond its share first. */
  private static int byExcess(PlanAccount one, PlanAccount other) {
    int order = Double.compare(other.excess, one.excess);
    return order == 0 ? Integer.compare(one.index, other.index) : order;
  }

  private void findSmallest(PlanApplication claimant) {
    claimant.smallest = Double.MAX_VALUE;
    ResourceVector last = null;
    for (PreemptibleContainer holding : claimant.losable) {
      // Most are of one size.
      if (!holding.size.equals(last)) {
        last = holding.size;
        claimant.smallest = Math.min(claimant.smallest, measure.of(last));
      }
      if (holding.asked) {
        asked.add(holding);
      }
    }
  }

  @Override
  public void look(ResourceVector pool) {
    MaxMinShares.tell(claimants, measure, pool);
    for (PlanApplication claimant : claimants) {
      claimant.isOff = isOff(claimant, measure.of(claimant.held));
    }
  }

  @Override
  public void start() {
    takers.clear();
    losers.clear();
    for (PlanApplication claimant : claimants) {
      claimant.excess = 0;
      claimant.user.excess = 0;
    }
    for (PlanApplication claimant : claimants) {
      note(claimant);
    }
    asked.sort(preference);
    firstAsked = 0;
  }

  private void note(PlanApplication claimant) {
    double excess = excess(claimant);
    claimant.user.excess += excess - claimant.excess;
    claimant.excess = excess;
    if (isOver(claimant) && claimant.newest() < claimant.losable.size()) {
      losers.add(claimant);
    }
    if (claimant.open() != null) {
      takers.add(new Note(claimant));
    }
  }

  @Override
  public void changed(PlanAccount account) {
    PlanApplication claimant = claimants.get(account.index);
    losers.remove(claimant);
    note(claimant);
  }

  @Override
  public PlanApplication next() {
    while (!takers.isEmpty()) {
      Note first = takers.peek();
      if (Double.compare(first.excess, first.claimant.excess) == 0
          && first.claimant.open() != null) {
        return first.claimant;
      }
      takers.poll();
    }
    return null;
  }

  @Override
  public boolean mayTake(PlanApplication claimant) {
    return isShort(claimant);
  }

  @Override
  public boolean hasAsked() {
    firstAsked = Candidates.firstLeft(asked, firstAsked);
    return firstAsked < asked.size();
  }

  @Override
  public Candidates candidates(PlanRequest request, boolean onlyAsked) {
    if (relaxed && !isShortEvenWith(request)) {
      return new Candidates(Collections.emptyList(), 0, Collections.emptyIterator());
    }
    firstAsked = Candidates.firstLeft(asked, firstAsked);
    return new Candidates(asked, firstAsked,
        onlyAsked ? Collections.emptyIterator() : new Losers(request));
  }

  /** Those from whom something might be taken, without those from whom it certainly may not. */
  private final class Losers implements Iterator<PlanApplication> {

    private final Iterator<PlanApplication> all = losers.iterator();
    /** How much farther from its share the taker is with what it asks for, squared. */
    private final double change;
    /** How many containers it may take to make room for it. */
    private final double containers;
    private PlanApplication next;

    Losers(PlanRequest request) {
      PlanAccount taker = request.claimant;
      double with = measure.ofSum(taker.held, request.size) - taker.share;
      double without = excess(taker);
      change = with * with - without * without;
      containers = Math.max(1, Math.ceil(measure.of(request.size) / smallest));
      advance();
    }

    private void advance() {
      next = null;
      while (next == null && all.hasNext()) {
        PlanApplication loser = all.next();
        if (!isWorth(loser.excess)) {
          // Those that follow have still less.
          return;
        }
        if (relaxed || !measure.addsUp() || loser.excess >= loser.smallest * (1 - EXACT)) {
          next = loser;
        }
      }
    }

    /** Whether taking from one with so much could bring things closer to the shares at all. */
    private boolean isWorth(double excess) {
      if (!relaxed && measure.addsUp() && excess < smallest * (1 - EXACT)) {
        return false;
      }
      double gain = measure.addsUp() && smallest >= excess
          ? smallest * (smallest - 2 * excess) : -excess * excess;
      return change + containers * Math.min(0, gain) < 0;
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public PlanApplication next() {
      if (next == null) {
        throw new NoSuchElementException();
      }
      PlanApplication result = next;
      advance();
      return result;
    }
  }

  @Override
  public Comparator<PreemptibleContainer> preference() {
    return preference;
  }

  @Override
  public boolean allows(PlanRequest request, PreemptibleContainer holding) {
    PlanAccount taker = request.claimant;
    PlanAccount loser = holding.owner;
    if (!isShort(taker) || !isOver(loser) || !(loser.isOff || taker.isOff && !isPutOff(request))) {
      return false;
    }
    double left = measure.ofDifference(loser.held, holding.size);
    return left >= loser.share * (1 - EXACT)
        || relaxed && isShortEvenWith(request) && !wouldTakeElsewhere(taker, loser);
  }

  /**
   * Whether one below its share would find another with a container too many: what is taken from it for
   * one who can use some nodes only would then be made good at the cost of a third, again and again.
   */
  private boolean wouldTakeElsewhere(PlanAccount taker, PlanAccount loser) {
    if (taker.held.isZero()) {
      return false;
    }
    for (PlanApplication other : losers) {
      if (other != loser) {
        return other.excess >= smallest * (1 - EXACT);
      }
    }
    return false;
  }

  @Override
  public boolean yields(PlanRequest request, PreemptibleContainer reservation) {
    return isShort(request.claimant) && !isShort(reservation.owner);
  }

  @Override
  public boolean isBetter(PlanRequest request, List<PreemptibleContainer> taken) {
    PlanAccount taker = request.claimant;
    double change = square(taker, measure.ofSum(taker.held, request.size))
        - square(taker, measure.of(taker.held));
    double more = measure.ofSum(taker.held, request.size) - taker.share - taker.excess;
    boolean any = false;
    boolean ofOthers = false;
    for (int i = 0; i < taken.size(); i++) {
      PlanAccount loser = taken.get(i).owner;
      if (!taken.get(i).isReservation()) {
        any = true;
        ofOthers |= loser.user != taker.user;
        more -= loser.user == taker.user ? measure.of(taken.get(i).size) : 0;
        if (isFirstOf(loser, taken, i)) {
          change += square(loser, measure.of(loser.held))
              - square(loser, measure.of(before(loser, taken)));
        }
      }
    }
    double size = measure.of(request.size);
    return !any || change < -size * size * EXACT && (!ofOthers || isBetterForUser(taker, more));
  }

  /** Another user loses nothing for one whose applications have all that they deserve together. */
  private static boolean isBetterForUser(PlanAccount taker, double more) {
    return taker.held.isZero()
        || Math.abs(taker.user.excess + more) < Math.abs(taker.user.excess) + EXACT;
  }

  private static boolean isFirstOf(PlanAccount loser, List<PreemptibleContainer> taken, int place) {
    for (int i = 0; i < place; i++) {
      if (taken.get(i).owner == loser && !taken.get(i).isReservation()) {
        return false;
      }
    }
    return true;
  }

  private static ResourceSum before(PlanAccount loser, List<PreemptibleContainer> taken) {
    ResourceSum before = new ResourceSum(loser.held);
    for (PreemptibleContainer holding : taken) {
      if (holding.owner == loser && !holding.isReservation()) {
        before.add(holding.size);
      }
    }
    return before;
  }

  @Override
  public boolean relax() {
    relaxed = !relaxed;
    return relaxed;
  }

  private double excess(PlanAccount claimant) {
    return measure.of(claimant.held) - claimant.share;
  }

  private boolean isOver(PlanAccount claimant) {
    return excess(claimant) > claimant.share * EXACT;
  }

  private boolean isShort(PlanAccount claimant) {
    return excess(claimant) < -claimant.share * EXACT;
  }

  private boolean isShortEvenWith(PlanRequest request) {
    PlanAccount taker = request.claimant;
    return taker.held.isZero()
        || measure.ofSum(taker.held, request.size) < taker.share * (1 - EXACT);
  }

  /**
   * Whether granting the request would push an application that is now within the dead zone out of it
   * again.
   */
  private boolean isPutOff(PlanRequest request) {
    PlanAccount taker = request.claimant;
    return !isOff(taker, measure.of(taker.held))
        && isOff(taker, measure.ofSum(taker.held, request.size));
  }

  private boolean isOff(PlanAccount claimant, double held) {
    return Math.abs(held - claimant.share) > claimant.share * (deadZone + EXACT);
  }

  private static double square(PlanAccount claimant, double held) {
    double off = held - claimant.share;
    return off * off;
  }
}
