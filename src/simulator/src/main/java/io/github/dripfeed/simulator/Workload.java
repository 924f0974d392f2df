// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;
import java.util.List;

/**
 * Applications, and the cluster that they arrive at.
 *
 * @param nodeMemory of each node, in MB
 * @param sizes the numbers of nodes over time, in order; the first applies from the beginning
 */
record Workload(String name, String title, List<Job> jobs, int nodeMemory, List<Size> sizes)
    implements Serializable {

  /** From this time on there are this many nodes. */
  record Size(long fromMillis, int nodes) implements Serializable {
  }

  /** The size of the largest container that any of the applications requests, in MB. */
  int largestContainer() {
    return jobs.stream().mapToInt(Job::largestContainer).max().orElseThrow();
  }

  /** The same applications on a cluster that does not change. */
  Workload on(int nodes, int memoryOfEach) {
    return new Workload(name, title, jobs, memoryOfEach, List.of(new Size(0, nodes)));
  }
}
