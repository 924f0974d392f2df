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
import static io.github.dripfeed.core.State.ACCEPTED;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Steps of tests with {@code parallel-start=headroom} on the real scheduler. */
final class Headroom {

  /** The largest container that YARN allows, by its default, in MB. */
  static final int LARGEST = 8 * GB;

  private Headroom() {
  }

  static MockCluster cluster(int... nodes) throws Exception {
    return cluster(Map.of(), nodes);
  }

  static MockCluster cluster(Map<String, String> properties, int... nodes)
      throws Exception {
    List<String> all = new ArrayList<>(
        List.of(MockCluster.stateAwareKey("parallel-start"), "headroom"));
    properties.forEach((name, value) -> all.addAll(List.of(name, value)));
    MockCluster cluster =
        MockCluster.configured(StateAwareOrderingPolicy.class, all.toArray(new String[0]));
    for (int node : nodes) {
      cluster.addNode(node);
    }
    return cluster;
  }

  static List<MockApp> submit(MockCluster cluster, int count) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      apps.add(cluster.submit());
    }
    return apps;
  }

  /** An application of the queue comes, asks for an executor of this size, and goes. */
  static void show(MockCluster cluster, int executorMemory) throws Exception {
    MockApp app = cluster.submit();
    cluster.heartbeat();
    app.register().ask(1, executorMemory);
    cluster.look();
    cluster.heartbeat();
    app.heartbeat();
    app.finish();
  }

  /** The monitor looks again, and every node has a heartbeat. */
  static void go(MockCluster cluster) throws Exception {
    cluster.lookAgain();
    cluster.heartbeat();
  }

  static long drivers(List<MockApp> apps) {
    return apps.stream().filter(app -> app.state() != ACCEPTED).count();
  }
}
