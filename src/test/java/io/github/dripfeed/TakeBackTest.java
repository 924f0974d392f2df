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

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.HeadroomSteps.headroomCluster;
import static io.github.dripfeed.fixture.HeadroomSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.HeadroomSteps.runOneApplication;
import static io.github.dripfeed.fixture.HeadroomSteps.startedDrivers;
import static io.github.dripfeed.fixture.HeadroomSteps.submitMany;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Drivers;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code take-back=on} on the real scheduler. */
class TakeBackTest {

  static MockCluster cluster(int memory, String... more) throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put(MockCluster.stateAwareKey("take-back"), "on");
    for (int i = 0; i < more.length; i += 2) {
      properties.put(MockCluster.stateAwareKey(more[i]), more[i + 1]);
    }
    return headroomCluster(properties, memory);
  }

  /** Applications that a wrong estimate has started together, and whose executors do not fit. */
  static List<MockApp> blocked(MockCluster cluster, int count, int executor) throws Exception {
    runOneApplication(cluster, GB / 2);
    List<MockApp> apps = submitMany(cluster, count);
    for (int i = 0; i < 4; i++) {
      monitorAndHeartbeat(cluster);
    }
    assertThat(startedDrivers(apps)).isEqualTo(count);
    for (MockApp app : apps) {
      app.register().ask(1, executor);
    }
    return apps;
  }

  static int attemptOf(MockApp app) {
    return app.attemptId().getAttemptId();
  }

  static List<MockApp> takenBack(List<MockApp> apps) {
    List<MockApp> taken = new ArrayList<>();
    for (MockApp app : apps) {
      if (attemptOf(app) > 1) {
        taken.add(app);
      }
    }
    return taken;
  }

  @Test
  void youngestAreTakenBackUntilTheOldestHasRoom() throws Exception {
    try (MockCluster cluster = cluster(12 * GB)) {
      List<MockApp> apps = blocked(cluster, 8, 6 * GB);
      cluster.runFor(30);
      assertThat(takenBack(apps)).as("not yet").isEmpty();
      cluster.runFor(8);
      assertThat(takenBack(apps)).as("12 GB hold 6 drivers and 6 GB").containsExactly(apps.get(6), apps.get(7));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
      assertThat(apps.subList(1, 6)).extracting(MockApp::state).containsOnly(STARTING);
      assertThat(apps.get(7).state()).isEqualTo(ACCEPTED);
    }
  }

  @Test
  void allFinish() throws Exception {
    try (MockCluster cluster = cluster(32 * GB)) {
      runOneApplication(cluster, GB / 2);
      List<MockApp> apps = submitMany(cluster, 26);
      Drivers drivers = new Drivers(cluster, apps, 8 * GB);
      int seconds = 0;
      while (!drivers.areDone()) {
        drivers.run(1);
        assertThat(++seconds).as("%s", drivers).isLessThan(1500);
      }
      assertThat(drivers.mostStarted()).as("without a reserve").isGreaterThan(16);
      assertThat(takenBack(apps)).isNotEmpty();
      assertThat(attemptOf(apps.get(0))).as("the oldest").isEqualTo(1);
    }
  }
}
