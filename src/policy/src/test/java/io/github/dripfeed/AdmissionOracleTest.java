// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.ClusterRestart;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random lives of a queue on the real scheduler. An {@link AdmissionOracle} decides from YARN's data alone
 * whether the promises of docs/robustness.md hold. More of it: {@code -Doracle.seeds=200}.
 */
class AdmissionOracleTest {

  private static final int FIRST = Integer.getInteger("oracle.first", 1);
  private static final int SEEDS = Integer.getInteger("oracle.seeds", 6);
  private static final int SECONDS = Integer.getInteger("oracle.seconds", 240);
  private static final int MOST_LIVE = 24;

  private final List<SoakApp> live = new ArrayList<>();
  private final AdmissionOracle.Limits limits = new AdmissionOracle.Limits();
  private Random random;
  private MockCluster cluster;
  private AdmissionOracle oracle;
  private ClusterRestart restart;
  private int second;
  private int nodeSize;
  private int secondsBetweenArrivals;
  /** Nodes with a label. The label manager of YARN's test helper does not survive a restart. */
  private boolean isLabelled;

  static IntStream seeds() {
    return IntStream.range(FIRST, FIRST + SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void promisesHoldInARandomLife(int seed) throws Exception {
    random = new Random(seed);
    try (MockCluster created = createCluster()) {
      cluster = created;
      cluster.rm().getRMContext().getNodeLabelManager()
          .addToCluserNodeLabelsWithDefaultExclusivity(Set.of("gpu"));
      cluster.refresh();
      oracle = new AdmissionOracle(cluster, limits);
      for (int i = 0; i < 4; i++) {
        addNode();
      }
      for (second = 0; second < SECONDS; second++) {
        live();
      }
      assertThat(oracle.broken()).as("seed %s", seed).isEmpty();
      assertThat(oracle.drivers()).as("drivers, seed %s", seed).isGreaterThan(5);
    }
  }

  private MockCluster createCluster() {
    boolean fair = random.nextInt(3) == 0;
    limits.maxStarting = 1 + random.nextInt(3);
    limits.acceptedTimeout = 32;
    limits.startingTimeout = 20;
    limits.byPriority = fair || random.nextBoolean();
    limits.userShare = random.nextInt(3) == 0 ? 0.36 : 1;
    limits.queueShare = random.nextInt(3) == 0 ? 0.9 : 1;
    nodeSize = (4 + 2 * random.nextInt(3)) * GB;
    secondsBetweenArrivals = 1 + random.nextInt(5);
    isLabelled = random.nextBoolean();
    List<String> properties = new ArrayList<>(List.of(
        YarnConfiguration.NODE_LABELS_ENABLED, "true",
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, "1000",
        YarnConfiguration.AM_SCHEDULING_NODE_BLACKLISTING_ENABLED, "false",
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB,
        CapacitySchedulerConfiguration.PREFIX + "root.accessible-node-labels.gpu.capacity", "100",
        queueKey("accessible-node-labels"), "gpu",
        queueKey("accessible-node-labels.gpu.capacity"), "100",
        queueKey("maximum-capacity"), limits.queueShare == 1 ? "100" : "90",
        queueKey("user-limit-factor"), limits.userShare == 1 ? "100" : "0.4",
        stateAwareKey("exempt-application-types"), "Launcher",
        stateAwareKey("accepted-timeout"), limits.acceptedTimeout + "s",
        stateAwareKey("starting-timeout"), limits.startingTimeout + "s",
        stateAwareKey("max-starting"), "" + limits.maxStarting));
    if (!limits.byPriority) {
      properties.addAll(List.of(stateAwareKey("order"), "fifo"));
    }
    return MockCluster.configured(fair ? StateAwareFairOrderingPolicy.class
        : StateAwareOrderingPolicy.class, properties.toArray(new String[0]));
  }

  /** One second. */
  private void live() throws Exception {
    if (restart != null && restart.isWaitingForNodes()) {
      restart.reconnectNext();
      if (!restart.isWaitingForNodes()) {
        for (SoakApp app : live) {
          app.findResourceManager();
        }
        oracle.observe();
      }
    } else {
      if (live.size() < MOST_LIVE && random.nextInt(secondsBetweenArrivals) == 0) {
        submit();
      }
      for (SoakApp app : List.copyOf(live)) {
        app.act(second);
        oracle.observe();
        if (app.hasEnded()) {
          live.remove(app);
        }
      }
    }
    for (MockNM node : cluster.nodes()) {
      if (cluster.scheduler().getSchedulerNode(node.getNodeId()) != null) {
        cluster.heartbeat(node);
        oracle.observe();
      }
    }
    oracle.endSecond();
    if (restart == null || !restart.isWaitingForNodes()) {
      disturb();
      oracle.observe();
    }
    cluster.tick();
    cluster.rm().drainEvents();
    oracle.observe();
  }

  private void submit() throws Exception {
    SoakApp.Kind[] kinds = SoakApp.Kind.values();
    SoakApp.Kind kind = random.nextBoolean() ? SoakApp.Kind.PLAIN : kinds[random.nextInt(kinds.length)];
    boolean isLauncher = random.nextInt(12) == 0;
    // YARN ends a walk at an exempt one that is too large for the queue, as under a stock policy.
    boolean fitsNoNode = random.nextInt(10) == 0 && !isLauncher;
    String label = isLabelled && random.nextInt(4) == 0 ? "gpu" : "";
    String user = "user" + random.nextInt(3);
    Submission submission = cluster.submission(fitsNoNode ? 12 * GB : (1 + random.nextInt(3)) * GB)
        .withUser(user).withPriority(random.nextInt(4) / 3).withMaxAttempts(1000);
    if (isLauncher) {
      submission.withType("Launcher");
    }
    if (!label.isEmpty()) {
      submission.withDriverLabel(label);
    }
    MockNM large = fitsNoNode ? addLargeNode(label) : null;
    MockApp app = cluster.submit(submission);
    if (large != null) {
      cluster.loseNode(large);
    }
    live.add(new SoakApp(app, kind, random, second));
    oracle.submitted(app, user, label, isLauncher);
  }

  /** Without it YARN refuses an application that is larger than every node. */
  private MockNM addLargeNode(String label) throws Exception {
    MockNM large = cluster.addNode(16 * GB);
    cluster.label(large, label);
    return large;
  }

  private void addNode() throws Exception {
    MockNM node = cluster.addNode(nodeSize);
    cluster.label(node, isLabelled && cluster.nodes().size() % 4 == 0 ? "gpu" : "");
  }

  private void disturb() throws Exception {
    if (live.isEmpty()) {
      return;
    }
    SoakApp any = live.get(random.nextInt(live.size()));
    switch (random.nextInt(60)) {
      case 0:
        limits.maxStarting = 1 + random.nextInt(3);
        cluster.refresh(stateAwareKey("max-starting"), "" + limits.maxStarting);
        break;
      case 1:
        if (cluster.nodes().size() > 2) {
          cluster.loseNode(cluster.node(random.nextInt(cluster.nodes().size())));
        }
        break;
      case 2:
      case 3:
        if (cluster.nodes().size() < 5) {
          addNode();
        }
        break;
      case 4:
        if (!isLabelled) {
          oracle.restarting();
          restart = cluster.restart();
          oracle.restarted();
        }
        break;
      case 5:
      case 6:
        any.app().setPriority(random.nextInt(2));
        break;
      case 7:
        move(any.app(), DRIP, OTHER);
        break;
      case 8:
      case 9:
        for (SoakApp app : live) {
          move(app.app(), OTHER, DRIP);
        }
        break;
      case 10:
        any.kill();
        break;
      case 11:
      case 12:
        failDriver(any.app());
        break;
      default:
        break;
    }
  }

  private void move(MockApp app, String from, String to) throws Exception {
    if (app.attempt() != null && from.endsWith(app.attempt().getQueueName())
        && app.attempt().getAppAMNodePartitionName().isEmpty()) {
      app.moveTo(to);
      oracle.moved(app);
    }
  }

  private void failDriver(MockApp app) throws Exception {
    RMAppAttemptState state = app.rmApp().getCurrentAppAttempt().getAppAttemptState();
    if (state == RMAppAttemptState.LAUNCHED || state == RMAppAttemptState.RUNNING) {
      app.failDriver();
    }
  }
}
