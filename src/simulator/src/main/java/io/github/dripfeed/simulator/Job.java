// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;
import java.util.function.IntUnaryOperator;

/**
 * An application to submit.
 *
 * @param type YARN's application type
 * @param submitMillis the submission time
 * @param priority YARN's application priority
 * @param driverMemory in MB
 * @param startUpMillis from the allocation of its driver until the driver registers and requests
 * @param labels of the nodes that it wants
 * @param attempts as many as it may have
 */
record Job(String name, String type, String user, long submitMillis, int priority, int driverMemory,
    long startUpMillis, Fate fate, Program program, Labels labels, int attempts) implements Serializable {

  private static final int ATTEMPTS = 2;

  /** The labels of nodes on which its driver and its executors run; empty: nodes without one. */
  record Labels(String driver, String executors) implements Serializable {

    static final Labels NONE = new Labels("", "");
  }

  /** What may go wrong before the driver requests anything. */
  sealed interface Fate extends Serializable {

    /** Nothing. */
    record Well() implements Fate {
    }

    /** The driver registers and requests nothing. Its user kills it after this time. */
    record Hangs(long millis) implements Fate {
    }

    /** The first attempts fail instead of registering, after their start-up time. */
    record Fails(int attempts) implements Fate {
    }
  }

  /** With YARN's default for the attempts, on nodes without a label. */
  Job(String name, String type, String user, long submitMillis, int priority, int driverMemory,
      long startUpMillis, Fate fate, Program program) {
    this(name, type, user, submitMillis, priority, driverMemory, startUpMillis, fate, program,
        Labels.NONE, ATTEMPTS);
  }

  Job {
    if (driverMemory <= 0 || submitMillis < 0 || startUpMillis < 0) {
      throw new IllegalArgumentException("Not an application: " + name);
    }
  }

  /** Whether it ends with success, unless something goes wrong that is not its fate. */
  boolean isMeantToSucceed() {
    return fate instanceof Fate.Well
        || fate instanceof Fate.Fails fails && fails.attempts < attempts;
  }

  Job at(long millis) {
    return new Job(name, type, user, millis, priority, driverMemory, startUpMillis, fate, program, labels,
        attempts);
  }

  /** The same of another user, with all that it submits. */
  Job of(String otherUser) {
    Program same = program instanceof Program.Launcher launcher
        ? new Program.Launcher(launcher.jobs().stream().map(step -> step.of(otherUser)).toList()) : program;
    return new Job(name, type, otherUser, submitMillis, priority, driverMemory, startUpMillis, fate,
        same, labels, attempts);
  }

  Job with(Fate other) {
    return new Job(name, type, user, submitMillis, priority, driverMemory, startUpMillis, other, program,
        labels, attempts);
  }

  Job on(Labels others) {
    return new Job(name, type, user, submitMillis, priority, driverMemory, startUpMillis, fate, program,
        others, attempts);
  }

  /** See {@link Program#withVcores}. */
  Job withVcores(IntUnaryOperator ofMemory) {
    return new Job(name, type, user, submitMillis, priority, driverMemory, startUpMillis, fate,
        program.withVcores(ofMemory), labels, attempts);
  }

  Job withAttempts(int most) {
    return new Job(name, type, user, submitMillis, priority, driverMemory, startUpMillis, fate, program,
        labels, most);
  }

  /** The size of the largest container that it requests, its driver included, in MB. */
  int largestContainer() {
    return Math.max(driverMemory, program.largestContainer());
  }

  /** Whether it wants containers besides its driver, and at once. */
  boolean wantsExecutors() {
    return program instanceof Program.Spark || program instanceof Program.Tasks;
  }
}
