// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The containers with a preemption notice, and the time of each notice. A container in a plan first gets
 * a notice. It is preempted when the grace period is over, if it is still in the plan. While a container is
 * paused, its grace period goes on; after a longer pause the notice expires.
 * Used by one thread.
 *
 * @param <C> the type that represents a container
 */
public final class PreemptionNotices<C> {

  /** The actions on a container. */
  public interface Actions<C> {

    /** Sends a preemption notice to the application. */
    void sendNotice(C container);

    /** Preempts the container. */
    void preempt(C container);
  }

  private static final class Notice {
    final long sent;
    long lastPlanned;
    boolean preempted;

    Notice(long sent) {
      this.sent = sent;
      this.lastPlanned = sent;
    }
  }

  private final Map<C, Notice> notices = new HashMap<>();

  /** Whether a notice for the container was sent and is valid. */
  public boolean isNotified(C container) {
    return notices.containsKey(container);
  }

  /** Whether there is no notice. */
  public boolean isEmpty() {
    return notices.isEmpty();
  }

  /**
   * Applies a new plan. Containers that are no longer in the plan are not preempted.
   *
   * @param planned the containers to preempt; all of them are live
   * @param paused the containers that the plan would preempt but may not at the moment, with or without
   *     a notice
   * @param grace the time between the notice and the preemption, in milliseconds
   * @param validity how long a notice stays valid for a container that may not be preempted
   * @param now in milliseconds, on a clock that never goes backwards
   */
  public void apply(Collection<C> planned, Collection<C> paused, long grace, long validity, long now,
      Actions<C> actions) {
    Set<C> plannedNow = new HashSet<>(planned);
    Set<C> pausedNow = new HashSet<>(paused);
    notices.entrySet().removeIf(notice -> now - notice.getValue().lastPlanned > validity
        || !plannedNow.contains(notice.getKey()) && !pausedNow.contains(notice.getKey()));
    for (C container : planned) {
      Notice notice = notices.get(container);
      if (notice == null) {
        notices.put(container, new Notice(now));
        actions.sendNotice(container);
      } else {
        notice.lastPlanned = now;
        if (now - notice.sent >= grace && !notice.preempted) {
          notice.preempted = true;
          actions.preempt(container);
        }
      }
    }
  }
}
