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
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Where containers can be placed: the nodes, what the queue may still have, and what users may. Finds
 * what has to be taken so that a request can be placed, and never more. Used by one thread.
 */
public final class Space {

  private final List<Node> nodes;
  private final long[] headroom;
  private final Measure measure;
  private final Set<Node> takenFrom = new LinkedHashSet<>();

  /**
   * @param headroom what the queue could have more than its applications hold, by type of resource
   */
  public Space(List<Node> nodes, long[] headroom, Measure measure) {
    this.nodes = nodes;
    this.headroom = headroom.clone();
    this.measure = measure;
  }

  Measure measure() {
    return measure;
  }

  /**
   * What there is to share: what is held, and what could be had besides; by type of resource. Also what
   * is free in pieces too small for what is asked for: what is deserved must not change with what is
   * taken, or it might go on and on.
   */
  long[] pool(Iterable<Claimant> claimants) {
    long[] free = new long[headroom.length];
    nodes.stream().filter(Node::isOpen).forEach(node -> Amounts.add(free, node.free));
    long[] pool = held(claimants);
    for (int type = 0; type < pool.length; type++) {
      pool[type] += Math.max(0, Math.min(free[type], headroom[type]));
    }
    return pool;
  }

  /** What is held by all of them, by type of resource. */
  long[] held(Iterable<Claimant> claimants) {
    long[] held = new long[headroom.length];
    claimants.forEach(claimant -> Amounts.add(held, claimant.held));
    return held;
  }

  /** How one container is placed, and what has to be taken for it. */
  static final class Fit {
    final Node node;
    final List<Holding> taken;

    Fit(Node node, List<Holding> taken) {
      this.node = node;
      this.taken = taken;
    }
  }

  /** The node on which the request can be placed as things are, or null. */
  Node room(Request request) {
    return isWithinLimits(request) ? nodeWithRoom(request) : null;
  }

  private boolean isWithinLimits(Request request) {
    return Amounts.fits(request.size, headroom) && isUserBelowLimit(request);
  }

  /**
   * What has to be taken so that the request can be placed, as far as the rule allows; it is taken
   * when this returns.
   *
   * @param isAccepted the last word on what would be taken
   * @return null if it can't be placed so
   */
  Fit fit(Request request, Rule rule, Predicate<List<Holding>> isAccepted) {
    List<List<Holding>> candidates = rule.candidates();
    Node free = nodeWithRoom(request);
    if (free != null) {
      return complete(request, free, new ArrayList<>(), candidates, rule, isAccepted);
    }
    Set<Node> tried = new HashSet<>();
    for (List<Holding> group : candidates) {
      for (Holding candidate : group) {
        Node node = candidate.node;
        if (node.admits(request) && isTakeable(candidate, request, rule) && tried.add(node)) {
          Fit fit = fitOn(node, request, candidates, rule, isAccepted);
          if (fit != null) {
            return fit;
          }
        }
      }
    }
    return null;
  }

  private Fit fitOn(Node node, Request request, List<List<Holding>> candidates, Rule rule,
      Predicate<List<Holding>> isAccepted) {
    List<Holding> local = new ArrayList<>(node.losable);
    local.sort(rule.preference());
    List<Holding> taken = new ArrayList<>();
    for (Holding holding : local) {
      if (Amounts.fits(request.size, node.free)) {
        break;
      }
      if (isTakeable(holding, request, rule)) {
        take(holding);
        taken.add(holding);
      }
    }
    if (!Amounts.fits(request.size, node.free)) {
      taken.forEach(this::giveBack);
      return null;
    }
    return complete(request, node, taken, candidates, rule, isAccepted);
  }

  /** Takes what is still needed below the limits of queue and user, and keeps nothing taken in vain. */
  private Fit complete(Request request, Node node, List<Holding> taken,
      List<List<Holding>> candidates, Rule rule, Predicate<List<Holding>> isAccepted) {
    takeForLimits(request, taken, candidates, rule);
    if (isWithinLimits(request)) {
      giveBackNeedless(request, node, taken);
      if (isAccepted.test(taken)) {
        return new Fit(node, taken);
      }
    }
    taken.forEach(this::giveBack);
    return null;
  }

  private void takeForLimits(Request request, List<Holding> taken, List<List<Holding>> candidates,
      Rule rule) {
    for (List<Holding> group : candidates) {
      for (Holding candidate : group) {
        // What the queue holds beyond its own limit is nobody's demand.
        if (isWithinLimits(request) || Amounts.isNegative(headroom)) {
          return;
        }
        if (helps(candidate, request) && isTakeable(candidate, request, rule)) {
          take(candidate);
          taken.add(candidate);
        }
      }
    }
  }

  /** Who is given something loses nothing: it might only get back what was taken from it. */
  private static boolean isTakeable(Holding holding, Request request, Rule rule) {
    return !holding.taken && Amounts.isZero(holding.owner.given) && rule.allows(request, holding);
  }

  private boolean helps(Holding candidate, Request request) {
    return isUserBelowLimit(request) || candidate.owner.user == request.claimant.user;
  }

  private void giveBackNeedless(Request request, Node node, List<Holding> taken) {
    for (Holding holding : new ArrayList<>(taken)) {
      giveBack(holding);
      if (isWithinLimits(request) && Amounts.fits(request.size, node.free)) {
        taken.remove(holding);
      } else {
        take(holding);
      }
    }
  }

  void place(Request request, Node node) {
    Amounts.subtract(node.free, request.size);
    Amounts.subtract(headroom, request.size);
    request.claimant.get(request);
  }

  private void take(Holding holding) {
    takenFrom.add(holding.node);
    holding.owner.lose(holding);
    Amounts.add(holding.node.free, holding.size);
    Amounts.add(headroom, holding.size);
  }

  private void giveBack(Holding holding) {
    holding.owner.keep(holding);
    Amounts.subtract(holding.node.free, holding.size);
    Amounts.subtract(headroom, holding.size);
  }

  /** As YARN has it: who is not above the limit may get one container more. */
  private boolean isUserBelowLimit(Request request) {
    User user = request.claimant.user;
    return measure.of(user.held) <= user.limit * (1 + 1e-9);
  }

  private Node nodeWithRoom(Request request) {
    while (request.nextNode < nodes.size()) {
      Node node = nodes.get(request.nextNode);
      if (Amounts.fits(request.size, node.free) && node.admits(request)) {
        return node;
      }
      request.nextNode++;
    }
    // Of those behind, only where something was taken can there be room again.
    for (Node node : takenFrom) {
      if (Amounts.fits(request.size, node.free) && node.admits(request)) {
        return node;
      }
    }
    return null;
  }
}
