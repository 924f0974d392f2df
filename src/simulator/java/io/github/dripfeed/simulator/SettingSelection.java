/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
