// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Applications, and the cluster that they arrive at.
 *
 * @param sizes the numbers of nodes over time, in order; the first applies from the beginning
 */
record Workload(String name, String title, List<Job> jobs, Nodes nodes, List<Size> sizes)
    implements Serializable {

  private static final int GB = 1024;

  /**
   * What the nodes are like.
   *
   * @param memory of each, in MB
   * @param vcores of each; 0 if memory is the only resource that counts
   * @param label of some of them
   */
  record Nodes(int memory, int vcores, Label label) implements Serializable {

    /** Without labels; memory is the only resource that counts. */
    static Nodes of(int memory) {
      return new Nodes(memory, 0, Label.NONE);
    }
  }

  /**
   * A label of nodes.
   *
   * @param shareable whether containers that ask for none may run there while there is room
   * @param nodes so many nodes have it, those that were there first
   */
  record Label(String name, boolean shareable, int nodes) implements Serializable {

    static final Label NONE = new Label("", true, 0);
  }

  /** From this time on there are this many nodes. */
  record Size(long fromMillis, int nodes) implements Serializable {
  }

  Workload(String name, String title, List<Job> jobs, int nodeMemory, List<Size> sizes) {
    this(name, title, jobs, Nodes.of(nodeMemory), sizes);
  }

  /** The memory of each node, in MB. */
  int nodeMemory() {
    return nodes.memory;
  }

  /**
   * The same where virtual cores count as well. Nodes have one for each GB. Executors want, in turns by
   * application, one for two GB, so that nodes full of them have cores left, and two for each GB, so that
   * memory is left. Where cores count already nothing changes.
   */
  Workload withVcores() {
    if (nodes.vcores > 0) {
      return this;
    }
    int ofNode = nodes.memory / GB;
    List<Job> turns = new ArrayList<>();
    for (Job job : jobs) {
      boolean many = turns.size() % 2 == 1;
      turns.add(job.withVcores(memory ->
          many ? Math.min(ofNode, 2 * atLeastOne(memory, GB)) : atLeastOne(memory, 2 * GB)));
    }
    return new Workload(name, title, turns, new Nodes(nodes.memory, ofNode, nodes.label), sizes);
  }

  private static int atLeastOne(int memory, int each) {
    return Math.max(1, memory / each);
  }

  /** The same applications on a cluster that does not change. */
  Workload on(int count, int memoryOfEach) {
    return new Workload(name, title, jobs, memoryOfEach, List.of(new Size(0, count)));
  }
}
