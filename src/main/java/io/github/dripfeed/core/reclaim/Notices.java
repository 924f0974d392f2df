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
 * once the time of grace is over, if the plan still wants it. Used by one thread.
 *
 * @param <C> what stands for a container
 */
public final class Notices<C> {

  /** What is to be done about a container. */
  public interface Actions<C> {

    /** Its application is asked to give it back. */
    void ask(C container);

    /** It is taken. */
    void take(C container);
  }

  private final Map<C, Long> askedSince = new HashMap<>();
  private final Set<C> taken = new HashSet<>();

  public boolean isAsked(C container) {
    return askedSince.containsKey(container);
  }

  /**
   * Goes on to a new plan. What it does not take any more is not taken.
   *
   * @param planned what it takes, all of it still there
   * @param grace in milliseconds
   * @param now in milliseconds, on a clock that never goes backwards
   */
  public void follow(Collection<C> planned, long grace, long now, Actions<C> actions) {
    Set<C> wanted = new HashSet<>(planned);
    askedSince.keySet().retainAll(wanted);
    taken.retainAll(wanted);
    for (C container : planned) {
      Long since = askedSince.get(container);
      if (since == null) {
        askedSince.put(container, now);
        actions.ask(container);
      } else if (now - since >= grace && taken.add(container)) {
        actions.take(container);
      }
    }
  }
}
