// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.reclaim.PlanApplication.PreemptibleContainer;
import java.util.List;
import java.util.function.Supplier;

/**
 * The containers that may be preempted: first those with a preemption notice, then the containers of one
 * application after the other. Nothing is copied, and an application is not visited before its turn.
 */
final class Candidates {

  private final Supplier<PlanApplication> applications;
  private List<PreemptibleContainer> current;
  private int index;
  private boolean skipNotified;
  private long checked;

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

  /** The number of containers and applications checked so far, including those that were skipped. */
  long checked() {
    return checked;
  }
}
