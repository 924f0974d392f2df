// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

/**
 * Looks for a number of nodes at which applications have to wait, and which is not hopelessly few: between
 * 60 and 90 percent of the cluster is used until the last application ends. Where there is no such number,
 * it ends at the fewest nodes that are used less.
 */
final class ClusterSearch {

  private static final double LEAST = 0.6;
  private static final double MOST = 0.9;
  private static final double AIM = 0.75;

  private final Workload workload;
  private int nodes;
  /** Too few, and too many. */
  private int few;
  private int many = Integer.MAX_VALUE;
  private double busy = Double.NaN;
  private boolean over;

  /** @param workload on the cluster at which it begins */
  ClusterSearch(Workload workload) {
    this.workload = workload;
    this.nodes = workload.sizes().get(0).nodes();
  }

  Workload tried() {
    return workload.on(nodes, workload.nodeMemory());
  }

  /** @param used the part of the cluster that was used */
  void learn(double used) {
    busy = used;
    if (used > MOST) {
      few = nodes;
    } else if (used < LEAST && nodes > 1) {
      many = nodes;
    } else {
      over = true;
      return;
    }
    if (many - few == 1) {
      over = nodes == many;
      nodes = many;
    } else {
      long next = Math.round(nodes * used / AIM);
      nodes = (int) Math.max(few + 1, Math.min(many - 1, next));
    }
  }

  boolean isOver() {
    return over;
  }

  int nodes() {
    return nodes;
  }

  double busy() {
    return busy;
  }
}
