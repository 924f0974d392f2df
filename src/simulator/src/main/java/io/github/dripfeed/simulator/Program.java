// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
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

  /**
   * The same work in containers beside the driver that want other numbers of virtual cores.
   *
   * @param ofMemory of a container with so many MB
   */
  default Program withVcores(IntUnaryOperator ofMemory) {
    return this;
  }

  /** Tasks that may run in parallel; the next stage begins when all have ended. */
  record Stage(int tasks, long taskMillis) implements Serializable {
  }

  /**
   * Like Spark: executors run one task after the other, in parallel on their cores.
   *
   * @param executorMemory in MB
   * @param vcores that an executor requests; as many as it has cores, if nothing else is said
   * @param executors the number requested at once or, if dynamic, the maximum
   * @param dynamic whether the driver requests growing numbers while tasks wait, and releases an executor
   *     after a minute without a task
   */
  record Spark(int executorMemory, int cores, int vcores, int executors, boolean dynamic,
      List<Stage> stages) implements Program {

    Spark(int executorMemory, int cores, int executors, boolean dynamic, List<Stage> stages) {
      this(executorMemory, cores, cores, executors, dynamic, stages);
    }

    @Override
    public Spark withVcores(IntUnaryOperator ofMemory) {
      return new Spark(executorMemory, cores, ofMemory.applyAsInt(executorMemory), executors, dynamic,
          stages);
    }

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
    public Tasks withVcores(IntUnaryOperator ofMemory) {
      return new Tasks(waves.stream().map(wave -> wave.stream().map(task ->
          new Task(task.memory, ofMemory.applyAsInt(task.memory), task.millis)).toList()).toList());
    }

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

    @Override
    public Session withVcores(IntUnaryOperator ofMemory) {
      return new Session(idleMillis, work.withVcores(ofMemory));
    }
  }

  /** Submits other applications to the same queue, one after the other, and waits for each to end. */
  record Launcher(List<Job> jobs) implements Program {

    @Override
    public Launcher withVcores(IntUnaryOperator ofMemory) {
      return new Launcher(jobs.stream().map(job -> job.withVcores(ofMemory)).toList());
    }
  }
}
