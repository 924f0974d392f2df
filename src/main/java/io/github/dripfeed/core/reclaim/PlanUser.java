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

  private final double fixed;
  private final UserLimits limits;
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
    this(limit, null, 1, true, types);
  }

  private PlanUser(double fixed, UserLimits limits, double weight, boolean active, int types) {
    this.fixed = fixed;
    this.limits = limits;
    this.weight = weight;
    this.active = active;
    this.asks = active;
    this.held = new ResourceSum(types);
    this.left = new ResourceSum(types);
  }

  static PlanUser of(UserLimits limits, double weight, boolean active, int types) {
    return new PlanUser(0, limits, weight, active, types);
  }

  /** As things are in the course of a plan, by the measure of the queue. */
  double limit() {
    return limits == null ? fixed : limits.limit(this, null);
  }

  /** Once so much more is held by those who ask. */
  double limitWith(ResourceVector more) {
    return limits == null ? fixed : limits.limit(this, more);
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
    if (limits != null) {
      limits.setActive(this, asks);
    }
  }

  void add(ResourceVector size) {
    if (limits == null) {
      held.add(size);
    } else {
      limits.add(this, size);
    }
  }

  void subtract(ResourceVector size) {
    if (limits == null) {
      held.subtract(size);
    } else {
      limits.subtract(this, size);
    }
  }
}
