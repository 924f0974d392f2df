// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The containers that may be preempted: first those with a preemption notice, then the containers of one
 * application after the other. Nothing is copied, and an application is not visited before its turn.
 */
final class Candidates implements Iterator<PreemptibleContainer> {

  private final Iterator<PlanApplication> applications;
  private List<PreemptibleContainer> current;
  private int index;
  private boolean skipNotified;
  private PreemptibleContainer next;
  private long checked;

  /**
   * @param notified all containers with a notice
   * @param from the index of the first of them whose preemption is not final
   * @param applications the applications whose other containers follow
   */
  Candidates(List<PreemptibleContainer> notified, int from, Iterator<PlanApplication> applications) {

    this.current = notified;
    this.index = from;
    this.applications = applications;
    advance();
  }

  private void advance() {
    next = null;
    while (next == null) {
      checked++;
      if (index < current.size()) {
        PreemptibleContainer container = current.get(index++);
        if (!container.preempted && !(skipNotified && container.isNotified())) {
          next = container;
        }
      } else if (applications.hasNext()) {
        PlanApplication application = applications.next();
        current = application.preemptible;
        index = application.firstRemaining();
        skipNotified = true;
      } else {
        return;
      }
    }
  }

  /** The number of containers and applications checked so far, including those that were skipped. */
  long checked() {
    return checked;
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public PreemptibleContainer next() {
    if (next == null) {
      throw new NoSuchElementException();
    }
    PreemptibleContainer result = next;
    advance();
    return result;
  }

  /** The index of the first container whose preemption is not final, at or after an index. */
  static int firstRemaining(List<PreemptibleContainer> notified, int from) {
    int first = from;
    while (first < notified.size() && notified.get(first).isFinal) {
      first++;
    }
    return first;
  }
}
