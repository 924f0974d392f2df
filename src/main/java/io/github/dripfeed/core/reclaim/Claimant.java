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
import java.util.List;
import java.util.function.Predicate;

/**
 * One application of the queue in one partition: what it holds there, and what it asks for. A
 * {@link Plan} changes it in its course. Used by one thread.
 */
public final class Claimant {

  final double weight;
  final int priority;
  final User user;
  /** What it must not lose. */
  final long[] fixed;
  /** What it holds, in the course of a plan. */
  final long[] held;
  /** What the plan gives it. */
  final long[] given;
  /** Newest first. */
  final List<Holding> losable = new ArrayList<>();
  final List<Request> requests = new ArrayList<>();
  /** How many containers more it may have. */
  long room;
  /** What it deserves by the measure of the queue; told by {@link Shares}. */
  double share;
  /** Whether it had too little or too much by more than the dead zone when shares were told. */
  boolean isOff;
  /** Whether nothing is to be done for it for now. */
  boolean isLeftOut;
  private boolean comesLast;

  /**
   * @param weight what it deserves in proportion to, above 0
   * @param priority the higher goes first
   * @param room how many containers more it may hold; {@link Long#MAX_VALUE} if there is no limit
   */
  public Claimant(double weight, int priority, User user, long room) {
    this.weight = weight;
    this.priority = priority;
    this.user = user;
    this.room = room;
    this.fixed = new long[user.held.length];
    this.held = new long[user.held.length];
    this.given = new long[user.held.length];
  }

  /** It holds something that it must not lose. */
  public void keeps(long[] size) {
    Amounts.add(fixed, size);
    hold(size);
  }

  /**
   * It holds a container that it may lose. Told newest first.
   *
   * @param asked whether it was asked to give this one back before
   */
  public Holding mayLose(Node node, long[] size, boolean asked) {
    hold(size);
    Holding holding = new Holding(this, node, size.clone(), asked, losable.size());
    losable.add(holding);
    node.losable.add(holding);
    return holding;
  }

  /** It asks for containers; what comes first is told first. */
  public void asks(long[] size, long count, Predicate<Node> where) {
    if (count > 0 && !Amounts.isZero(size)) {
      requests.add(new Request(this, size.clone(), count, where));
    }
  }

  /** What the plan gives it, by type of resource. */
  public long[] given() {
    return given.clone();
  }

  /** It is offered after all others: what is free goes to them first, as long as they ask. */
  public void comesLast() {
    comesLast = true;
  }

  boolean isLast() {
    return comesLast;
  }

  /** The first request for which something could be done, or null. */
  Request open() {
    if (room > 0 && !isLeftOut) {
      for (Request request : requests) {
        if (request.open > 0 && !request.hopeless) {
          return request;
        }
      }
    }
    return null;
  }

  /** Whether it asks for more than the plan gives it, so far. */
  boolean isUnmet() {
    return room > 0 && requests.stream().anyMatch(request -> request.open > 0);
  }

  void get(Request request) {
    request.open--;
    room--;
    hold(request.size);
    Amounts.add(given, request.size);
  }

  void lose(Holding holding) {
    holding.taken = true;
    Amounts.subtract(held, holding.size);
    Amounts.subtract(user.held, holding.size);
  }

  void keep(Holding holding) {
    holding.taken = false;
    hold(holding.size);
  }

  private void hold(long[] size) {
    Amounts.add(held, size);
    Amounts.add(user.held, size);
  }
}
