// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import io.github.dripfeed.core.admission.StartingGroup;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The groups of queues of one scheduler that count their starting applications together, by name. A
 * ResourceManager that becomes active again has a new scheduler, and its groups start empty. A group
 * exists as long as the ordering of one of its queues does; then nothing is left of it.
 */
final class StartingGroups {

  private final Map<String, WeakReference<StartingGroup<?>>> byName = new HashMap<>();

  /**
   * The group of that name; creates it if there is none. All queues of a scheduler have the same type of
   * application.
   *
   * @param made makes it
   */
  @SuppressWarnings("unchecked")
  synchronized <T> StartingGroup<T> of(String name, Supplier<StartingGroup<T>> made) {
    byName.values().removeIf(group -> group.get() == null);
    WeakReference<StartingGroup<?>> known = byName.get(name);
    StartingGroup<?> group = known == null ? null : known.get();
    if (group == null) {
      group = made.get();
      byName.put(name, new WeakReference<>(group));
    }
    return (StartingGroup<T>) group;
  }
}
