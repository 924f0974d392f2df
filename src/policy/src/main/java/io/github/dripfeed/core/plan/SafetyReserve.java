// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The number of largest containers that would fit on the nodes if all applications with executors had
 * ended and only drivers without executors were left.
 *
 * <p>The placement of drivers is unknown, so the reserve subtracts the smaller of two upper bounds on the
 * largest containers that drivers displace. The first is one per
 * driver (more for a driver that is larger than the container). The second is, summed over the
 * resource types, the number that the drivers' total amount displaces if it is taken from the nodes where
 * the smallest amount displaces a container.
 */
public final class SafetyReserve {

  /** The amount of one resource type that the drivers take, and the containers that it can displace. */
  private static final class Type {
    final long largest;
    /** For each node, the amount to take from it until one largest container fewer fits. */
    final List<Long> untilOneLess = new ArrayList<>();
    private boolean sorted;
    private int reached;
    private long left;

    Type(long largest) {
      this.largest = largest;
    }

    void take(long amount) {
      left += amount;
      while (reached < untilOneLess.size() && left >= sorted().get(reached)) {
        left -= untilOneLess.get(reached);
        reached++;
      }
    }

    private List<Long> sorted() {
      if (!sorted) {
        Collections.sort(untilOneLess);
        sorted = true;
      }
      return untilOneLess;
    }

    /** The cost with another driver. */
    long costBeside(long amount) {
      long rest = left + amount;
      int until = reached;
      while (until < untilOneLess.size() && rest >= sorted().get(until)) {
        rest -= untilOneLess.get(until);
        until++;
      }
      return until + (until == untilOneLess.size() && largest > 0 ? rest / largest : 0);
    }
  }

  private final ResourceVector largest;
  /** Null for nodes. */
  private final ResourceSum limit;
  private final Type[] types;
  private long fitting;
  private long fittingAtBest;
  private long needed;
  private long displaced;

  public SafetyReserve(ResourceVector largest) {
    this(largest, null);
  }

  private SafetyReserve(ResourceVector largest, ResourceSum limit) {
    this.largest = largest;
    this.limit = limit;
    this.types = new Type[largest.types()];
    for (int type = 0; type < types.length; type++) {
      types[type] = new Type(largest.get(type));
    }
  }

  /**
   * Room below the limit of a queue or user, where there are no pieces.
   *
   * @param later what it would leave if all applications with executors had ended
   * @param kept what has to stay
   */
  public static SafetyReserve ofLimit(ResourceVector later, ResourceVector kept) {
    return new SafetyReserve(kept, new ResourceSum(later));
  }

  /**
   * Adds a node. All nodes are added before any driver.
   *
   * @param later the amounts that would be free on it if all applications with executors had ended
   */
  public void addNode(ResourceVector later) {
    long count = largest.countIn(later);
    fitting += count;
    for (int type = 0; type < types.length && count > 0; type++) {
      if (largest.get(type) > 0) {
        types[type].untilOneLess.add(later.get(type) - count * largest.get(type) + 1);
      }
    }
  }

  /** Accounts for a driver on some node. */
  void addDriver(ResourceVector driver) {
    if (limit != null) {
      limit.subtract(driver);
      return;
    }
    displaced += displacedBy(driver);
    for (int type = 0; type < types.length; type++) {
      types[type].take(driver.get(type));
    }
  }

  /** Adds what would be free on a node at best: without any driver of the planned queues. */
  public void addBest(ResourceVector atBest) {
    fittingAtBest += largest.countIn(atBest);
  }

  /** So many largest containers must fit; no more than would fit at best. */
  public void need(int containers) {
    needed = Math.max(needed, Math.min(containers, fittingAtBest));
  }

  /** Whether enough largest containers fit after one more driver, wherever the drivers are placed. */
  boolean keepsBeside(ResourceVector driver) {
    long cost = 0;
    for (int type = 0; type < types.length; type++) {
      long wanted = driver.get(type) + largest.get(type);
      if (limit != null && wanted > 0 && wanted > limit.get(type)) {
        return false;
      }
      cost += types[type].costBeside(driver.get(type));
    }
    return limit != null || fitting - Math.min(displaced + displacedBy(driver), cost) >= needed;
  }

  /** The most containers that one driver displaces; one, unless it is larger than the container. */
  private long displacedBy(ResourceVector driver) {
    long most = 0;
    for (int type = 0; type < types.length; type++) {
      long size = largest.get(type);
      most = Math.max(most, size == 0 ? 0 : (driver.get(type) + size - 1) / size);
    }
    return most;
  }
}
