/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.reclaim;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The containers with a preemption notice, and the time of each notice. A container in a plan first gets
 * a notice. It is preempted when the grace period is over, if it is still in the plan. A short time in
 * which it may not be preempted does not restart the grace period; after a longer one the notice is
 * dropped. Used by one thread.
 *
 * @param <C> the type that represents a container
 */
public final class PreemptionNotices<C> {

  /** The actions on a container. */
  public interface Actions<C> {

    /** Sends a preemption notice to the application. */
    void ask(C container);

    /** Preempts the container. */
    void take(C container);
  }

  private static final class Notice {
    final long since;
    long wanted;
    boolean taken;

    Notice(long since) {
      this.since = since;
      this.wanted = since;
    }
  }

  private final Map<C, Notice> notices = new HashMap<>();

  public boolean isAsked(C container) {
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
   * @param paused the containers that it would preempt but may not at the moment, with or without a
   *     notice
   * @param grace the grace period in milliseconds
   * @param patience how long a notice stays valid for a container that may not be preempted, in
   *     milliseconds
   * @param now in milliseconds, on a clock that never goes backwards
   */
  public void follow(Collection<C> planned, Collection<C> paused, long grace, long patience, long now,
      Actions<C> actions) {
    Set<C> wanted = new HashSet<>(planned);
    Set<C> later = new HashSet<>(paused);
    notices.entrySet().removeIf(notice -> now - notice.getValue().wanted > patience
        || !wanted.contains(notice.getKey()) && !later.contains(notice.getKey()));
    for (C container : planned) {
      Notice notice = notices.get(container);
      if (notice == null) {
        notices.put(container, new Notice(now));
        actions.ask(container);
      } else {
        notice.wanted = now;
        if (now - notice.since >= grace && !notice.taken) {
          notice.taken = true;
          actions.take(container);
        }
      }
    }
  }
}
