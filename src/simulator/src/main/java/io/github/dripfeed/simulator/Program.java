// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;

/** What the driver of an application does after it has registered. */
sealed interface Program extends Serializable {

  /** The sizes of the containers beside the driver that it requests first, in MB. */
  default List<Integer> firstRequest() {
    return List.of();
  }

  /** The sizes of the containers beside the driver that its submission could name, in MB. */
  default List<Integer> declared() {
    return firstRequest();
  }

  /** The size of the largest of them that a recorded application ever requests, in MB. */
  default int largestContainer() {
    return 0;
  }

  /** Tasks that may run in parallel; the next stage begins when all have ended. */
  record Stage(int tasks, long taskMillis) implements Serializable {
  }

  /**
   * Like Spark: executors run one task after the other, in parallel on their cores, which are virtual ones
   * of YARN.
   *
   * @param executorMemory in MB
   * @param executors the number requested at once or, if dynamic, the maximum
   * @param dynamic whether the driver requests growing numbers while tasks wait, and releases an executor
   *     after a minute without a task
   */
  record Spark(int executorMemory, int cores, int executors, boolean dynamic, List<Stage> stages)
      implements Program {

    @Override
    public List<Integer> firstRequest() {
      return Collections.nCopies(dynamic ? 1 : executors, executorMemory);
    }

    /** With dynamic allocation none: the number depends on the tasks. */
    @Override
    public List<Integer> declared() {
      return dynamic ? List.of() : firstRequest();
    }

    @Override
    public int largestContainer() {
      return executorMemory;
    }
  }

  /**
   * Like MapReduce: a container for each task.
   *
   * @param waves the containers of each stage
   */
  record Tasks(List<List<Task>> waves) implements Program {

    @Override
    public List<Integer> firstRequest() {
      return waves.get(0).stream().map(Task::memory).toList();
    }

    @Override
    public int largestContainer() {
      return waves.stream().flatMap(List::stream).mapToInt(Task::memory).max().orElse(0);
    }
  }

  /**
   * @param memory in MB
   * @param vcores virtual cores
   */
  record Task(int memory, int vcores, long millis) implements Serializable {

    Task(int memory, long millis) {
      this(memory, 1, millis);
    }

    Resource size() {
      return Resource.newInstance(memory, vcores);
    }
  }

  /** Works in the driver alone. */
  record DriverOnly(long millis) implements Program {
  }

  /** Requests nothing for some time, like a pool of sessions or a notebook, and then works like Spark. */
  record Session(long idleMillis, Spark work) implements Program {
  }

  /** Submits other applications to the same queue, one after the other, and waits for each to end. */
  record Launcher(List<Job> jobs) implements Program {
  }
}
