// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Holds submitted applications until its rule admits them to the scheduler, and evicts them again. */
final class AdmissionController {

  private static final Comparator<Candidate> ORDER = Comparator
      .comparingInt((Candidate candidate) -> -candidate.job.priority())
      .thenComparingLong(candidate -> candidate.since);

  private final AdmissionRule rule;
  private final Simulation simulation;
  /** In the order of submission. */
  private final List<Candidate> waiting = new ArrayList<>();
  private final List<Candidate> admitted = new ArrayList<>();
  private boolean planned;

  /** An application from its submission to its end, however often it is evicted. */
  private static final class Candidate {
    private final Job job;
    private final long submittedAt;
    private final Runnable whenEnded;
    /** Its place among those that wait. */
    private long since;
    private long notBefore;
    private int evictions;
    private Application application;
    private AdmissionRule.Room room;
    /** In that room. */
    private AdmissionRule.Claim claim;

    Candidate(Job job, long submittedAt, Runnable whenEnded) {
      this.job = job;
      this.submittedAt = submittedAt;
      this.since = submittedAt;
      this.whenEnded = whenEnded;
    }
  }

  AdmissionController(AdmissionRule rule, Simulation simulation) {
    this.rule = rule;
    this.simulation = simulation;
  }

  /** @param whenEnded runs after its end, which is not an eviction */
  void submit(Job job, Runnable whenEnded) {
    waiting.add(new Candidate(job, simulation.agenda().now(), whenEnded));
    look();
  }

  /** To be called after every change in the cluster, which may allow the rule to admit somebody. */
  void look() {
    if (!planned && !waiting.isEmpty()) {
      planned = true;
      simulation.agenda().after(0, this::admit);
    }
  }

  private void admit() {
    planned = false;
    List<Candidate> inOrder = new ArrayList<>(waiting);
    inOrder.sort(ORDER);
    AdmissionRule.Room room = simulation.room();
    long claimed = admitted.stream()
        .mapToLong(each -> Math.max(each.application.held(), claim(each, room).memory())).sum();
    for (Candidate next : inOrder) {
      if (rule.blocks() && !admitted.stream().allMatch(each -> each.application.isReady())) {
        return;
      }
      long claim = claim(next, room).memory();
      if (next.notBefore <= simulation.agenda().now() && claimed + claim <= room.capacity()) {
        claimed += claim;
        admit(next);
      } else if (rule.inOrder()) {
        return;
      }
    }
  }

  /** Computed anew only in another room, since it takes long for many executors. */
  private AdmissionRule.Claim claim(Candidate candidate, AdmissionRule.Room room) {
    if (!room.equals(candidate.room)) {
      candidate.room = room;
      candidate.claim = rule.claim(candidate.job, room, simulation::rounded);
    }
    return candidate.claim;
  }

  private void admit(Candidate candidate) {
    waiting.remove(candidate);
    admitted.add(candidate);
    Application started = simulation.start(candidate.job, candidate.claim.containers(),
        candidate.submittedAt, () -> ended(candidate));
    if (!admitted.contains(candidate)) {
      // YARN refused it.
      return;
    }
    candidate.application = started;
    if (rule.readyMillis() > 0) {
      simulation.agenda().after(rule.readyMillis(), () -> {
        if (candidate.application == started && !started.isReady()) {
          evict(candidate);
        }
      });
    }
  }

  private void evict(Candidate candidate) {
    if (candidate.job.fate() instanceof Job.Fate.Hangs) {
      // Its user, who would have killed it, does not want it again.
      candidate.application.kill();
      return;
    }
    candidate.evictions++;
    candidate.since = simulation.agenda().now();
    long backOff = AdmissionRule.backOffMillis(candidate.evictions);
    candidate.notBefore = candidate.since + backOff;
    simulation.agenda().after(backOff, this::look);
    simulation.evicted();
    candidate.application.evict();
  }

  private void ended(Candidate candidate) {
    boolean evicted = candidate.application != null && candidate.application.isEvicted();
    admitted.remove(candidate);
    candidate.application = null;
    if (evicted) {
      waiting.add(candidate);
    } else {
      candidate.whenEnded.run();
    }
    look();
  }

  /** Those that have not been admitted, or not again. */
  Stream<ApplicationTimes> waiting() {
    return waiting.stream().map(each -> ApplicationTimes.waiting(each.job, each.submittedAt));
  }
}
