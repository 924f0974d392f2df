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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

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
  }

  /** How many containers were taken, or given back, so far: in tests where none ends by itself. */
  int lost() {
    return lost;
  }

  ReclaimPolicy policy() {
    return reclaim;
  }

  /** How many containers applications got on nodes on which they had lost one, with demand unchanged. */
  int returned() {
    return returned;
  }

  /** From now on others ask for other things. */
  void demandChanges() {
    lostSince.clear();
  }

  private void look() {
    for (MockApp app : apps) {
      Map<ContainerId, NodeId> live = new HashMap<>();
      if (app.attempt() != null) {
        app.attempt().getLiveContainersMap()
            .forEach((id, container) -> live.put(id, container.getAllocatedNode()));
      }
      Map<ContainerId, NodeId> before = seen.getOrDefault(app, Map.of());
      List<NodeId> without = lostSince.computeIfAbsent(app, a -> new ArrayList<>());
      live.forEach((id, node) -> returned += !before.containsKey(id) && without.remove(node) ? 1 : 0);
      before.forEach((id, node) -> {
        if (!live.containsKey(id)) {
          lost++;
          without.add(node);
        }
      });
      seen.put(app, live);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
