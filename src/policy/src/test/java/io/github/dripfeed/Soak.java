// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.ClusterRestart;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** A long random life of a cluster, second by virtual second, and the invariants of each second. */
final class Soak {

  private static final int MINUTES = Integer.getInteger("soak.minutes", 10);
  private static final long SEED = Long.getLong("soak.seed", 1L);
  private static final int NODES = 6;
  private static final int NODE_MEMORY = 24 * GB;
  private static final int MOST_LIVE = 80;
  /** The time after the last submission. All timeouts are far shorter. */
  private static final int DRAIN_SECONDS = 3_600;

  private final Random random;
  private final long seed;
  private final boolean auto;
  private final List<SoakApp> live = new ArrayList<>();
  private final List<WeakReference<FiCaSchedulerApp>> attempts = new ArrayList<>();
  private final Map<String, Integer> events = new TreeMap<>();
  private final long startedAt = System.nanoTime();
  private MockCluster cluster;
  private ClusterRestart restart;
  private int maxStarting = 3;
  private int second;
  private int longestWait;
  private int mostLive;
  private int mostStarting;

  private Soak(long seed, boolean auto) {
    this.seed = seed;
    this.auto = auto;
    this.random = new Random(seed);
  }

  /**
   * Runs the whole workload and checks that nothing is left.
   *
   * @param auto whether as many start at once as the queue can use
   * @param report the file below {@code target} for the statistics
   */
  static Soak run(MockCluster cluster, boolean auto, String report) throws Exception {
    Soak soak = new Soak(SEED, auto);
    soak.run(cluster, MINUTES * 60);
    Files.createDirectories(Path.of("target"));
    Files.write(Path.of("target", report), soak.report());
    soak.assertNothingIsLeft();
    return soak;
  }

  private void assertNothingIsLeft() throws Exception {
    assertThat(live).as("without an end %s s after the last submission, seed %s", DRAIN_SECONDS,
        seed).isEmpty();
    assertThat(cluster.policy().getNumSchedulableEntities()).isZero();
    assertThat(DripfeedRuntime.current().metrics().failures()).isZero();
    Eventually.is("every attempt is collected", () -> {
      System.gc();
      return attempts.stream().allMatch(attempt -> attempt.get() == null);
    });
  }

  /** @param seconds how long applications arrive; afterwards the remaining ones end */
  private void run(MockCluster onCluster, int seconds) throws Exception {
    cluster = onCluster;
    for (int i = 0; i < NODES; i++) {
      cluster.addNode(NODE_MEMORY);
    }
    refreshMaxStarting();
    cluster.refresh(stateAwareKey("take-back"), "off");
    cluster.refresh(stateAwareKey("starting-timeout"), "30s");
    for (second = 0; second < seconds; second++) {
      submit();
      disturb();
      step();
    }
    for (int end = second + DRAIN_SECONDS; second < end && !live.isEmpty(); second++) {
      step();
    }
  }

  private void refreshMaxStarting() throws Exception {
    cluster.refresh(stateAwareKey("max-starting"), auto ? "auto" : "" + maxStarting);
  }

  private void step() throws Exception {
    cluster.tick();
    reconnectNode();
    heartbeat();
    if (!isRestarting()) {
      for (SoakApp app : new ArrayList<>(live)) {
        app.act(second);
        if (app.hasEnded()) {
          live.remove(app);
          longestWait = Math.max(longestWait, app.waited());
        }
      }
    }
    mostLive = Math.max(mostLive, live.size());
  }

  /** A heartbeat of all nodes. Beyond the slots, one application starts for each higher priority. */
  private void heartbeat() throws Exception {
    int before = starting();
    int highest = prioritiesOfStarting().max().orElse(0);
    cluster.heartbeat();
    if (!isRestarting()) {
      // Until its node is back, the age of a driver is unknown.
      mostStarting = Math.max(mostStarting, starting());
    }
    if (!auto) {
      assertThat(starting()).as("starting in second %s, seed %s", second, seed)
          .isLessThanOrEqualTo(Math.max(
              maxStarting + Math.max(1, (int) prioritiesOfStarting().distinct().count()) - 1,
              // After a restart, those that run are starting until their nodes are back.
              before + (prioritiesOfStarting().max().orElse(0) > highest ? 1 : 0)));
    }
  }

  private IntStream prioritiesOfStarting() {
    return cluster.policy().getSchedulableEntities().stream()
        .filter(attempt -> cluster.stateOf(attempt) == State.STARTING)
        .mapToInt(attempt -> attempt.getPriority().getPriority());
  }

  /** The applications that take a slot from others. */
  private int starting() {
    // Handles everything that is due, so that later changes are the scheduler's.
    cluster.offered();
    return (int) cluster.policy().getSchedulableEntities().stream()
        .filter(attempt -> cluster.stateOf(attempt) == State.STARTING)
        .filter(attempt -> !cluster.isStartingTimeExhausted(attempt)).count();
  }

  private void submit() throws Exception {
    if (live.size() < MOST_LIVE) {
      SoakApp.Kind[] kinds = SoakApp.Kind.values();
      // Most are plain.
      SoakApp.Kind kind =
          random.nextInt(3) > 0 ? SoakApp.Kind.PLAIN : kinds[random.nextInt(kinds.length)];
      MockApp app = cluster.submit((1 + random.nextInt(2)) * GB, random.nextInt(3));
      live.add(new SoakApp(app, kind, random, second));
      attempts.add(new WeakReference<>(app.attempt()));
      count("submitted " + kind);
    }
  }

  private void disturb() throws Exception {
    if (isRestarting() || live.isEmpty()) {
      return;
    }
    SoakApp any = live.get(random.nextInt(live.size()));
    switch (random.nextInt(40)) {
      case 0:
        maxStarting = 2 + random.nextInt(3);
        refreshMaxStarting();
        count("refreshed");
        break;
      case 1:
        cluster.loseNode(cluster.node(random.nextInt(NODES)));
        cluster.addNode(NODE_MEMORY);
        count("node lost, another added");
        break;
      case 2:
        if (second % 3 == 0) {
          restart = cluster.restart();
          // One of YARN's own timers retains everything of the stopped ResourceManager.
          attempts.clear();
          count("ResourceManager restarted");
        }
        break;
      case 3:
      case 4:
        any.app().setPriority(random.nextInt(5));
        count("priority changed");
        break;
      case 5:
        any.app().moveTo(OTHER);
        any.app().moveTo(MockCluster.DRIP);
        count("moved away and back");
        break;
      case 6:
        any.kill();
        count("killed");
        break;
      default:
        break;
    }
  }

  /** After a restart one node registers each second. */
  private void reconnectNode() throws Exception {
    if (isRestarting()) {
      restart.reconnectNext();
      if (!isRestarting()) {
        for (SoakApp app : live) {
          app.findResourceManager();
          if (app.app().attempt() != null) {
            attempts.add(new WeakReference<>(app.app().attempt()));
          }
        }
      }
    }
  }

  private boolean isRestarting() {
    return restart != null && restart.isWaitingForNodes();
  }

  private void count(String event) {
    events.merge(event, 1, Integer::sum);
  }

  int mostStarting() {
    return mostStarting;
  }

  private List<String> report() {
    List<String> lines = new ArrayList<>();
    lines.add("seed " + seed + ", " + second + " virtual seconds in "
        + (System.nanoTime() - startedAt) / 1_000_000_000 + " s");
    events.forEach((event, times) -> lines.add(event + ": " + times));
    lines.add("live at once, at most: " + mostLive);
    lines.add("starting at once, at most: " + mostStarting);
    lines.add("longest wait for the first driver: " + longestWait + " s");
    return lines;
  }
}
