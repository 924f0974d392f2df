// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SettingSelectionTest {

  private static List<String> names(List<SchedulerVariant> settings) {
    return settings.stream().map(SchedulerVariant::name).toList();
  }

  @Test
  void workloadWithoutANamedSettingIsNoMistake() {
    SettingSelection selection = new SettingSelection(List.of("YuniKorn", "Kueue", "gang"));

    assertThat(names(selection.of("burst", SchedulerVariants.all()))).containsExactly(
        "YuniKorn StateAware", "Kueue, blockAdmission", "Kueue, eviction", "gang, first executor",
        "gang, all executors");
    assertThat(selection.of("tenants", SchedulerVariants.ofTenants())).isEmpty();
    assertThat(selection.unknown()).isEmpty();
    assertThat(selection.without()).containsExactly("tenants");
  }

  @Test
  void eachNameHasToMatchSomewhere() {
    SettingSelection selection = new SettingSelection(List.of("a group", "gang", "none", "neither"));

    selection.of("tenants", SchedulerVariants.ofTenants());
    assertThat(selection.unknown()).containsExactly("gang", "none", "neither");
    selection.of("burst", SchedulerVariants.all());
    assertThat(selection.unknown()).containsExactly("none", "neither");
    assertThat(selection.without()).isEmpty();
  }

  @Test
  void nameOfASettingSelectsThatAlone() {
    SettingSelection selection = new SettingSelection(List.of("Dripfeed", "fifo", "AM limit 0.30"));

    List<SchedulerVariant> selected = selection.of("burst", SchedulerVariants.all());
    assertThat(names(selected)).containsExactly(
        "fifo", "fifo, AM limit 0.30", "Dripfeed", "fair, AM limit 0.30");
    assertThat(selection.base(selected)).as("the first named").contains(SchedulerVariants.dripfeed());
    assertThat(selection.base(List.of(SchedulerVariants.auto()))).isEmpty();
  }

  @Test
  void withoutNamesAllAreSelected() {
    SettingSelection selection = new SettingSelection(List.of());

    assertThat(selection.of("burst", SchedulerVariants.all())).isEqualTo(SchedulerVariants.all());
    assertThat(selection.unknown()).isEmpty();
    // What asks for no settings, like the workload idle, refuses none.
    assertThat(new SettingSelection(List.of("none")).unknown()).isEmpty();
  }
}
