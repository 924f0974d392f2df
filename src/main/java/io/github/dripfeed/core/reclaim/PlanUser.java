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

/** A user with a limit on the resources of its applications. Used by one thread. */
public final class PlanUser {

  /** The limits of all users of the queue, which depend on what each of them holds and asks for. */
  interface Limits {

    /** @param more what those who ask have besides; null if nothing */
    double limit(PlanUser user, ResourceVector more);

    /** The user holds so much more. */
    void add(PlanUser user, ResourceVector size);

    /** The user holds so much less. */
    void subtract(PlanUser user, ResourceVector size);

    /** From now on the user counts as one who asks, or as one who does not. */
    void setActive(PlanUser user, boolean asks);
  }

  /** A limit that nothing changes. */
  private static final class FixedLimit implements Limits {
    private final double limit;

    FixedLimit(double limit) {
      this.limit = limit;
    }

    @Override
    public double limit(PlanUser user, ResourceVector more) {
      return limit;
    }

    @Override
    public void add(PlanUser user, ResourceVector size) {
      user.held.add(size);
    }

    @Override
    public void subtract(PlanUser user, ResourceVector size) {
      user.held.subtract(size);
    }

    @Override
    public void setActive(PlanUser user, boolean asks) {
      // Its activity changes no limit.
    }
  }

  private final Limits limits;
  final double weight;
  boolean active;
  /** The usage of the user, including reservations. */
  final ResourceSum held;
  /** The resources that the plan preempts from the user; allocations are not subtracted. */
  final ResourceSum left;
  /** What all his applications have beyond their shares together, as the rule last looked. */
  double excess;
  /** Whether the user has pending requests, and the number of pending containers in this plan. */
  private final boolean asks;
  private long open;
  private boolean isMetHere = true;
  /** The number of containers that the plan preempts from the user. */
  private long lost;

  /**
   * @param limit the limit by the measure of the queue; a user above it gets no more containers
   * @param types how many types of resources count
   */
  public PlanUser(double limit, int types) {
    this(new FixedLimit(limit), 1, true, types);
  }

  PlanUser(Limits limits, double weight, boolean active, int types) {
    this.limits = limits;
    this.weight = weight;
    this.active = active;
    this.asks = active;
    this.held = new ResourceSum(types);
    this.left = new ResourceSum(types);
  }

  /** As things are in the course of a plan, by the measure of the queue. */
  double limit() {
    return limits.limit(this, null);
  }

  /** Once so much more is held by those who ask. */
  double limitWith(ResourceVector more) {
    return limits.limit(this, more);
  }

  /** The user has pending requests that are not part of this plan. */
  public void asksElsewhere() {
    isMetHere = false;
  }

  void asks(long containers) {
    open += containers;
  }

  void gets(ResourceVector size) {
    open--;
    left.subtract(size);
    suppose();
  }

  void givesUp(ResourceVector size) {
    open++;
    left.add(size);
    suppose();
  }

  void loses(ResourceVector size) {
    lost++;
    left.add(size);
    suppose();
  }

  void keeps(ResourceVector size) {
    lost--;
    left.subtract(size);
    suppose();
  }

  /** As it is in the course of the plan. */
  void suppose() {
    suppose(asks());
  }

  /** Who has all that he asks for does not count as one who asks, and who loses something asks again. */
  private boolean asks() {
    return lost > 0 || (isMetHere ? open > 0 : asks);
  }

  /** It is to be seen what is so if he asks, or does not. */
  void suppose(boolean asks) {
    limits.setActive(this, asks);
  }

  void add(ResourceVector size) {
    limits.add(this, size);
  }

  void subtract(ResourceVector size) {
    limits.subtract(this, size);
  }
}
