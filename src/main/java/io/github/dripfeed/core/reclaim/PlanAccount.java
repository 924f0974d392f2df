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

/**
 * What one application holds, gets and loses in the course of a {@link ReclaimPlan}, in one partition.
 * Used by one thread.
 */
public class PlanAccount {

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
  /** How many containers more it may have. */
  long room;
  /** What it deserves by the measure of the queue; told by {@link MaxMinShares}. */
  double share;
  /** Whether it had too little or too much by more than the dead zone when shares were told. */
  boolean isOff;
  /** Its place in the order of claimants; told by the rule. */
  int index;
  /** What it has beyond its share, as the rule last looked. */
  double excess;
  /** The size of the smallest container that it may lose. */
  double smallest;
  private long containersGiven;
  private boolean hasReserved;

  PlanAccount(double weight, int priority, PlanUser user, long room) {
    this.weight = weight;
    this.priority = priority;
    this.user = user;
    this.room = room;
    this.fixed = new ResourceSum(user.held.types());
    this.held = new ResourceSum(user.held.types());
    this.given = new ResourceSum(user.held.types());
    this.reserved = new ResourceSum(user.held.types());
  }

  /** What the plan gives it, by type of resource. */
  public final ResourceVector given() {
    return given.toVector();
  }

  /** How many containers that are. */
  public final long containersGiven() {
    return containersGiven;
  }

  final boolean isGiven() {
    return containersGiven > 0;
  }

  /** Whether any node was reserved for it before the plan. */
  final boolean hasReserved() {
    return hasReserved;
  }

  final void hold(ResourceVector size) {
    held.add(size);
    user.add(size);
  }

  final void reserve(ResourceVector size) {
    hasReserved = true;
    reserved.add(size);
    user.add(size);
  }

  /** The plan gives it one container. */
  final void get(ResourceVector size) {
    if (room != Long.MAX_VALUE) {
      room--;
    }
    containersGiven++;
    user.gets(size);
    hold(size);
    given.add(size);
  }

  /** It does not get one container after all. */
  final void giveUp(ResourceVector size) {
    if (room != Long.MAX_VALUE) {
      room++;
    }
    containersGiven--;
    user.givesUp(size);
    held.subtract(size);
    user.subtract(size);
    given.subtract(size);
  }

  final void lose(ResourceVector size) {
    held.subtract(size);
    user.subtract(size);
    user.loses(size);
  }

  /** It does not lose one container after all. */
  final void keep(ResourceVector size) {
    hold(size);
    user.keeps(size);
  }

  final void loseReservation(ResourceVector size) {
    reserved.subtract(size);
    user.subtract(size);
  }

  final void keepReservation(ResourceVector size) {
    reserved.add(size);
    user.add(size);
  }
}
