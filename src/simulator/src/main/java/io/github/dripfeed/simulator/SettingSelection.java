// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings whose name is one of those that were typed, or contains it if no name is the same. Workloads
 * have different ones, so a workload without any is none of the user's mistakes; a name that no workload
 * has is.
 */
final class SettingSelection {

  private final List<String> names;
  private final Set<String> unknown;
  private final Set<String> without = new LinkedHashSet<>();
  private boolean used;

  /** @param names empty for all settings */
  SettingSelection(List<String> names) {
    this.names = names;
    this.unknown = new LinkedHashSet<>(names);
  }

  /** The selected settings of a workload; possibly none. */
  List<SchedulerVariant> of(String workload, List<SchedulerVariant> all) {
    if (names.isEmpty()) {
      return all;
    }
    used = true;
    unknown.removeIf(name -> !named(name, all).isEmpty());
    List<SchedulerVariant> selected = all.stream()
        .filter(setting -> names.stream().anyMatch(name -> named(name, all).contains(setting))).toList();
    if (selected.isEmpty()) {
      without.add(workload);
    }
    return selected;
  }

  /** The setting that the others are compared with: the first one that the first name stands for. */
  Optional<SchedulerVariant> base(List<SchedulerVariant> selected) {
    return named(names.get(0), selected).stream().findFirst();
  }

  private static List<SchedulerVariant> named(String name, List<SchedulerVariant> all) {
    List<SchedulerVariant> same = all.stream().filter(setting -> setting.name().equals(name)).toList();
    return same.isEmpty() ? all.stream().filter(setting -> setting.name().contains(name)).toList() : same;
  }

  /** The names that no setting of any workload has, of those that were asked for. */
  Collection<String> unknown() {
    return used ? unknown : List.of();
  }

  /** The workloads that have none of the settings. */
  Collection<String> without() {
    return without;
  }
}
