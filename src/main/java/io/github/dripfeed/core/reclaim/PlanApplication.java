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

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;

/**
 * One application of the queue in one partition: what it holds there, and what it asks for. A
 * {@link ReclaimPlan} changes it in its course. Used by one thread.
 */
public final class PlanApplication {

  final double weight;
  final int priority;
  final PlanUser user;
  /** What it must not lose. */
  final ResourceSum fixed;
  /** What it holds, in the course of a plan. */
  final ResourceSum held;
  /** What the plan gives it. */
  final ResourceSum given;
  /** What is reserved for it. */
  final ResourceSum reserved;
  /** Newest first. */
  final List<PreemptibleContainer> losable = new ArrayList<>();
  final List<PreemptibleContainer> reservations = new ArrayList<>();
  final List<PlanRequest> requests = new ArrayList<>();
  /** How many containers more it may have. */
  long room;
  /** What it deserves by the measure of the queue; told by {@link MaxMinShares}. */
  double share;
  /** Whether it had too little or too much by more than the dead zone when shares were told. */
  boolean isOff;
  /** Whether nothing is to be done for it for now. */
  boolean isLeftOut;
  /** Its place in the order of claimants; told by the rule. */
  int index;
  /** What it has beyond its share, as the rule last looked. */
  double excess;
  /** The size of the smallest container that it may lose. */
  double smallest;
  /** All before this one in {@link #losable} are taken for good. */
  private int newest;
  private int current;
  private long containersGiven;
  private long mostTaken = Long.MAX_VALUE;
  private boolean comesLast;

  /**
   * @param weight what it deserves in proportion to, above 0
   * @param priority the higher goes first
   * @param room how many containers more it may hold; {@link Long#MAX_VALUE} if there is no limit
   */
  public PlanApplication(double weight, int priority, PlanUser user, long room) {
    this.weight = weight;
    this.priority = priority;
    this.user = user;
    this.room = room;
    this.fixed = new ResourceSum(user.held.types());
    this.held = new ResourceSum(user.held.types());
    this.given = new ResourceSum(user.held.types());
    this.reserved = new ResourceSum(user.held.types());
  }

  /** It holds something that it must not lose. */
  public void keeps(ResourceVector size) {
    fixed.add(size);
    hold(size);
  }

  /**
   * It holds a container that it may lose. Told newest first.
   *
   * @param asked whether it was asked to give this one back before
   */
  public PreemptibleContainer mayLose(PlanNode node, ResourceVector size, boolean asked) {
    return mayLose(node, size, asked, null);
  }

  /** @param what what the container is */
  public PreemptibleContainer mayLose(PlanNode node, ResourceVector size, boolean asked, Object what) {
    hold(size);
    PreemptibleContainer holding =
        new PreemptibleContainer(this, node, size, asked, losable.size(), false, what);
    losable.add(holding);
    node.losable.add(holding);
    return holding;
  }

  /** The node is reserved for a container of its, which counts as used. */
  public PreemptibleContainer hasReserved(PlanNode node, ResourceVector size, Object what) {
    reserved.add(size);
    user.add(size);
    PreemptibleContainer holding = new PreemptibleContainer(this, node, size, false, 0, true, what);
    reservations.add(holding);
    node.reserve(holding);
    return holding;
  }

  /** It asks for containers; what comes first is told first. */
  public void asks(ResourceVector size, long count, Placement reach) {
    if (count > 0 && !size.isZero()) {
      requests.add(new PlanRequest(this, size, count, reach));
      user.asks(count);
    }
  }

  /** What the plan gives it, by type of resource. */
  public ResourceVector given() {
    return given.toVector();
  }

  /** How many containers that are. */
  public long containersGiven() {
    return containersGiven;
  }

  /** It may have so many containers less, since it gets them elsewhere. */
  public void getsElsewhere(long containers) {
    if (room != Long.MAX_VALUE) {
      room = Math.max(0, room - containers);
    }
  }

  /** No more than so many of its containers are to be had by taking from others. */
  public void takesAtMost(long containers) {
    mostTaken = containers;
  }

  /** It is offered after all others: what is free goes to them first, as long as they ask. */
  public void comesLast() {
    comesLast = true;
  }

  boolean isLast() {
    return comesLast;
  }

  boolean mayTake() {
    return mostTaken > 0;
  }

  void hasTaken() {
    mostTaken--;
  }

  boolean isGiven() {
    return containersGiven > 0;
  }

  /** The first request for which something could be done, or null. */
  PlanRequest open() {
    if (room > 0 && !isLeftOut) {
      for (; current < requests.size(); current++) {
        PlanRequest request = requests.get(current);
        if (request.open > 0 && !request.hopeless) {
          return request;
        }
      }
    }
    return null;
  }

  /** A new pass begins. */
  void hopeAgain() {
    current = 0;
    for (PlanRequest request : requests) {
      request.hopeless = false;
      request.cursor = null;
      request.laterCursor = 0;
    }
  }

  /** Whether it still asks for something else before this. */
  boolean isAfterAnother(PlanRequest request) {
    for (PlanRequest earlier : requests) {
      if (earlier == request) {
        return false;
      }
      if (earlier.open > 0) {
        return true;
      }
    }
    return false;
  }

  /** The first in {@link #losable} that is not taken for good. */
  int newest() {
    while (newest < losable.size() && losable.get(newest).gone) {
      newest++;
    }
    return newest;
  }

  /** Whether it asks for more than the plan gives it, so far. */
  boolean isUnmet() {
    if (room > 0) {
      for (PlanRequest request : requests) {
        if (request.open > 0) {
          return true;
        }
      }
    }
    return false;
  }

  void get(PlanRequest request) {
    request.open--;
    if (room != Long.MAX_VALUE) {
      room--;
    }
    containersGiven++;
    user.gets(request.size);
    hold(request.size);
    given.add(request.size);
  }

  /** Not what it gets after all. */
  void giveUp(PlanRequest request) {
    request.open++;
    if (room != Long.MAX_VALUE) {
      room++;
    }
    containersGiven--;
    user.givesUp(request.size);
    held.subtract(request.size);
    user.subtract(request.size);
    given.subtract(request.size);
  }

  void lose(PreemptibleContainer holding) {
    holding.taken = true;
    (holding.isReservation() ? reserved : held).subtract(holding.size);
    user.subtract(holding.size);
    if (!holding.isReservation()) {
      user.loses(holding.size);
    }
  }

  void keep(PreemptibleContainer holding) {
    holding.taken = false;
    (holding.isReservation() ? reserved : held).add(holding.size);
    user.add(holding.size);
    if (!holding.isReservation()) {
      user.keeps(holding.size);
    }
  }

  private void hold(ResourceVector size) {
    held.add(size);
    user.add(size);
  }
}
