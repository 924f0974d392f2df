/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
