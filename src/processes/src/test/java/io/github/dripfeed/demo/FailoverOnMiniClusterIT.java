// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.FreePorts;
import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.LogOfFailure;
import io.github.dripfeed.fixture.Submission;
import io.github.dripfeed.runtime.Clock;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.yarn.QueueCompat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two ResourceManagers, a real NodeManager and real processes. The test stops the active ResourceManager
 * while there are applications in every state.
 */
@ExtendWith(LogOfFailure.class)
@Tag("slow")
class FailoverOnMiniClusterIT {

  private static final String QUEUE = "root.dripfed";
  private static final Duration STARTING_TIMEOUT = Duration.ofSeconds(25);
  private static final Duration SLOW_START = Duration.ofSeconds(35);

  private DemoCluster cluster;

  @BeforeEach
  void start() throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put(YarnConfiguration.YARN_MINICLUSTER_FIXED_PORTS, "true");
    properties.put(YarnConfiguration.YARN_MINICLUSTER_USE_RPC, "true");
    properties.put(YarnConfiguration.AUTO_FAILOVER_ENABLED, "false");
    properties.put(YarnConfiguration.RM_HA_IDS, "rm0,rm1");
    // A refused client tries the other ResourceManager without a long pause.
    properties.put(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_BASE_MS, "100");
    properties.put(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_MAX_MS, "500");
    properties.put("yarn.scheduler.capacity." + QUEUE
        + ".ordering-policy.state-aware.starting-timeout", STARTING_TIMEOUT.toSeconds() + "s");
    for (String address : YarnConfiguration.getServiceAddressConfKeys(new YarnConfiguration())) {
      for (String id : List.of("rm0", "rm1")) {
        properties.put(HAUtil.addSuffix(address, id), "localhost:" + FreePorts.next());
      }
    }
    cluster = DemoCluster.start(DemoCluster.examples(), Path.of("target", "failover")
        .toAbsolutePath(), 2, properties);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void applicationsKeepTheirStatesAcrossAFailover() throws Exception {
    try (Burst long1 = new Burst(cluster, new Burst.Shape(1, 512, 0, 2, 512, 45));
        Burst slow1 = new Burst(
            cluster, new Burst.Shape(1, 512, (int) SLOW_START.toSeconds(), 1, 512, 1));
        Burst quick2 = new Burst(cluster, new Burst.Shape(2, 512, 0, 1, 512, 1))) {
      ApplicationId running = long1.submitTo("dripfed").get(0);
      // Waits for both executors: the driver would request a missing one again anyway.
      Eventually.is("running", () -> state(running) == RUNNING && live(running) == 3);
      ApplicationId starting = slow1.submitTo("dripfed").get(0);
      Eventually.is("starting", () -> state(starting) == STARTING);
      long startedAt = System.nanoTime();
      List<ApplicationId> held = quick2.submitTo("dripfed");
      Eventually.is("held", () -> state(held.get(0)) == ACCEPTED && state(held.get(1)) == ACCEPTED);
      // The second ResourceManager knows only what the first one stored about the starting driver.
      Eventually.is("its process runs", () -> !attempt(starting).isWaitingForAMContainer());
      long runsSince = System.currentTimeMillis();
      TimeUnit.SECONDS.sleep(10);

      cluster.failOverTo(1);
      Eventually.is("recovered", () -> state(held.get(1)) != null);
      Eventually.is("the starting application times out", () -> {
        // In this order: one that is starting after the look was starting at the look.
        int overtaking = live(held.get(0)) + live(held.get(1));
        State state = state(starting);
        if (state == STARTING) {
          assertThat(overtaking).as("none overtakes").isZero();
        }
        assertThat(state).as("its driver is known before its node is back").isNotEqualTo(ACCEPTED);
        return state == RUNNING;
      });
      long now = System.nanoTime();
      assertThat(Duration.ofNanos(now - startedAt)).as("the whole starting time")
          .isGreaterThanOrEqualTo(STARTING_TIMEOUT.minusSeconds(2));
      assertThat(startedAtByTheEvent(starting)).as("not counted anew").isLessThan(runsSince + 5000);
      assertThat(state(running)).isEqualTo(RUNNING);
      assertThat(live(running)).as("it keeps its executors").isEqualTo(3);
      Eventually.is("the first held application starts", () -> live(held.get(0)) > 0);
      for (ApplicationId application : List.of(running, starting, held.get(0), held.get(1))) {
        Eventually.is("all succeed", () -> app(application).getFinalApplicationStatus()
            == FinalApplicationStatus.SUCCEEDED);
      }
      assertThat(app(held.get(0)).getFinishTime())
          .isLessThan(app(held.get(1)).getFinishTime());
    }
  }

  /** When it began to be starting, as recorded at the end of that, in milliseconds since 1970. */
  private static long startedAtByTheEvent(ApplicationId application) throws Exception {
    return LiveTables.rows("Events").stream()
        .filter(event -> event.get("application").equals(application.toString())
            && event.get("from").equals("STARTING") && event.get("to").equals("RUNNING"))
        .mapToLong(event -> (long) event.get("time") - (long) event.get("milliseconds"))
        .max().getAsLong();
  }

  private RMApp app(ApplicationId application) {
    return cluster.resourceManager().getRMContext().getRMApps().get(application);
  }

  private FiCaSchedulerApp attempt(ApplicationId application) {
    RMApp app = app(application);
    return app == null || app.getCurrentAppAttempt() == null ? null
        : ((CapacityScheduler) cluster.resourceManager().getResourceScheduler())
            .getApplicationAttempt(app.getCurrentAppAttempt().getAppAttemptId());
  }

  private int live(ApplicationId application) {
    FiCaSchedulerApp attempt = attempt(application);
    return attempt == null ? 0 : attempt.getLiveContainersMap().size();
  }

  /** Null until the queue has activated it, which happens once its first node is back. */
  private State state(ApplicationId application) {
    FiCaSchedulerApp attempt = attempt(application);
    return attempt == null || !policy().getSchedulableEntities().contains(attempt) ? null
        : DripfeedRuntime.current().historyOf(attempt, Clock.SYSTEM.monotonicMillis()).state();
  }

  private OrderingPolicy<?> policy() {
    return (OrderingPolicy<?>) QueueCompat.orderingPolicy(Submission.queue(
        (CapacityScheduler) cluster.resourceManager().getResourceScheduler(), QUEUE));
  }
}
