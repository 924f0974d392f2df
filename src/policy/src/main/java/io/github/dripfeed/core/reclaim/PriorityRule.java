// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PlanRequest;
import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import java.util.function.Supplier;

/**
 * Applications of higher priority preempt those of lower priority: the lowest priority first, and the
 * newest first within it.
 */
final class PriorityRule extends ReclaimRule {

  /** Requests of the applications before this one cannot be met in this pass. */
  private int nextIndex;
  /** The applications behind this one have no more containers to preempt. */
  private int lastIndex;

  /** @param applications in the order in which YARN serves them: by priority, then by submission */
  PriorityRule(List<PlanApplication> applications) {
    super(applications);
    lastIndex = applications.size() - 1;
  }

  @Override
  void startPass(ResourceVector pool) {
    super.startPass(pool);
    nextIndex = 0;
  }

  @Override
  PlanApplication next() {
    for (; nextIndex < applications.size(); nextIndex++) {
      if (applications.get(nextIndex).nextRequest() != null) {
        return applications.get(nextIndex);
      }
    }
    return null;
  }

  @Override
  Supplier<PlanApplication> losers(PlanRequest request) {
    while (lastIndex >= 0 && !applications.get(lastIndex).hasPreemptible()) {
      lastIndex--;
    }
    return new Supplier<PlanApplication>() {
      private int index = lastIndex;

      @Override
      public PlanApplication get() {
        return index >= 0 && applications.get(index).priority < request.application.priority
            ? applications.get(index--) : null;
      }
    };
  }

  @Override
  int losersFirst(PlanApplication one, PlanApplication other) {
    return Integer.compare(other.index, one.index);
  }

  @Override
  boolean mayPreempt(PlanRequest request, PreemptibleContainer container) {
    return container.application.priority < request.application.priority;
  }
}
