// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** One half of the demo: the burst in one queue, or in those below it, until it has ended or is stuck. */
public final class BurstRun implements QueueRun {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  /** A driver starts up within seconds, but needs half a minute on a machine that does much else. */
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int SAMPLING_MS = 150;

  private final String title;
  private final String queue;
  private final List<String> leaves;
  private final Recording recording = new Recording();
  private Outcome outcome;

  public BurstRun(String title, String queue) {
    this(title, queue, List.of(queue));
  }

  /** @param leaves the leaf queues below the queue, to which applications are submitted in turn */
  BurstRun(String title, String queue, List<String> leaves) {
    this.title = title;
    this.queue = queue;
    this.leaves = leaves;
  }

  public void run(DemoCluster cluster, Burst.Shape shape, Screen screen) throws Exception {
    try (Burst burst = new Burst(cluster, shape)) {
      List<ApplicationId> applications = burst.submitTo(leaves.toArray(new String[0]));
      Probe probe = new Probe(cluster.resourceManager(), queue, applications);
      DeadlockWatch watch = new DeadlockWatch(shape, PATIENCE.toMillis());
      long deadline = System.nanoTime() + LIMIT.toNanos();
      boolean deadlocked = false;
      do {
        Thread.sleep(SAMPLING_MS);
        Sample sample = probe.sample();
        deadlocked = watch.isDeadlocked(sample);
        observe(sample, deadlocked);
        screen.show(title, recording);
      } while (!deadlocked && !recording.isOver() && System.nanoTime() < deadline);
      screen.endOfBurst();
      screen.say(verdict());
      if (!recording.isOver()) {
        burst.kill(applications);
        waitUntilEmpty(probe);
      }
    }
  }

  void observe(Sample sample, boolean deadlocked) {
    recording.add(sample);
    outcome = Outcome.of(recording, deadlocked);
  }

  @Override
  public boolean isGood() {
    return !outcome.deadlocked();
  }

  @Override
  public String verdict() {
    if (outcome.deadlocked()) {
      return String.format("Deadlock: %d AMs fill the queue; no executor fits, and for %d s"
          + " nothing moves.", outcome.mostDriversAtOnce(), PATIENCE.toSeconds());
    }
    return outcome.allSucceeded()
        ? String.format("All %d applications succeeded.", outcome.applications())
        : String.format("Only %d of %d applications succeeded within %d s.", outcome.succeeded(),
            outcome.applications(), LIMIT.toSeconds());
  }

  /** Ends every application, so that the next half starts with an empty queue. */
  private static void waitUntilEmpty(Probe probe) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (probe.sample().usedMb() > 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the queue is not empty after its applications were killed");
      }
      Thread.sleep(SAMPLING_MS);
    }
  }

  @Override
  public String title() {
    return title;
  }

  String queue() {
    return queue;
  }

  @Override
  public Recording recording() {
    return recording;
  }

  public Outcome outcome() {
    return outcome;
  }
}
