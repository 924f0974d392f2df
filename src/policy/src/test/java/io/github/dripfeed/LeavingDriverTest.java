// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.TakeBackNeighboursTest.takeBack;
import static io.github.dripfeed.TakeBackTest.blocked;
import static io.github.dripfeed.TakeBackTest.takenBack;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.AutoSteps.autoCluster;
import static io.github.dripfeed.fixture.AutoSteps.runOneApplication;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.Test;

/**
 * The room of a driver that is taken back: its application loses it at once, and it is free when the node
 * has reported that the process has ended.
 */
class LeavingDriverTest {

  /** The processes of drivers, which take some seconds to end. */
  private static final class DriverProcesses {

    private static final class Process {
      final MockApp app;
      final ApplicationAttemptId attempt;
      final RMContainer driver;
      int ending;

      Process(MockApp app) {
        this.app = app;
        this.attempt = app.attemptId();
        this.driver = app.attempt().getRMContainer(
            app.rmApp().getCurrentAppAttempt().getMasterContainer().getId());
      }
    }

    private final MockCluster cluster;
    private final int stopping;
    private final List<Process> running = new ArrayList<>();

    /** @param stopping the seconds until a node reports the end */
    DriverProcesses(MockCluster cluster, int stopping) {
      this.cluster = cluster;
      this.stopping = stopping;
    }

    void start(MockApp app) throws Exception {
      Process process = new Process(app);
      report(process, ContainerState.RUNNING);
      running.add(process);
    }

    void run(int seconds) throws Exception {
      for (int i = 0; i < seconds; i++) {
        cluster.runFor(1);
        for (Process process : new ArrayList<>(running)) {
          if (!process.app.attemptId().equals(process.attempt) && process.ending++ >= stopping) {
            report(process, ContainerState.COMPLETE);
            running.remove(process);
          }
        }
      }
    }

    private void report(Process process, ContainerState state) throws Exception {
      for (MockNM node : cluster.nodes()) {
        if (node.getNodeId().equals(process.driver.getAllocatedNode())) {
          node.nodeHeartbeat(process.attempt, process.driver.getContainerId().getContainerId(), state);
          cluster.rm().drainEvents();
        }
      }
    }
  }

  @Test
  void driversOfOneNodeAreTakenBack() throws Exception {
    try (MockCluster cluster = autoCluster(takeBack(), 6 * GB, 6 * GB)) {
      runOneApplication(cluster, GB / 2);
      DriverProcesses drivers = new DriverProcesses(cluster, 2);
      List<MockApp> apps = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        MockApp app = cluster.submit();
        apps.add(app);
        cluster.tick();
        cluster.heartbeat(cluster.node(i % 2));
        assertThat(app.state()).isEqualTo(STARTING);
      }
      for (MockApp app : apps) {
        app.register().ask(1, 4 * GB);
        drivers.start(app);
      }
      int seconds = 0;
      while (apps.get(0).state() == STARTING && seconds++ < 60) {
        drivers.run(1);
      }
      assertThat(takenBack(apps)).as("those of the second node").containsExactly(apps.get(5), apps.get(7));
      assertThat(seconds).isLessThan(40);
    }
  }

  @Test
  void nobodyElseIsTakenBackHoweverLongADriverTakesToEnd() throws Exception {
    try (MockCluster cluster = autoCluster(takeBack(), 12 * GB)) {
      DriverProcesses drivers = new DriverProcesses(cluster, 200);
      List<MockApp> apps = blocked(cluster, 8, 5 * GB);
      for (MockApp app : apps) {
        drivers.start(app);
      }
      drivers.run(220);
      assertThat(takenBack(apps)).as("its room is on its way").containsExactly(apps.get(7));
      assertThat(apps.get(0).state()).isEqualTo(STARTING);
      drivers.run(30);
      assertThat(takenBack(apps)).containsExactly(apps.get(7));
      assertThat(apps.get(0).state()).isEqualTo(RUNNING);
    }
  }
}
