// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import io.github.dripfeed.core.admission.StartingGroup;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * The groups of queues that count their starting applications together, by scheduler and name. A
 * ResourceManager that becomes active again has a new scheduler, and its groups start empty. A group
 * exists as long as the ordering of one of its queues does; then nothing is left of it.
 */
final class StartingGroups {

  private final WeakIdentityMap<Map<String, WeakReference<StartingGroup<?>>>> bySchedulers =
      new WeakIdentityMap<>();

  /**
   * The group of that name; creates it if there is none.
   *
   * @param asynchronous whether the scheduler allocates a driver some time after it has chosen it
   */
  <T> StartingGroup<T> of(Object scheduler, String name, boolean asynchronous) {
    Map<String, WeakReference<StartingGroup<?>>> byName = bySchedulers.of(scheduler, HashMap::new);
    synchronized (byName) {
      byName.values().removeIf(group -> group.get() == null);
      WeakReference<StartingGroup<?>> known = byName.get(name);
      StartingGroup<?> group = known == null ? null : known.get();
      if (group == null) {
        group = new StartingGroup<T>(name, asynchronous);
        byName.put(name, new WeakReference<>(group));
      }
      return cast(group);
    }
  }

  /** All queues of a scheduler have the same type of application. */
  @SuppressWarnings("unchecked")
  private static <T> StartingGroup<T> cast(StartingGroup<?> group) {
    return (StartingGroup<T>) group;
  }

  /** The number of groups of the scheduler. */
  int size(Object scheduler) {
    Map<String, WeakReference<StartingGroup<?>>> byName = bySchedulers.of(scheduler, HashMap::new);
    synchronized (byName) {
      byName.values().removeIf(group -> group.get() == null);
      return byName.size();
    }
  }
}
