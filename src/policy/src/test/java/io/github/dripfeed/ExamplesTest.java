// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.monitorAndHeartbeat;
import static io.github.dripfeed.fixture.AutoSteps.startedDrivers;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.HadoopVersion;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each shipped example does what its text says. */
class ExamplesTest {

  private static final String QUEUE = "root.batch";

  @Test
  void theFirstStartsAsManyAsThereIsRoomFor() throws Exception {
    try (MockCluster cluster = MockCluster.ofExample("capacity-scheduler.xml")) {
      cluster.addNode(64 * GB);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        apps.add(cluster.submit(cluster.submission(GB).withQueue("root.dripfed")));
      }
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("nothing is known: a sixth of half of the node").isEqualTo(5);
    }
  }

  @Test
  void fifoServesInSubmissionOrder() throws Exception {
    try (MockCluster cluster = MockCluster.ofExample("fifo/capacity-scheduler.xml")) {
      cluster.addNode(10 * GB);
      List<MockApp> apps = startAll(cluster, 0, 1, 3);
      assertThat(cluster.offeredIn(QUEUE)).containsExactly("App1", "App2", "App3");
      assertThat(apps).extracting(MockApp::containers).as("the others get the rest")
          .containsExactly(8, 1, 1);
    }
  }

  @Test
  void priorityServesTheHigherPriorityFirst() throws Exception {
    try (MockCluster cluster = MockCluster.ofExample("priority/capacity-scheduler.xml")) {
      cluster.addNode(10 * GB);
      List<MockApp> apps = startAll(cluster, 0, 3, 1);
      assertThat(cluster.offeredIn(QUEUE)).containsExactly("App2", "App3", "App1");
      assertThat(apps).extracting(MockApp::containers).containsExactly(1, 8, 1);
    }
  }

  @Test
  void fairDividesByWeight() throws Exception {
    try (MockCluster cluster = MockCluster.ofExample("fair/capacity-scheduler.xml")) {
      cluster.addNode(21 * GB);
      List<MockApp> apps = startAll(cluster, 0, 1, 3);
      assertThat(apps).extracting(MockApp::containers).containsExactly(3, 6, 12);
    }
  }

  @Test
  void tenantsStartAsManyAsThereIsRoomFor() throws Exception {
    assumeTrue(HadoopVersion.isAtLeast("3.4"), "flexible auto-created queues came with 3.4");
    try (MockCluster cluster = MockCluster.ofExample("tenants/capacity-scheduler.xml")) {
      cluster.addNode(20 * GB);
      List<MockApp> apps = submitOfTenants(cluster, "ann", "bob", "cleo", "dan", "eve");
      monitorAndHeartbeat(cluster);
      monitorAndHeartbeat(cluster);
      assertThat(startedDrivers(apps)).as("nothing is known: a sixth").isEqualTo(3);
    }
  }

  private static List<MockApp> submitOfTenants(MockCluster cluster, String... users) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (String user : users) {
      apps.add(cluster.submit(cluster.submission(GB).withQueue("root.tenants." + user).withUser(user)));
    }
    return apps;
  }

  @Test
  void tenantsStartOneAtATimeWhereThereIsRoomForOne() throws Exception {
    assumeTrue(HadoopVersion.isAtLeast("3.4"), "flexible auto-created queues came with 3.4");
    try (MockCluster cluster = MockCluster.ofExample("tenants/capacity-scheduler.xml")) {
      cluster.addNode(10 * GB);
      List<MockApp> apps = submitOfTenants(cluster, "ann", "bob", "cleo");
      for (int started = 1; started <= 3; started++) {
        cluster.heartbeat();
        MockApp starting = apps.stream().filter(app -> app.state() == STARTING).findFirst().get();
        assertThat(apps).filteredOn(app -> app.containers() > 0).hasSize(started);
        starting.register().ask(1, GB);
        cluster.heartbeat();
      }
    }
  }

  /** Applications of these priorities. All run, and then all request more than the queue has. */
  private static List<MockApp> startAll(MockCluster cluster, int... priorities) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int priority : priorities) {
      MockApp app = cluster.submit(cluster.submission(GB).withQueue(QUEUE)
          .withPriority(priority));
      cluster.heartbeat();
      app.register().ask(1, GB);
      cluster.heartbeat();
      app.heartbeat();
      app.release(app.executors());
      apps.add(app);
    }
    for (MockApp app : apps) {
      app.ask(30, GB);
    }
    cluster.heartbeat();
    return apps;
  }
}
