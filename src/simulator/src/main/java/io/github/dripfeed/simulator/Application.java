// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/** A submitted application: its attempts, one after the other, and its result. */
final class Application {

  static final long NEVER = -1;

  private final Simulation simulation;
  private final Job job;
  private final int readyWith;
  private final ApplicationId id;
  private final long submittedAt;
  private final Runnable whenEnded;
  private SimulatedMaster master;
  private long driverAt = NEVER;
  private long executorAt = NEVER;
  private long endedAt = NEVER;
  private int attempts;
  private long held;
  private long stuck;
  private boolean evicted;
  /** The attempt that has had a container most recently. */
  private ApplicationAttemptId latest;
  /** Its containers that live, or have ended well. */
  private int containers;
  private boolean ready;

  /**
   * @param readyWith how many containers make it ready, with its driver
   * @param submittedAt when its user submitted it
   */
  Application(Simulation simulation, Job job, int readyWith, ApplicationId id, long submittedAt,
      Runnable whenEnded) {
    this.simulation = simulation;
    this.job = job;
    this.readyWith = readyWith;
    this.id = id;
    this.submittedAt = submittedAt;
    this.whenEnded = whenEnded;
  }

  /** YARN has allocated the driver of an attempt. */
  void launch(RMAppAttempt attempt) {
    if (master != null) {
      master.end();
    }
    attempts++;
    if (driverAt == NEVER) {
      driverAt = simulation.agenda().now();
    }
    SimulatedMaster started = new SimulatedMaster(simulation, attempt, job.labels().executors());
    master = started;
    SimulatedNode node = simulation.cluster().node(attempt.getMasterContainer().getNodeId());
    if (node != null) {
      node.started(attempt.getMasterContainer().getId());
    }
    started.after(job.startUpMillis(), () -> startedUp(started));
  }

  private void startedUp(SimulatedMaster started) {
    if (job.fate() instanceof Job.Fate.Fails fails && attempts <= fails.attempts()) {
      started.exitDriver(1);
      return;
    }
    started.register();
    if (job.fate() instanceof Job.Fate.Hangs hangs) {
      started.after(hangs.millis(), () -> simulation.kill(id));
    } else {
      started.run(Driver.of(job.program()));
    }
  }

  /** An attempt has got a container. */
  void allocated(ApplicationAttemptId attempt) {
    if (!attempt.equals(latest)) {
      latest = attempt;
      containers = 0;
    }
    containers++;
    if (!ready && containers >= readyWith) {
      ready = true;
      simulation.progressed();
    }
    look();
  }

  /** Reads the scheduler's data after a change. */
  void look() {
    SchedulerApplicationAttempt attempt = simulation.attempt(id);
    int live = attempt == null ? 0 : attempt.getLiveContainersMap().size();
    if (live > 1 && executorAt == NEVER) {
      executorAt = simulation.agenda().now();
    }
    long nowHeld = attempt == null ? 0 : attempt.getAppAttemptResourceUsage().getAllUsed().getMemorySize();
    long nowStuck = live == 1 && job.wantsExecutors() ? nowHeld : 0;
    simulation.usage().change(nowHeld - held, nowStuck - stuck);
    held = nowHeld;
    stuck = nowStuck;
    if (master != null) {
      master.heartbeatSoon();
    }
  }

  /** A container has ended. Once the driver has ended, nothing more happens for the attempt. */
  void lost(ContainerStatus container) {
    if (container.getExitStatus() != ContainerExitStatus.SUCCESS
        && container.getContainerId().getApplicationAttemptId().equals(latest)) {
      containers--;
    }
    if (master != null
        && container.getContainerId().equals(master.attempt().getMasterContainer().getId())) {
      master.end();
    }
    look();
  }

  /** YARN is done with it. What it refused, or gave up, never did its work, and so it never ends. */
  void ended() {
    look();
    if (simulation.succeeded(id) || !job.isMeantToSucceed()) {
      endedAt = simulation.agenda().now();
    }
    if (master != null) {
      master.end();
    }
    whenEnded.run();
  }

  /** Whether it has had all containers with which it starts. */
  boolean isReady() {
    return ready;
  }

  /** The memory that it holds, in MB. */
  long held() {
    return held;
  }

  void kill() {
    simulation.kill(id);
  }

  /** Kills it, to be submitted again as another application. */
  void evict() {
    evicted = true;
    kill();
  }

  boolean isEvicted() {
    return evicted;
  }

  ApplicationTimes course() {
    return new ApplicationTimes(job.name(), job.wantsExecutors(), submittedAt, driverAt, executorAt,
        endedAt,
        attempts);
  }
}
