// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The settings whose name contains one of those that were typed. Workloads have different ones, so a
 * workload without any is none of the user's mistakes; a name that no workload has is.
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
    unknown.removeIf(name -> all.stream().anyMatch(setting -> setting.name().contains(name)));
    List<SchedulerVariant> selected =
        all.stream().filter(setting -> names.stream().anyMatch(setting.name()::contains)).toList();
    if (selected.isEmpty()) {
      without.add(workload);
    }
    return selected;
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
