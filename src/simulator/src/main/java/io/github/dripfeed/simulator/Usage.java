// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

/** The use of the queue, integrated over time: MB times milliseconds. */
final class Usage {

  private long since;
  private long capacity;
  private long used;
  private long stuck;

  private double capacityTime;
  private double usedTime;
  private double stuckTime;

  /** Adds the time during which nothing changed. */
  void passUntil(long now) {
    long millis = now - since;
    since = now;
    capacityTime += (double) capacity * millis;
    usedTime += (double) used * millis;
    stuckTime += (double) stuck * millis;
  }

  void setCapacity(long memory) {
    capacity = memory;
  }

  /**
   * @param usedMore the increase of memory that containers hold, in MB
   * @param stuckMore the increase of memory that drivers hold which want executors and have none, in MB
   */
  void change(long usedMore, long stuckMore) {
    used += usedMore;
    stuck += stuckMore;
  }

  /** The fraction of the cluster that containers held. */
  double utilisation() {
    return capacityTime == 0 ? 0 : usedTime / capacityTime;
  }

  /** The fraction of the cluster that containers held, without drivers that have no executors. */
  double usefulUtilisation() {
    return capacityTime == 0 ? 0 : (usedTime - stuckTime) / capacityTime;
  }

  /** The fraction of all held resources that drivers held which wanted executors and had none. */
  double stuckShare() {
    return usedTime == 0 ? 0 : stuckTime / usedTime;
  }
}
