// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * When a controller in front of the scheduler hands an application over to it. Those with a higher priority
 * come first, then those that were submitted, or evicted, earlier.
 *
 * @param known what it knows of an application, and so keeps room for
 * @param inOrder whether one that does not fit holds back those behind it
 * @param blocks whether nobody is admitted until all that are admitted are ready: have had all containers
 *     of their claim at once, where one that has ended well counts
 * @param readyMillis how long an application may take until it is ready, from its admission; then it
 *     is killed, and submitted again after a back-off. 0: as long as it takes
 */
record AdmissionRule(Knowledge known, boolean inOrder, boolean blocks, long readyMillis)
    implements Serializable {

  private static final long BACK_OFF_MILLIS = 60_000;
  private static final long LONGEST_BACK_OFF_MILLIS = 3_600_000;

  /** What a controller knows of an application before it starts. */
  enum Knowledge {
    /** The size of its first executor. */
    FIRST_EXECUTOR,
    /** The sizes of all executors that it requests at once. */
    EXECUTORS,
    /** The sizes of all containers that its submission could name. */
    DECLARED
  }

  /**
   * The room that applications may have.
   *
   * @param capacity at most so much in total, in MB
   * @param nodeMemory of each node, in MB
   */
  record Room(long capacity, int nodes, long nodeMemory) {
  }

  /**
   * What an application needs to be admitted. What it holds beyond that counts as well.
   *
   * @param memory in MB
   * @param containers how many, with its driver
   */
  record Claim(long memory, int containers) {
  }

  /** @param rounded what YARN allocates for a request */
  Claim claim(Job job, Room room, LongUnaryOperator rounded) {
    long driver = rounded.applyAsLong(job.driverMemory());
    if (known == Knowledge.DECLARED) {
      return fitting(driver, job.program().declared(), room, rounded);
    }
    List<Integer> executors = job.program().firstRequest();
    int counted = known == Knowledge.EXECUTORS ? executors.size() : Math.min(1, executors.size());
    long memory = driver;
    for (int executor : executors.subList(0, counted)) {
      memory += rounded.applyAsLong(executor);
    }
    return new Claim(Math.min(memory, room.capacity()), 1 + counted);
  }

  /**
   * As many as an empty cluster holds, each on the first node with room for it. With more than that, an
   * application would be admitted never, or evicted for ever.
   */
  private static Claim fitting(long driver, List<Integer> executors, Room room, LongUnaryOperator rounded) {
    long[] free = new long[room.nodes()];
    Arrays.fill(free, room.nodeMemory());
    long memory = 0;
    int containers = 0;
    for (int i = -1; i < executors.size(); i++) {
      long size = i < 0 ? driver : rounded.applyAsLong(executors.get(i));
      int node = 0;
      while (node < free.length && free[node] < size) {
        node++;
      }
      if (node < free.length && memory + size <= room.capacity()) {
        free[node] -= size;
        memory += size;
        containers++;
      }
    }
    return new Claim(memory, Math.max(1, containers));
  }

  /** @param evictions of this application so far, at least 1 */
  static long backOffMillis(int evictions) {
    return Math.min(LONGEST_BACK_OFF_MILLIS, BACK_OFF_MILLIS << Math.min(evictions - 1, 6));
  }
}
