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
 * Which containers were asked back, and since when: what a plan takes is first asked for, and taken
 * once the time of grace is over, if the plan still wants it. A moment in which it may not be taken
 * does not start the grace anew; what has not been wanted for longer is forgotten. Used by one thread.
 *
 * @param <C> what stands for a container
 */
public final class PreemptionNotices<C> {

  /** What is to be done about a container. */
  public interface Actions<C> {

    /** Its application is asked to give it back. */
    void ask(C container);

    /** It is taken. */
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

  /** Whether nothing is asked back. */
  public boolean isEmpty() {
    return notices.isEmpty();
  }

  /**
   * Goes on to a new plan. What it does not take any more is not taken.
   *
   * @param planned what it takes, all of it still there
   * @param paused what it would take, and may not for the moment; asked back before or not
   * @param grace in milliseconds
   * @param patience for how many milliseconds one that may not be taken remains asked back
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
