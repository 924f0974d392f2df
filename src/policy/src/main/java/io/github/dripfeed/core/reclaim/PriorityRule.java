// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Applications of higher priority preempt those of lower priority: the lowest priority first, and the
 * newest first within it.
 */
final class PriorityRule implements ReclaimRule {

  private static final Comparator<PreemptibleContainer> PREEMPTION_ORDER = (one, other) ->
      one.isNotified() != other.isNotified()
      ? Boolean.compare(other.isNotified(), one.isNotified())
      : one.application != other.application
          ? Integer.compare(other.application.index, one.application.index)
          : Integer.compare(one.newer, other.newer);

  private final List<PlanApplication> applications;
  private final List<PreemptibleContainer> notified = new ArrayList<>();
  private int firstNotified;
  /** Requests of the applications before this one cannot be met in this pass. */
  private int nextIndex;
  /** The applications behind this one have no more containers to preempt. */
  private int lastIndex;

  /** @param applications in the order in which YARN serves them: by priority, then by submission */
  PriorityRule(List<PlanApplication> applications) {
    this.applications = applications;
    for (int i = 0; i < applications.size(); i++) {
      applications.get(i).index = i;
    }
    // This adds them in preemption order.
    for (int i = applications.size() - 1; i >= 0; i--) {
      for (PreemptibleContainer container : applications.get(i).preemptible) {
        if (container.isNotified()) {
          notified.add(container);
        }
      }
    }
    lastIndex = applications.size() - 1;
  }

  @Override
  public void prepare(ResourceVector pool) {
    // Only the priority counts.
  }

  @Override
  public void startPass() {
    nextIndex = 0;
  }

  @Override
  public PlanApplication next() {
    for (; nextIndex < applications.size(); nextIndex++) {
      if (applications.get(nextIndex).nextRequest() != null) {
        return applications.get(nextIndex);
      }
    }
    return null;
  }

  @Override
  public void usageChanged(PlanAccount application) {
    // Only the priority counts.
  }

  @Override
  public boolean isServedBefore(PlanAccount loser, PlanAccount other) {
    return loser.index < other.index;
  }

  @Override
  public boolean mayReceive(PlanApplication application) {
    return true;
  }

  @Override
  public boolean hasNotified() {
    firstNotified = Candidates.firstRemaining(notified, firstNotified);
    return firstNotified < notified.size();
  }

  @Override
  public Candidates candidates(PlanRequest request, boolean onlyNotified) {
    firstNotified = Candidates.firstRemaining(notified, firstNotified);
    if (onlyNotified) {
      return new Candidates(notified, firstNotified, Collections.emptyIterator());
    }
    while (lastIndex >= 0 && !applications.get(lastIndex).hasPreemptible()) {
      lastIndex--;
    }
    return new Candidates(notified, firstNotified, new Iterator<PlanApplication>() {
      private int index = lastIndex;

      @Override
      public boolean hasNext() {
        return index >= 0 && applications.get(index).priority < request.application.priority;
      }

      @Override
      public PlanApplication next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return applications.get(index--);
      }
    });
  }

  @Override
  public Comparator<PreemptibleContainer> preemptionOrder() {
    return PREEMPTION_ORDER;
  }

  @Override
  public boolean mayPreempt(PlanRequest request, PreemptibleContainer container) {
    return container.application.priority < request.application.priority;
  }

  @Override
  public boolean mayRelease(PlanRequest request, PreemptibleContainer reservation) {
    return reservation.application.priority < request.application.priority;
  }

  @Override
  public boolean isImprovement(PlanRequest request, List<PreemptibleContainer> preempted) {
    return true;
  }

  @Override
  public boolean toggleRelaxed() {
    return false;
  }
}
