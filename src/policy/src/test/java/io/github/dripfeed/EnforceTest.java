// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code enforce} = {@code false} on the real Capacity Scheduler: nobody is held, and states are known. */
class EnforceTest {

  private static final int STEPS = 400;

  /** A random life: that of a seed is the same on every cluster where the same is allocated. */
  private static final class Life {
    private final Random random;
    private final MockCluster cluster;
    /** Under YARN's fair policy priority is nothing, but a change leaves a stale place for a while. */
    private final boolean isPriorityChanged;
    private final List<MockApp> apps = new ArrayList<>();

    Life(long seed, boolean isPriorityChanged, MockCluster cluster) {
      this.random = new Random(seed);
      this.isPriorityChanged = isPriorityChanged;
      this.cluster = cluster;
    }

    void step() throws Exception {
      int kind = random.nextInt(10);
      MockApp app = apps.isEmpty() ? null : apps.get(random.nextInt(apps.size()));
      int amount = 1 + random.nextInt(3);
      cluster.advance(Duration.ofSeconds(1));
      if (app == null || kind < 2) {
        apps.add(cluster.submit(amount * GB / 2, random.nextInt(3)));
      } else if (app.hasEnded()) {
        cluster.heartbeat();
      } else if (kind == 2 && !app.isRegistered() && app.containers() > 0) {
        app.register().ask(amount, GB);
      } else if (kind == 3 && app.isRegistered()) {
        app.ask(amount, amount * GB);
      } else if (kind == 4 && app.isRegistered()) {
        app.heartbeat();
        app.release(app.executors().stream().limit(amount).collect(Collectors.toList()));
      } else if (kind == 5 && isPriorityChanged) {
        app.setPriority(amount);
      } else if (kind == 6 && amount == 1) {
        app.kill();
      } else {
        cluster.heartbeat();
      }
      cluster.tick();
    }

    String seen() {
      return apps.stream().filter(app -> !app.hasEnded())
          .map(app -> app.name() + " " + app.containers() + "+" + app.reservations())
          .collect(Collectors.joining(", ")) + "; offered " + cluster.offered() + ", preempted "
          + cluster.inPreemptionOrder();
    }
  }

  private static MockCluster unenforced(Class<?> policy) {
    // What is off must be off, whatever is written.
    return MockCluster.of(policy, "enforce", "false", "max-containers", "2", "max-starting", "auto",
        "take-back-after", "1s", "reclaim.enabled", "true");
  }

  @ParameterizedTest
  @CsvSource({"fifo,1", "fifo,2", "fifo,3", "fair,4", "fair,5", "fair,6"})
  void everyStepGivesWhatTheStockPolicyGives(String stock, long seed) throws Exception {
    boolean isFair = stock.equals("fair");
    Class<?> policy = isFair ? StateAwareFairOrderingPolicy.class : StateAwareOrderingPolicy.class;
    List<String> expected;
    try (MockCluster cluster = MockCluster.of(policy)) {
      cluster.refresh(queueKey("ordering-policy"), stock);
      expected = seen(cluster, seed, isFair);
    }
    assertThat(expected.get(STEPS - 1)).as("the life fills the queue").contains(" 0+0");
    try (MockCluster cluster = unenforced(policy)) {
      List<String> seen = seen(cluster, seed, isFair);
      for (int step = 0; step < STEPS; step++) {
        assertThat(seen.get(step)).as("step %d", step).isEqualTo(expected.get(step));
      }
    }
  }

  private static List<String> seen(MockCluster cluster, long seed, boolean isFair) throws Exception {
    for (int node = 0; node < 3; node++) {
      cluster.addNode(8 * GB);
    }
    Life life = new Life(seed, !isFair, cluster);
    List<String> seen = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      life.step();
      seen.add(life.seen());
    }
    return seen;
  }

  @Test
  void statesAreKnownAndNobodyIsHeld() throws Exception {
    try (MockCluster cluster = unenforced(StateAwareOrderingPolicy.class)) {
      cluster.addNode(4 * GB);
      List<MockApp> apps = cluster.submitMany(6, GB, "alice");
      cluster.runFor(10);
      assertThat(apps).extracting(MockApp::state)
          .as("drivers fill the queue").containsExactly(State.STARTING, State.STARTING, State.STARTING,
              State.STARTING, State.ACCEPTED, State.ACCEPTED);
      assertThat(apps.get(5).rmApp().getCurrentAppAttempt().getDiagnostics()).doesNotContain("Held by");
      assertThat(cluster.policy().getInfo()).contains("2 accepted, 4 starting, 0 running")
          .contains("enforce=false").doesNotContain("max-starting");
      assertThat(LiveTables.column("Queues", "maxStarting")).containsExactly("");
      cluster.advance(Duration.ofMinutes(5));
      cluster.tick();
      assertThat(apps.get(0).state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void itIsSwitchedOnAndOffByARefresh() throws Exception {
    try (MockCluster cluster = MockCluster.ofOneNode(32 * GB)) {
      cluster.submitMany(3, GB, "alice");
      cluster.runFor(6);
      assertThat(cluster.offered()).containsExactly("App1");
      cluster.refresh(stateAwareKey("enforce"), "false");
      assertThat(cluster.offered()).containsExactly("App1", "App2", "App3");
      cluster.refresh(stateAwareKey("enforce"), "true");
      assertThat(cluster.offered()).containsExactly("App1");
    }
  }
}
