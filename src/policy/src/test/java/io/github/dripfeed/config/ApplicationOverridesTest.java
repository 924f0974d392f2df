// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.core.admission.AttemptSettings;
import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.Submission;
import io.github.dripfeed.fixture.TenantQueues;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exempt types, tags that override settings for one application, and idle starters. */
class ApplicationOverridesTest {

  @Test
  void exemptTypeStartsAtOnceAndHoldsNoOther() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "exempt-application-types",
        "LAUNCHER, Workflow")) {
      MockApp plain = cluster.submit();
      MockApp launcher = cluster.submit(cluster.submission(GB).withType("LAUNCHER"));
      MockApp workflow = cluster.submit(cluster.submission(GB).withType("WORKFLOW"));
      MockApp held = cluster.submit(cluster.submission(GB).withType("SPARK"));
      cluster.heartbeat();
      assertThat(List.of(plain, launcher, workflow)).extracting(MockApp::containers)
          .containsOnly(1);
      assertThat(launcher.state()).isEqualTo(RUNNING);
      assertThat(plain.state()).isEqualTo(STARTING);
      assertThat(held.state()).isEqualTo(ACCEPTED);
    }
  }

  @Test
  void applicationWithoutATypeIsNotExempt() throws Exception {
    for (String exempt : List.of("", "LAUNCHER,,WORKFLOW,", " ")) {
      try (MockCluster cluster = MockCluster.ofOneNode(16 * GB, "exempt-application-types", exempt)) {
        assertThat(cluster.submit(cluster.submission(GB).withType("")).state()).isEqualTo(ACCEPTED);
      }
    }
  }

  @Test
  void refreshThatExemptsATypeAdmitsIt() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.submit(cluster.submission(GB).withType("LAUNCHER"));
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.refresh(MockCluster.stateAwareKey("exempt-application-types"), "LAUNCHER");
      assertThat(cluster.offered()).containsExactly("App1", "App2");
    }
  }

  @Test
  void refreshThatExemptsAStartingApplicationFreesItsSlot() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp launcher = cluster.submit(cluster.submission(GB).withType("LAUNCHER"));
      MockApp child = cluster.submit();
      cluster.heartbeat();
      assertThat(launcher.state()).isEqualTo(STARTING);
      cluster.refresh(MockCluster.stateAwareKey("exempt-application-types"), "LAUNCHER");
      cluster.heartbeat();
      assertThat(launcher.state()).isEqualTo(RUNNING);
      assertThat(child.containers()).isEqualTo(1);
      cluster.runMonitor();
      assertThat(LiveTables.rows("Events")).extracting(event -> event.get("reason"))
          .contains("it is exempt now");
    }
  }

  @Test
  void refreshThatAllowsTheTagFreesTheSlotOfAStartingApplication() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp tagged = cluster.submit(cluster.submission(GB).withTags("stateaware.disable"));
      cluster.submit();
      cluster.heartbeat();
      assertThat(tagged.state()).isEqualTo(STARTING);
      cluster.refresh(MockCluster.stateAwareKey("allow-application-overrides"), "true");
      assertThat(tagged.state()).isEqualTo(RUNNING);
      assertThat(cluster.offered()).containsExactly("App1", "App2");
    }
  }

  @Test
  void moveToAQueueThatExemptsItEndsStarting() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.key(MockCluster.OTHER, "ordering-policy"), StateAwareOrderingPolicy.class.getName(),
        MockCluster.key(MockCluster.OTHER, "ordering-policy.state-aware.exempt-application-types"),
        "LAUNCHER")) {
      cluster.addNode(16 * GB);
      MockApp launcher = cluster.submit(cluster.submission(GB).withType("LAUNCHER"));
      cluster.heartbeat();
      assertThat(launcher.state()).isEqualTo(STARTING);
      launcher.moveTo(MockCluster.OTHER);
      assertThat(launcher.state()).isEqualTo(RUNNING);
      MockApp child = cluster.submit(cluster.submission(GB).withQueue(MockCluster.OTHER));
      cluster.heartbeat();
      assertThat(child.containers()).isEqualTo(1);
    }
  }

  /** Its executors do not come before the drivers of the group, either. */
  @Test
  void exemptedStartingApplicationHoldsNobodyInItsGroup() throws Exception {
    try (MockCluster cluster = TenantQueues.CONFIGURED.cluster(2, "starting-group", "etl")) {
      cluster.addNode(8 * GB);
      MockApp launcher = cluster.submit(
          cluster.submission(GB).withQueue(TenantQueues.tenant(1)).withType("LAUNCHER"));
      cluster.heartbeat();
      MockApp next = cluster.submit(cluster.submission(GB).withQueue(TenantQueues.tenant(2)));
      launcher.register().ask(1, 8 * GB);
      cluster.heartbeat();
      assertThat(next.containers()).isZero();
      cluster.refresh(TenantQueues.stateAwareKey(1, "exempt-application-types"), "LAUNCHER");
      cluster.heartbeat();
      assertThat(launcher.state()).isEqualTo(RUNNING);
      assertThat(next.containers()).isEqualTo(1);
    }
  }

  @Test
  void idleTimeoutEndsStartingWithoutRequests() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(4 * GB, "idle-timeout", "1m")) {
      MockApp idle = cluster.submit();
      MockApp busy = cluster.submit();
      cluster.submit();
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.advance(Duration.ofSeconds(59));
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.advance(Duration.ofSeconds(1));
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      assertThat(idle.state()).isEqualTo(RUNNING);
      cluster.heartbeat();
      busy.register().ask(1, 4 * GB);
      assertThat(cluster.offered()).containsExactly("App1", "App2");
      cluster.advance(Duration.ofMinutes(3));
      assertThat(cluster.offered()).as("it has unmet requests").containsExactly("App1", "App2");
      assertThat(busy.state()).isEqualTo(STARTING);
    }
  }

  @Test
  void timeWithRequestsIsNotIdle() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(4 * GB, "idle-timeout", "1m")) {
      MockApp app = cluster.submit();
      cluster.heartbeat();
      cluster.offered();
      cluster.advance(Duration.ofSeconds(40));
      app.register().ask(1, 4 * GB);
      cluster.offered();
      app.ask(0, 4 * GB);
      cluster.offered();
      cluster.advance(Duration.ofSeconds(40));
      cluster.offered();
      assertThat(app.state()).isEqualTo(STARTING);
      cluster.advance(Duration.ofSeconds(20));
      cluster.offered();
      assertThat(app.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void tagsCountOnlyIfTheQueueAllowsThem() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      cluster.submit();
      cluster.submit(tagged(cluster, "stateaware.disable"));
      cluster.heartbeat();
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.refresh(MockCluster.stateAwareKey("allow-application-overrides"), "true");
      assertThat(cluster.offered()).containsExactly("App1", "App2");
    }
  }

  @Test
  void tagsChangeOnlyTheirOwnApplication() throws Exception {
    try (MockCluster cluster =
        MockCluster.ofOneNode(16 * GB, "allow-application-overrides", "true")) {
      MockApp app1 = cluster.submit(
          tagged(cluster, "stateaware.starting-timeout=1m", "stateaware.min-executors=2"));
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      app1.register().ask(1, GB);
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(app1.state()).as("one executor is not enough for it").isEqualTo(STARTING);
      cluster.advance(Duration.ofMinutes(1));
      cluster.heartbeat();
      assertThat(app1.state()).isEqualTo(RUNNING);
      cluster.advance(Duration.ofMinutes(1));
      cluster.offered();
      assertThat(app2.state()).as("the queue's timeout applies").isEqualTo(STARTING);
      app2.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(app2.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void badTagIsIgnoredAndShownInDiagnostics() throws Exception {
    try (MockCluster cluster =
        MockCluster.ofOneNode(16 * GB, "allow-application-overrides", "true")) {
      cluster.submit();
      MockApp bad = cluster.submit(tagged(cluster, "stateaware.min-executors=many"));
      cluster.heartbeat();
      assertThat(bad.state()).isEqualTo(ACCEPTED);
      cluster.runMonitor();
      assertThat(bad.rmApp().getCurrentAppAttempt().getDiagnostics())
          .contains("tag 'stateaware.min-executors=many' is ignored: allowed is");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a refresh", "a change of priority"})
  void badTagWarningSurvivesRefreshAndPriorityChange(String what) throws Exception {
    try (MockCluster cluster =
        MockCluster.ofOneNode(16 * GB, "allow-application-overrides", "true")) {
      cluster.submit();
      MockApp bad = cluster.submit(tagged(cluster, "stateaware.min-executors=many"));
      cluster.heartbeat();
      cluster.runMonitor();
      if (what.equals("a refresh")) {
        cluster.refresh();
      } else {
        bad.setPriority(0);
      }
      cluster.advance(Duration.ofMinutes(1));
      cluster.runMonitor();
      assertThat(bad.rmApp().getCurrentAppAttempt().getDiagnostics()).as("after " + what)
          .contains("waits for a starting slot", "tag 'stateaware.min-executors=many' is ignored");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stateaware.starting-timeout=soon", "stateaware.starting-timeout=0",
      "stateaware.starting-timeout=31m", "stateaware.min-executors=0", "stateaware.min-executors=",
      "stateaware.unknown", "stateaware.disable=true", "stateaware.min-executors=99999999999"})
  void badTagsAreIgnored(String tag) {
    ApplicationOverrides overrides = overrides(tag);
    assertThat(overrides.problems()).singleElement().asString().contains(tag).contains("allowed is");
    assertThat(overrides.settings()).usingRecursiveComparison()
        .isEqualTo(AttemptSettings.DEFAULTS);
    assertThat(overrides.isExempt()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"${dripfeed.test}", "${env.HOME}", "1${dripfeed.test}"})
  void tagsAreReadLiterally(String value) {
    System.setProperty("dripfeed.test", "7m");
    try {
      ApplicationOverrides overrides = overrides("stateaware.starting-timeout=" + value);
      assertThat(overrides.problems()).singleElement().asString().contains(value);
      assertThat(overrides.settings()).usingRecursiveComparison()
          .isEqualTo(AttemptSettings.DEFAULTS);
      assertThatThrownBy(() -> configuration("starting-timeout", value))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(value);
    } finally {
      System.clearProperty("dripfeed.test");
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 100, 100 times min-executors", "0, 3, 300, 100 times min-executors",
      "8, 1, 7, max-containers less the AM", "8, 5, 7, max-containers less the AM",
      "1, 1, 0, max-containers less the AM"})
  void minExecutorsTagHasAnUpperBound(
      int maxContainers, int minExecutors, int most, String reason) {
    PolicyConfiguration queue = configuration("allow-application-overrides", "true",
        "max-containers", "" + maxContainers, "min-executors", "" + minExecutors);
    if (most > 0) {
      ApplicationOverrides allowed =
          new ApplicationOverrides(queue, null, Set.of("stateaware.min-executors=" + most));
      assertThat(allowed.problems()).isEmpty();
      assertThat(allowed.settings().minExecutors()).isEqualTo(most);
    }
    ApplicationOverrides beyond =
        new ApplicationOverrides(queue, null, Set.of("stateaware.min-executors=" + (most + 1)));
    assertThat(beyond.problems()).singleElement().asString()
        .contains("is ignored: allowed is at most " + most + " (" + reason + ")");
    assertThat(beyond.settings()).isSameAs(queue.settings().attempts());
  }

  @Test
  void excessiveMinExecutorsTagIsIgnoredWithAWarning() throws Exception {
    try (MockCluster cluster =
        MockCluster.ofOneNode(16 * GB, "allow-application-overrides", "true")) {
      MockApp first = cluster.submit();
      MockApp greedy = cluster.submit(tagged(cluster, "stateaware.min-executors=2000000000"));
      cluster.runMonitor();
      assertThat(greedy.rmApp().getCurrentAppAttempt().getDiagnostics()).contains("at most 100");
      first.kill();
      cluster.heartbeat();
      greedy.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(greedy.state()).isEqualTo(RUNNING);
    }
  }

  @Test
  void goodTagsCountBesideBadOnes() {
    ApplicationOverrides overrides =
        overrides("stateaware.min-executors=x", "stateaware.starting-timeout=30m",
        "team=stateaware", "other.disable");
    assertThat(overrides.problems()).hasSize(1);
    assertThat(overrides.settings()).usingRecursiveComparison()
        .isEqualTo(AttemptSettings.DEFAULTS.withStartingTimeout(1_800_000));
  }

  @Test
  void userTextIsOneShortLineWithoutMarkup() {
    String problem = overrides("stateaware.\nERROR <script>&" + "x".repeat(500)).problems().get(0);
    assertThat(problem).doesNotContain("\n", "<script>", "&").hasSizeLessThan(250);
  }

  private static ApplicationOverrides overrides(String... tags) {
    return new ApplicationOverrides(configuration("allow-application-overrides", "true"), null,
        Set.of(tags));
  }

  private static PolicyConfiguration configuration(String... properties) {
    Map<String, String> conf = new HashMap<>();
    for (int i = 0; i < properties.length; i += 2) {
      conf.put("state-aware." + properties[i], properties[i + 1]);
    }
    return PolicyConfiguration.of(conf, PolicyKind.SUBMISSION);
  }

  private static Submission tagged(
      MockCluster cluster, String... tags) throws Exception {
    return cluster.submission(GB).withTags(tags);
  }
}
