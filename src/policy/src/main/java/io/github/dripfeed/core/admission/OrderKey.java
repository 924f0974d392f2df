// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * The place of an attempt in the order of its queue; the smallest goes first: by share, then by priority,
 * highest first, then by submission (cluster timestamp and number of the application, then number of the
 * attempt). Immutable, so that the key with which an attempt was inserted in a sorted map is always known.
 */
public final class OrderKey implements Comparable<OrderKey> {

  /** How far the shares of two priorities are apart: more than the groups of one priority. */
  private static final double LEVEL = 64;
  /** The number of groups within a priority, beside the first one. */
  private static final int GROUPS = 30;
  /** After each such time of waiting an application counts as half as wide, in milliseconds. */
  private static final long NARROWER = 600_000;

  private final double share;
  private final int priority;
  private final long clusterTimestamp;
  private final int application;
  private final int attempt;

  /**
   * @param share the usage of the attempt in proportion to its weight, in fair order
   * @param priority the application's priority; the same for all attempts if it does not count
   */
  public OrderKey(double share, int priority, long clusterTimestamp, int application, int attempt) {
    this.share = share;
    this.priority = priority;
    this.clusterTimestamp = clusterTimestamp;
    this.application = application;
    this.attempt = attempt;
  }

  /** The key of the same attempt with another share. */
  public OrderKey withShare(double newShare) {
    return newShare == share
        ? this : new OrderKey(newShare, priority, clusterTimestamp, application, attempt);
  }

  /** The key of an attempt in the order of submission, or of priority and then submission. */
  public static OrderKey of(int priority, long clusterTimestamp, int application, int attempt) {
    return new OrderKey(-LEVEL * priority, priority, clusterTimestamp, application, attempt);
  }

  /**
   * The key of the same attempt among those of its priority: those with few executors come first, in powers
   * of two. One group less for every ten minutes of waiting: no stream of narrow applications keeps a wide
   * one waiting for ever.
   *
   * @param executors the number that it holds or wants
   * @param waited for how long, in milliseconds
   */
  OrderKey ofWidth(long executors, long waited) {
    int width = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, executors));
    long group = Math.min(GROUPS, Math.max(0, width - waited / NARROWER));
    return withShare(Math.round(share / LEVEL) * LEVEL + group);
  }

  /** A place before all others of the priority; those of a lower rank come first. */
  OrderKey inFront(int rank) {
    return new OrderKey(
        Math.round(share / LEVEL) * LEVEL - 1, priority, Long.MIN_VALUE + rank, application, attempt);
  }

  /** The priority of its application; the same for all if priorities do not count. */
  int priority() {
    return priority;
  }

  /** Whether its application was submitted before the other one, whatever their queues and priorities. */
  boolean isSubmittedBefore(OrderKey that) {
    return clusterTimestamp == that.clusterTimestamp
        ? application < that.application : clusterTimestamp < that.clusterTimestamp;
  }

  @Override
  public int compareTo(OrderKey that) {
    // Most often equal, of which Double.compare makes sure last.
    int order = share == that.share ? 0 : Double.compare(share, that.share);
    if (order == 0) {
      order = Integer.compare(that.priority, priority);
    }
    if (order == 0) {
      order = Long.compare(clusterTimestamp, that.clusterTimestamp);
    }
    if (order == 0) {
      order = Integer.compare(application, that.application);
    }
    return order == 0 ? Integer.compare(attempt, that.attempt) : order;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OrderKey && compareTo((OrderKey) other) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(clusterTimestamp) * 31 * 31 + application * 31 + attempt;
  }
}
