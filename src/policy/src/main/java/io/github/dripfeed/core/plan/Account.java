// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;

/**
 * What one limit leaves in one partition while a plan is made: the limit of a queue, of a parent, of a
 * user, or the nodes of the partition. Used by one thread.
 */
public final class Account {

  /** Drivers hold at most this part where applications behind them want more than there is. */
  private static final int DRIVERS = 6;

  private final String name;
  private final ResourceVector free;
  private ResourceVector limit;
  private final ResourceSum now;
  private final ResourceSum left;
  /** What started applications claim that come later in the plan. */
  private final ResourceSum behind;
  /** What planned queues may use below this limit, and what their drivers hold of that. */
  private final ResourceSum most;
  private final ResourceSum drivers;
  private final Reserve reserve;

  /**
   * @param name of the queue, for messages; null for nodes and users
   * @param free what is free now; negative where more is used than the limit
   * @param soon what usually comes free while a driver starts up
   * @param reserve what of it stays free while a driver cannot be taken back
   */
  public Account(String name, ResourceVector free, ResourceAmounts soon, Reserve reserve) {
    this.name = name;
    this.free = free;
    this.now = new ResourceSum(free);
    this.left = new ResourceSum(free.plus(soon));
    this.behind = new ResourceSum(free.types());
    this.most = new ResourceSum(free.each(amount -> Math.max(0, amount)));
    this.drivers = new ResourceSum(free.types());
    this.reserve = reserve;
  }

  /** Names the limit, of which what is free is a part, for messages. */
  public Account of(ResourceVector whole) {
    limit = whole;
    return this;
  }

  String name() {
    return name;
  }

  /** What was free before the plan. */
  public ResourceVector free() {
    return free;
  }

  /** The limit, if it is known; else null. */
  ResourceVector limit() {
    return limit;
  }

  /** Whether it can give so much, of the types that are wanted at all. */
  boolean covers(ResourceAmounts amounts, boolean ofNow) {
    ResourceSum from = ofNow ? now : left;
    for (int type = 0; type < amounts.types(); type++) {
      if (amounts.get(type) > 0 && amounts.get(type) > from.get(type)) {
        return false;
      }
    }
    return true;
  }

  /** A queue uses so much below the limit, of which its drivers hold a part that counts. */
  void addQueue(ResourceVector used, ResourceVector ofDrivers) {
    most.add(used);
    drivers.add(ofDrivers);
  }

  /** Whether it can give so much in addition to what later started applications claim. */
  boolean coversBesideLater(ResourceVector amounts) {
    return behind.isZero() || covers(amounts.plus(behind), false);
  }

  /** The part that drivers may hold where applications behind them want more than there is. */
  ResourceVector part() {
    return most.toVector().each(amount -> amount / DRIVERS);
  }

  /** Whether one more driver leaves drivers within their part; the first one always does. */
  boolean isWithinPart(ResourceVector driver) {
    return drivers.isZero() || driver.plus(drivers).times(DRIVERS).fitsIn(most);
  }

  ResourceSum behind() {
    return behind;
  }

  ResourceSum drivers() {
    return drivers;
  }

  Reserve reserve() {
    return reserve;
  }

  /** What is free now, without what starting applications lack. */
  ResourceSum now() {
    return now;
  }

  /** What is free now or soon, without what applications were granted or claim. */
  ResourceSum left() {
    return left;
  }
}
