// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.core.admission.AttemptSettings;
import io.github.dripfeed.core.admission.QueueSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyConfigurationTest {

  private final Map<String, String> conf = new HashMap<>();

  private PolicyConfiguration read() {
    return PolicyConfiguration.of(conf, PolicyKind.SUBMISSION);
  }

  @Test
  void unsetPropertiesHaveDefaults() {
    assertThat(read().settings()).usingRecursiveComparison().isEqualTo(QueueSettings.DEFAULTS);
    assertThat(read().isByPriority()).isTrue();
    assertThat(read().monitorIntervalMillis()).isEqualTo(1000);
  }

  @Test
  void everyDefaultIsAllowed() {
    for (PolicyProperty property : PolicyProperty.values()) {
      assertThat(property.allows(property.defaultValue())).as(property.key()).isTrue();
    }
  }

  @Test
  void setPropertiesCount() {
    conf.put("state-aware.max-starting", "3");
    conf.put("state-aware.min-executors", "2");
    conf.put("state-aware.starting-timeout", " 300s ");
    conf.put("state-aware.accepted-timeout", "1h");
    conf.put("state-aware.monitor-interval", "250");
    conf.put("state-aware.order", "fifo");
    assertThat(read().settings()).usingRecursiveComparison()
        .isEqualTo(new QueueSettings(3, 3_600_000, new AttemptSettings(300_000, 2)));
    assertThat(read().monitorIntervalMillis()).as("a bare number is milliseconds").isEqualTo(250);
    assertThat(read().isByPriority()).isFalse();
    assertThat(read().inEffect()).hasToString("{starting-timeout=300s, max-starting=3,"
        + " min-executors=2, accepted-timeout=1h, idle-timeout=0, order=fifo, max-containers=0,"
        + " exempt-application-types=, allow-application-overrides=false,"
        + " max-starting-timeout=30m, monitor-interval=250, starting-group=,"
        + " take-back=off, take-back-after=30s, enforce=true, reclaim.enabled=false}");
  }

  @Test
  void foreignPropertiesAreIgnored() {
    conf.put("fair.enable-size-based-weight", "perhaps");
    conf.put("acl.something", "x");
    assertThat(read().settings()).usingRecursiveComparison().isEqualTo(QueueSettings.DEFAULTS);
  }

  @Test
  void oneMessageListsAllProblems() {
    conf.put("state-aware.max-starting", "0");
    conf.put("state-aware.starting-timeout", "soon");
    conf.put("state-aware.priority-weight", "true");
    conf.put("state-aware.colour", "blue");
    conf.put("state-aware.order", "fifo");
    assertThatThrownBy(this::read).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "ordering-policy.state-aware.max-starting = '0': allowed is a whole number from 1",
            "ordering-policy.state-aware.starting-timeout = 'soon': allowed is a duration above 0",
            "ordering-policy.state-aware.priority-weight = 'true': not a property of this policy",
            "ordering-policy.state-aware.colour = 'blue': no such property; allowed are"
                + " starting-timeout, max-starting, min-executors")
        .message().doesNotContain("order = 'fifo'");
  }

  @ParameterizedTest
  @CsvSource({"parallel-start, on, use max-starting = auto",
      "parallel-start, off, 'if it is off, delete this line'",
      "starting-timeout-action, take-back, use take-back = on",
      "starting-timeout-action, run, 'if it is run, delete this line'",
      "reclaim.interval, 3s, yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval",
      "reclaim.max-per-round, 10%, capacity.preemption.total_preemption_per_round",
      "reclaim.dead-zone, 10%, capacity.preemption.max_ignored_over_capacity"})
  void aNameThatIsGoneSaysWhatToWriteInstead(String name, String value, String instead) {
    conf.put("state-aware." + name, value);
    assertThatThrownBy(this::read).hasMessageContainingAll("ordering-policy.state-aware." + name + " = '"
        + value + "': was removed; ", instead);
  }

  @Test
  void lenientParsingReplacesBadValuesByDefaults() {
    conf.put("state-aware.max-starting", "0");
    conf.put("state-aware.min-executors", "3");
    List<String> problems = new ArrayList<>();
    PolicyConfiguration configuration = PolicyConfiguration.read(conf, PolicyKind.SUBMISSION, problems);
    assertThat(problems).singleElement().asString().contains("max-starting = '0'");
    assertThat(configuration.inEffect()).containsEntry("max-starting", "1")
        .containsEntry("min-executors", "3").doesNotContainKey("priority-weight");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "etl", "Team-7_night.eu", "1"})
  void aGroupHasAName(String name) {
    conf.put("state-aware.starting-group", name);
    assertThat(read().startingGroup()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"two words", "a,b", "root/etl", "\u00fcber", "*", "${user}"})
  void otherNamesOfGroupsAreRefused(String name) {
    conf.put("state-aware.starting-group", name);
    assertThatThrownBy(this::read).hasMessageContaining("ordering-policy.state-aware.starting-group = '"
        + name + "': allowed is a name of letters, digits, '-', '_' and '.', or nothing");
  }

  @ParameterizedTest
  @CsvSource({"take-back, true, on", "take-back, ON, on",
      "take-back-after, 0, a duration above 0", "take-back-after, -1s, a duration above 0",
      "take-back-after, soon, a duration above 0"})
  void invalidTakeBackIsRefused(String name, String value, String allowed) {
    conf.put("state-aware." + name, value);
    assertThatThrownBy(this::read).hasMessageContaining(
        "ordering-policy.state-aware." + name + " = '" + value + "': allowed is ")
        .hasMessageContaining(allowed);
  }

  @Test
  void takeBackIsTheDefaultOfAuto() {
    assertThat(read().inEffect()).containsEntry("take-back", "off");
    conf.put("state-aware.take-back", "on");
    conf.put("state-aware.take-back-after", "10s");
    assertThat(read().settings().isTakeBack()).isTrue();
    assertThat(read().changed()).containsEntry("take-back", "on");
    conf.put("state-aware.max-starting", "auto");
    assertThat(read().settings().isTakeBack()).isTrue();
    assertThat(read().settings().takeBackAfter()).isEqualTo(10_000);
    conf.put("state-aware.take-back", "off");
    assertThat(read().settings().isTakeBack()).isFalse();
    assertThat(read().changed()).containsEntry("take-back", "off");
    conf.remove("state-aware.take-back");
    assertThat(read().settings().isTakeBack()).isTrue();
    assertThat(read().inEffect()).containsEntry("take-back", "on");
    assertThat(read().changed()).containsOnlyKeys("max-starting", "take-back-after");
  }

  @Test
  void submissionOrderDisablesReclaim() {
    conf.put("state-aware.reclaim.enabled", "true");
    assertThat(read().reclaims()).isTrue();
    conf.put("state-aware.order", "fifo");
    assertThat(read().reclaims()).isFalse();
  }

  @Test
  void maxStartingIsOneByDefaultAndMayBeAuto() {
    assertThat(read().settings().isAuto()).isFalse();
    conf.put("state-aware.max-starting", "auto");
    assertThat(read().settings().isAuto()).isTrue();
    assertThat(read().settings().maxStarting()).isEqualTo(1);
  }

  @Test
  void aGroupIsNotNamedWithAuto() {
    conf.put("state-aware.max-starting", "auto");
    conf.put("state-aware.starting-group", "");
    assertThat(read().startingGroup()).isEmpty();
    conf.put("state-aware.starting-group", "etl");
    assertThatThrownBy(this::read).hasMessageContaining("ordering-policy.state-aware.starting-group ="
        + " 'etl': all queues with max-starting = auto are one group already");
    conf.put("state-aware.max-starting", "2");
    assertThat(read().startingGroup()).isEqualTo("etl");
  }
}
