// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.admission.Attempt;
import io.github.dripfeed.core.admission.AttemptHistory;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;

/** An attempt of an application of the model. Times are in seconds. */
final class ModelAttempt implements Attempt {

  /** An executor. */
  static final class Executor {
    final ModelNode node;
    int until;

    Executor(ModelNode node, int until) {
      this.node = node;
      this.until = until;
    }
  }

  final ModelJob job;
  final int number;
  final AttemptHistory history;
  final List<Executor> executors = new ArrayList<>();
  ModelNode driverNode;
  int startsUntil;
  private int done;
  /** When its driver is gone; 0 if it is not taken back. */
  int gone;
  /** Changes with each of its containers. */
  int changes;
  private final ModelCluster cluster;

  ModelAttempt(ModelJob job, ModelCluster cluster) {
    this.job = job;
    this.number = ++job.attempt;
    this.cluster = cluster;
    this.history = new AttemptHistory(cluster.millis());
  }

  boolean hasAttemptLeft() {
    return number < job.maxAttempts;
  }

  /** The number of containers that it requests. */
  int pending() {
    if (gone > 0) {
      return 0;
    }
    if (driverNode == null) {
      return 1;
    }
    return cluster.now < startsUntil ? 0 : Math.max(0, job.sizes.wants - done - executors.size());
  }

  ResourceVector requestedSize() {
    return driverNode == null ? job.sizes.driver : job.sizes.executor;
  }

  String requestedPartition() {
    return driverNode == null ? job.sizes.driverPartition : job.sizes.executorPartition;
  }

  /** A piece of work is done. @return whether the executor is released */
  boolean finishes() {
    if (job.life == ModelJob.Life.HOLDS) {
      return false;
    }
    if (job.life == ModelJob.Life.CHANGES) {
      return executors.size() > 1;
    }
    done++;
    return done + executors.size() > job.sizes.wants;
  }

  boolean isOver() {
    return job.ends() && driverNode != null && cluster.now >= startsUntil && done >= job.sizes.wants;
  }

  @Override
  public String partition() {
    return job.sizes.driverPartition;
  }

  @Override
  public boolean isExempt() {
    return false;
  }

  @Override
  public boolean hasOutstandingRequest() {
    return pending() > 0;
  }

  @Override
  public boolean hasOutstandingRequest(String partition) {
    return pending() > 0 && requestedPartition().equals(partition);
  }

  @Override
  public boolean hasReservation() {
    return false;
  }

  @Override
  public boolean isDriverAllocated() {
    return driverNode != null;
  }

  @Override
  public boolean isDriverLive() {
    return driverNode != null;
  }

  @Override
  public int liveExecutors() {
    return executors.size();
  }

  @Override
  public boolean requestsOnlyUpdates() {
    return false;
  }

  @Override
  public int containers() {
    return executors.size() + (driverNode != null ? 1 : 0);
  }

  @Override
  public long millisSinceDriverAllocated() {
    return 0;
  }

  @Override
  public boolean isSkipped() {
    return !job.queue.isUserBelowLimit(job.user, requestedPartition());
  }

  @Override
  public String user() {
    return job.user;
  }

  @Override
  public String toString() {
    return "app" + job.number + "_" + number + "/" + job.maxAttempts + " of " + job.user + " in "
        + job.queue.level.name + " (driver " + job.sizes.driver + job.sizes.driverPartition + " on "
        + driverNode + ", " + job.sizes.wants + " of " + job.sizes.executor + job.sizes.executorPartition
        + ", " + executors.size() + " live, " + done + " done, " + history.state() + " " + job.life
        + (job.ended ? ", ended)" : ")");
  }
}
