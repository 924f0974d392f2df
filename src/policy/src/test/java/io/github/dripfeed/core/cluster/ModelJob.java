// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.admission.ApplicationHistory;
import io.github.dripfeed.core.resource.ResourceVector;

/** An application of the model, of which there may be several attempts. */
final class ModelJob {

  /** What it requests. */
  static final class Sizes {
    final ResourceVector driver;
    final String driverPartition;
    final ResourceVector executor;
    final String executorPartition;
    /** The number of executors; 0 for a driver alone. */
    final int wants;

    Sizes(ResourceVector driver, String driverPartition, ResourceVector executor, String executorPartition,
        int wants) {
      this.driver = driver;
      this.driverPartition = driverPartition;
      this.executor = executor;
      this.executorPartition = executorPartition;
      this.wants = wants;
    }
  }

  /** How it goes on once it has executors. */
  enum Life {
    ENDS,
    /** Holds its executors for ever. */
    HOLDS,
    /** Releases an executor from time to time and requests another. */
    CHANGES
  }

  final int number;
  final ModelQueue queue;
  final String user;
  final Sizes sizes;
  final Life life;
  int maxAttempts;
  /** In seconds: from the driver to the first request, and for one piece of work of an executor. */
  final int startUp;
  final int work;
  final ApplicationHistory history = new ApplicationHistory();
  int attempt;
  int takenBack;
  boolean ended;

  ModelJob(int number, ModelQueue queue, String user, Sizes sizes, int[] lifeAttemptsStartUpWork) {
    this.number = number;
    this.queue = queue;
    this.user = user;
    this.sizes = sizes;
    this.life = Life.values()[lifeAttemptsStartUpWork[0]];
    this.maxAttempts = lifeAttemptsStartUpWork[1];
    this.startUp = lifeAttemptsStartUpWork[2];
    this.work = lifeAttemptsStartUpWork[3];
  }

  boolean ends() {
    return life == Life.ENDS;
  }
}
