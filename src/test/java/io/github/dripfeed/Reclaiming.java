/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static io.github.dripfeed.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/** A {@link MockCluster} whose queue under test reclaims, round by round, when the test says so. */
final class Reclaiming implements AutoCloseable {

  static final Duration INTERVAL = Duration.ofSeconds(3);
  /** Enough to ask, to let the time of grace pass, and to take. */
  static final int ROUNDS = 8;

  final MockCluster cluster;
  private final ReclaimPolicy reclaim = new ReclaimPolicy();
  private final List<MockApp> apps = new ArrayList<>();
  private final Map<MockApp, Map<ContainerId, NodeId>> seen = new LinkedHashMap<>();
  /** Where containers were lost since demand has changed. */
  private final Map<MockApp, List<NodeId>> lostSince = new HashMap<>();
  private final List<MockApp> gotSince = new ArrayList<>();
  /** The users to whom one came back since. */
  private final Set<String> cameBack = new HashSet<>();
  private int lost;
  private int returned;

  private Reclaiming(MockCluster cluster) {
    this.cluster = cluster;
    reclaim.init(cluster.scheduler().getConf(), cluster.rm().getRMContext(), cluster.scheduler());
  }

  static Reclaiming byPriority(String... properties) {
    return of(StateAwareOrderingPolicy.class, properties);
  }

  static Reclaiming byShare(String... properties) {
    return of(StateAwareFairOrderingPolicy.class, properties);
  }

  private static Reclaiming of(Class<?> policy, String... properties) {
    List<String> all = new ArrayList<>(List.of(
        // The scheduler asks whether monitors are on at all; this one is called by the test.
        YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, "true",
        YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, "",
        MockCluster.stateAwareKey("reclaim.enabled"), "true",
        MockCluster.stateAwareKey("reclaim.max-per-round"), "100%"));
    all.addAll(Arrays.asList(properties));
    return new Reclaiming(MockCluster.configured(policy, all.toArray(new String[0])));
  }

  /** An application of this priority that has its driver and asks for so many executors of 1 GB. */
  MockApp start(int priority, int executors) throws Exception {
    return start(cluster.submission(GB).withPriority(priority),
        executors);
  }

  MockApp start(Submission submission, int executors) throws Exception {
    MockApp app = submit(submission);
    cluster.heartbeat();
    app.register().ask(executors, GB);
    cluster.heartbeat();
    app.heartbeat();
    return app;
  }

  MockApp submit(Submission submission) throws Exception {
    MockApp app = cluster.submit(submission);
    apps.add(app);
    return app;
  }

  MockApp submit(int priority) throws Exception {
    return submit(cluster.submission(GB).withPriority(priority));
  }

  /** An application of this priority whose driver gets its place as others lose theirs. */
  MockApp arrive(int priority) throws Exception {
    return arrive(cluster.submission(GB).withPriority(priority));
  }

  MockApp arrive(Submission submission) throws Exception {
    MockApp app = submit(submission);
    rounds(ROUNDS);
    return app.register();
  }

  /** Nothing more is taken in so many rounds. */
  void assertAtRest(int rounds) throws Exception {
    int before = lost;
    rounds(rounds);
    assertThat(lost).as("at rest").isEqualTo(before);
  }

  /** The nodes with this label are the queue's. */
  static String[] withLabel(String label, String... more) {
    String root = CapacitySchedulerConfiguration.PREFIX + "root.accessible-node-labels";
    String drip = CapacitySchedulerConfiguration.PREFIX + MockCluster.DRIP + ".accessible-node-labels";
    List<String> all = new ArrayList<>(List.of(YarnConfiguration.NODE_LABELS_ENABLED, "true",
        root, label, root + "." + label + ".capacity", "100",
        drip, label, drip + "." + label + ".capacity", "100"));
    all.addAll(List.of(more));
    return all.toArray(new String[0]);
  }

  /** Adds a node with a label. */
  void addNode(int memory, String label) throws Exception {
    cluster.rm().getRMContext().getNodeLabelManager()
        .addToCluserNodeLabels(Set.of(NodeLabel.newInstance(label, true)));
    cluster.label(cluster.addNode(memory), label);
  }

  /** Time passes, and what is due is asked back or taken. */
  void round() throws Exception {
    cluster.pass(INTERVAL);
    look();
    reclaim.editSchedule();
    cluster.rm().drainEvents();
    look();
  }

  /** A round, and a heartbeat of all nodes and drivers. */
  void roundAndHeartbeats() throws Exception {
    round();
    heartbeats();
  }

  /** A heartbeat of all nodes and drivers. */
  void heartbeats() throws Exception {
    cluster.heartbeat();
    for (MockApp app : apps) {
      if (app.attempt() != null && app.isRegistered()) {
        app.heartbeat();
      }
    }
    look();
  }

  void rounds(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      roundAndHeartbeats();
    }
  }

  /** It is about to end, and what it has with it. */
  void forget(MockApp app) {
    apps.remove(app);
    seen.remove(app);
    lostSince.remove(app);
    gotSince.remove(app);
  }

  /** How many containers were taken, or given back, so far: in tests where none ends by itself. */
  int lost() {
    return lost;
  }

  ReclaimPolicy policy() {
    return reclaim;
  }

  /**
   * How many containers applications got on nodes on which they had lost one, with demand unchanged. YARN
   * lets a user who is not above his limit have one container more, however large it is: what one of his
   * applications lost for another of his to get below it may be one more than its size, and that one comes
   * back, and does not count.
   */
  int returned() {
    return returned;
  }

  /** From now on others ask for other things. */
  void demandChanges() {
    lostSince.clear();
    gotSince.clear();
    cameBack.clear();
  }

  private void look() {
    List<MockApp> back = new ArrayList<>();
    for (MockApp app : apps) {
      Map<ContainerId, NodeId> live = new HashMap<>();
      if (app.attempt() != null) {
        app.attempt().getLiveContainersMap()
            .forEach((id, container) -> live.put(id, container.getAllocatedNode()));
      }
      Map<ContainerId, NodeId> before = seen.getOrDefault(app, Map.of());
      List<NodeId> without = lostSince.computeIfAbsent(app, a -> new ArrayList<>());
      live.forEach((id, node) -> {
        if (!before.containsKey(id)) {
          (without.remove(node) ? back : gotSince).add(app);
        }
      });
      before.forEach((id, node) -> {
        if (!live.containsKey(id)) {
          lost++;
          without.add(node);
        }
      });
      seen.put(app, live);
    }
    for (MockApp app : back) {
      boolean isForAnother = gotSince.stream().anyMatch(
          other -> other != app && other.rmApp().getUser().equals(app.rmApp().getUser()));
      returned += isForAnother && cameBack.add(app.rmApp().getUser()) ? 0 : 1;
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
