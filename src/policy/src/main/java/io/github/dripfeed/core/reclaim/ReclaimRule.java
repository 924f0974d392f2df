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

  /**
   * The containers that may be preempted: first those with a preemption notice, then the containers of one
   * application after the other. Nothing is copied, and an application is not visited before its turn.
   */
  static final class Candidates {

    private final Supplier<PlanApplication> applications;
    private List<PreemptibleContainer> current;
    private int index;
    private boolean skipNotified;
    /** The number of containers and applications checked so far, including those that were skipped. */
    long checked;

    /**
     * @param notified all containers with a notice
     * @param from the index of the first of them whose preemption is not final
     * @param applications returns the next application whose other containers follow, or null at the end
     */
    Candidates(List<PreemptibleContainer> notified, int from, Supplier<PlanApplication> applications) {
      this.current = notified;
      this.index = from;
      this.applications = applications;
    }

    /** The next container; null if there are no more. */
    PreemptibleContainer next() {
      while (true) {
        checked++;
        if (index < current.size()) {
          PreemptibleContainer container = current.get(index++);
          if (!container.preempted && !(skipNotified && container.isNotified())) {
            return container;
          }
        } else {
          PlanApplication application = applications.get();
          if (application == null) {
            return null;
          }
          current = application.preemptible;
          index = application.firstRemaining();
          skipNotified = true;
        }
      }
    }
  }

  final List<PlanApplication> applications;
  /** The containers with a preemption notice. */
  final List<PreemptibleContainer> notified = new ArrayList<>();
  private int firstNotified;
  /** Whether only containers with a preemption notice are preempted. */
  boolean onlyNotified;

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
   * Reads the usage and pending requests of all applications, before they are served.
   *
   * @param pool the resources to share, by resource type
   */
  void startPass(ResourceVector pool) {
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

  /** The containers that might be preempted for the request, in order. */
  final Candidates candidates(PlanRequest request) {
    hasNotified();
    return new Candidates(notified, firstNotified, onlyNotified ? () -> null : losers(request));
  }

  /**
   * Returns the applications whose containers might be preempted for the request, one after the other, and
   * then null. Those of which certainly none may be are left out.
   */
  abstract Supplier<PlanApplication> losers(PlanRequest request);

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
  boolean mayRelease(PlanRequest request, PreemptibleContainer reservation) {
    return mayPreempt(request, reservation);
  }

  /**
   * Whether the state is better once the request is met.
   *
   * @param preempted the containers that are preempted for it; the current state reflects that
   */
  boolean isImprovement(PlanRequest request, List<PreemptibleContainer> preempted) {
    return true;
  }
}
