// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Decides which application may preempt containers of which other one. Used by one thread. */
abstract class ReclaimRule {

  final List<PlanApplication> applications;
  /** The containers with a preemption notice. */
  final List<PreemptibleContainer> notified = new ArrayList<>();
  private int firstNotified;

  /** @param applications in the order of the rule */
  ReclaimRule(List<PlanApplication> applications) {
    this.applications = applications;
    for (int i = 0; i < applications.size(); i++) {
      applications.get(i).index = i;
    }
    // The last application first: that is the preemption order by priority.
    for (int i = applications.size() - 1; i >= 0; i--) {
      for (PreemptibleContainer container : applications.get(i).preemptible) {
        if (container.isNotified()) {
          notified.add(container);
        }
      }
    }
  }

  /**
   * Reads the usage and pending requests of all applications.
   *
   * @param pool the resources to share, by resource type
   */
  void prepare(ResourceVector pool) {
    // A rule by priority has no shares.
  }

  /** Reads the usage of all applications again, before they are served once more. */
  void startPass() {
    firstNotified = 0;
  }

  /** The application to serve next, or null if no request can be met. */
  abstract PlanApplication next();

  /** The usage of the application has changed. */
  void usageChanged(PlanApplication application) {
    // Where only the priority counts, nothing changes.
  }

  /** Whether any container may be preempted for the application in the current state. */
  boolean mayReceive(PlanApplication application) {
    return true;
  }

  /** Whether any container with a preemption notice is left. */
  final boolean hasNotified() {
    while (firstNotified < notified.size() && notified.get(firstNotified).isFinal) {
      firstNotified++;
    }
    return firstNotified < notified.size();
  }

  /**
   * The containers that might be preempted for the request, in order. Containers that certainly may not be
   * preempted are left out.
   *
   * @param onlyNotified whether only containers with a preemption notice are wanted
   */
  abstract Candidates candidates(PlanRequest request, boolean onlyNotified);

  /** @param others returns the next application whose other containers follow, or null at the end */
  final Candidates notifiedAnd(Supplier<PlanApplication> others) {
    hasNotified();
    return new Candidates(notified, firstNotified, others);
  }

  /** The order in which containers on one node are preempted: those with a notice first. */
  final int preemptionOrder(PreemptibleContainer one, PreemptibleContainer other) {
    return one.isNotified() != other.isNotified() ? Boolean.compare(other.isNotified(), one.isNotified())
        : one.application == other.application ? Integer.compare(one.newer, other.newer)
            : losersFirst(one.application, other.application);
  }

  /** Compares applications; the one that loses containers first comes first. */
  abstract int losersFirst(PlanApplication one, PlanApplication other);

  /** Whether the container may be preempted for the request in the current state. */
  abstract boolean mayPreempt(PlanRequest request, PreemptibleContainer container);

  /** Whether the reservation may be released for the request in the current state. */
  abstract boolean mayRelease(PlanRequest request, PreemptibleContainer reservation);

  /**
   * Whether the state is better once the request is met.
   *
   * @param preempted the containers that are preempted for it; the current state reflects that
   */
  boolean isImprovement(PlanRequest request, List<PreemptibleContainer> preempted) {
    return true;
  }

  /**
   * Switches between the strict and the relaxed rule.
   *
   * @return whether the relaxed rule applies now
   */
  boolean toggleRelaxed() {
    return false;
  }
}
