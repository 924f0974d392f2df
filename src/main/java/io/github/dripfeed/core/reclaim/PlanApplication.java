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
import java.util.List;

/**
 * One application of the queue in one partition: what it holds there, and what it asks for. A
 * {@link ReclaimPlan} changes it in its course. Used by one thread.
 */
public final class PlanApplication extends PlanAccount {

  /** Newest first. */
  final List<PreemptibleContainer> losable = new ArrayList<>();
  final List<PreemptibleContainer> reservations = new ArrayList<>();
  final List<PlanRequest> requests = new ArrayList<>();
  /** Whether nothing is to be done for it for now. */
  boolean isLeftOut;
  /** All before this one in {@link #losable} are taken for good. */
  private int newest;
  private int current;
  private long mostTaken = Long.MAX_VALUE;
  private boolean comesLast;

  /**
   * @param weight what it deserves in proportion to, above 0
   * @param priority the higher goes first
   * @param room how many containers more it may hold; {@link Long#MAX_VALUE} if there is no limit
   */
  public PlanApplication(double weight, int priority, PlanUser user, long room) {
    super(weight, priority, user, room);
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
    return holding;
  }

  /** The node is reserved for a container of its, which counts as used. */
  public PreemptibleContainer hasReserved(PlanNode node, ResourceVector size, Object what) {
    reserve(size);
    PreemptibleContainer holding = new PreemptibleContainer(this, node, size, false, 0, true, what);
    reservations.add(holding);
    return holding;
  }

  /** It asks for containers; what comes first is told first. */
  public void asks(ResourceVector size, long count, Placement reach) {
    if (count > 0 && !size.isZero()) {
      PlanRequest earlier = requests.isEmpty() ? null : requests.get(requests.size() - 1);
      requests.add(new PlanRequest(this, earlier, size, count, reach));
      user.asks(count);
    }
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
}
