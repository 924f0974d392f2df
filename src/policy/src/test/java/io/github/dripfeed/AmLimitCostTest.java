// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.AmLimitTest.LIMIT;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UserInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.junit.jupiter.api.Test;

/**
 * What many waiting applications cost another user of their queue and the scheduler, with several of YARN's
 * AM limits, under stock fifo and under Dripfeed. The test writes the figures side by side to
 * {@code target/am-limit-users.txt} and {@code target/am-limit-cost.txt}. With a thousand applications:
 * {@code ./mvnw test -Dtest=AmLimitCostTest -Damlimit.held=1000}.
 */
class AmLimitCostTest {

  private static final int HELD = Integer.getInteger("amlimit.held", 200);
  private static final int USERS = 20;
  private static final int HEARTBEATS = 1000;
  private static final int KILLED = 100;
  private static final Set<RMAppAttemptState> HAVE_ASKED =
      EnumSet.of(RMAppAttemptState.SCHEDULED, RMAppAttemptState.ALLOCATED);
  private static final String AUTO = "auto";
  private static final String OURS = StateAwareOrderingPolicy.class.getName();
  /** Policies and AM limits, YARN's default first. */
  private static final String[][] SETTINGS = {
      {"fifo", "0.1"}, {"fifo", "1.0"}, {"fifo", "100"}, {OURS, "1.0"}, {OURS, "100"}, {AUTO, "1.0"},
      {AUTO, "100"}};

  @Test
  void heldApplicationsTakeNothingFromOtherUsers() throws Exception {
    List<String> report = new ArrayList<>();
    for (String atLeast : HELD < 1000 ? new String[] {"25"} : new String[] {"100", "25", "5"}) {
      Map<String, Integer> containers = new LinkedHashMap<>();
      for (String policy : new String[] {"fifo", OURS}) {
        for (String limit : new String[] {"1.0", "100"}) {
          try (MockCluster cluster = full(policy, limit, atLeast)) {
            MockApp other = anotherUser(cluster);
            submitAll(cluster);
            other.ask(200, GB);
            for (int i = 0; i < 3; i++) {
              cluster.heartbeat();
              other.heartbeat();
            }
            String setting = nameOf(policy, limit);
            containers.put(setting, other.containers());
            report.add(String.format(Locale.ROOT, "minimum-user-limit-percent %s; %s: %d containers, limit"
                + " %s, active users %d", atLeast, setting, other.containers(),
                limitOf(cluster), users(cluster).getNumActiveUsers()));
          }
        }
      }
      assertThat(containers.get("Dripfeed, 100")).as(report.toString())
          .isEqualTo(containers.get("Dripfeed, 1.0"));
      // Started drivers use resources and so raise YARN's limit for each user.
      assertThat(containers.get("fifo, 1.0") - containers.get("Dripfeed, 100")).as(report.toString())
          .isBetween(0, 3);
    }
    write("users", report);
  }

  /** Times on a busy machine prove nothing, so the test only writes them down side by side. */
  @Test
  void costOfHeldApplicationsIsReported() throws Exception {
    List<String> report = new ArrayList<>();
    int rounds = HELD < 1000 ? 1 : 2;
    // The first round warms up.
    for (int round = 0; round < rounds; round++) {
      report.clear();
      for (String[] setting : HELD < 1000 ? new String[][] {SETTINGS[0], {AUTO, "100"}} : SETTINGS) {
        report.add(costs(setting[0], setting[1]));
      }
    }
    write("cost", report);
  }

  private static String costs(String policy, String limit) throws Exception {
    try (MockCluster cluster = full(policy, limit, "100")) {
      anotherUser(cluster);
      long heap = heap();
      long began = System.nanoTime();
      List<RMApp> apps = submitAll(cluster);
      long burst = (System.nanoTime() - began) / 1_000_000;
      assertThat(AmLimitTest.inPolicy(cluster))
          .isEqualTo(limit.equals("100") ? HELD + 1 : limit.equals("0.1") ? 10 : 100);
      double kilobytes = (heap() - heap) / 1024.0 / HELD;
      return String.format(Locale.ROOT, "%s: burst of %d in %d ms; heap of each %.1f KB; heartbeat %.1f us;"
          + " refresh %.1f ms; node added %.2f ms; application killed %.2f ms", nameOf(policy, limit), HELD,
          burst, kilobytes, heartbeatMicros(cluster), refreshMillis(cluster), nodeMillis(cluster),
          killMillis(cluster, apps));
    }
  }

  private static String nameOf(String policy, String limit) {
    return (policy.equals(OURS) ? "Dripfeed" : policy) + ", " + limit;
  }

  private static long heap() {
    for (int i = 0; i < (HELD < 1000 ? 1 : 3); i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static double refreshMillis(MockCluster cluster) throws Exception {
    double fastest = Double.MAX_VALUE;
    for (int i = 0; i < (HELD < 1000 ? 1 : 10); i++) {
      long began = System.nanoTime();
      cluster.refresh();
      fastest = Math.min(fastest, (System.nanoTime() - began) / 1e6);
    }
    return fastest;
  }

  /** The time of an idle heartbeat of a node: the fastest of several rounds. */
  private static double heartbeatMicros(MockCluster cluster) throws Exception {
    cluster.heartbeat();
    NodeUpdateSchedulerEvent event = new NodeUpdateSchedulerEvent(
        cluster.rm().getRMContext().getRMNodes().get(cluster.node(0).getNodeId()));
    double fastest = Double.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long began = System.nanoTime();
      for (int i = 0; i < HEARTBEATS; i++) {
        cluster.scheduler().handle(event);
      }
      fastest = Math.min(fastest, (System.nanoTime() - began) / HEARTBEATS / 1000.0);
    }
    return fastest;
  }

  private static double nodeMillis(MockCluster cluster) throws Exception {
    long began = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      cluster.addNode(GB);
    }
    return (System.nanoTime() - began) / 20 / 1e6;
  }

  private static double killMillis(MockCluster cluster, List<RMApp> apps) throws Exception {
    long began = System.nanoTime();
    for (int i = 0; i < KILLED; i++) {
      RMApp app = apps.get(HELD - 1 - i);
      cluster.rm().killApp(app.getApplicationId());
    }
    Eventually.is("all applications have ended", () -> {
      cluster.rm().drainEvents();
      return apps.subList(HELD - KILLED, HELD).stream()
          .allMatch(app -> cluster.scheduler().getSchedulerApplications()
              .get(app.getApplicationId()) == null);
    });
    return (System.nanoTime() - began) / KILLED / 1e6;
  }

  private static MockCluster full(String policy, String limit, String atLeast) throws Exception {
    List<String> properties = new ArrayList<>(List.of(LIMIT, limit,
        queueKey("ordering-policy"), policy.equals(AUTO) ? OURS : policy,
        queueKey("user-limit-factor"), "1",
        queueKey("minimum-user-limit-percent"), atLeast));
    if (policy.equals(AUTO)) {
      properties.addAll(List.of(MockCluster.stateAwareKey("max-starting"), AUTO));
    }
    MockCluster cluster =
        MockCluster.configured(StateAwareOrderingPolicy.class, properties.toArray(new String[0]));
    cluster.addNode(100 * GB);
    return cluster;
  }

  /** A user whose application runs with ten executors. */
  private static MockApp anotherUser(MockCluster cluster) throws Exception {
    MockApp other = cluster.submit(cluster.submission(GB).withUser("other"));
    cluster.heartbeat();
    other.register().ask(10, GB);
    cluster.heartbeat();
    other.heartbeat();
    return other;
  }

  private static List<RMApp> submitAll(MockCluster cluster) throws Exception {
    List<RMApp> apps = new ArrayList<>();
    for (int i = 0; i < HELD; i++) {
      apps.add(cluster.submission(GB).withUser("user" + i % USERS).submit(cluster.rm()));
    }
    Eventually.is("all applications are in the policy", () -> {
      cluster.rm().drainEvents();
      return apps.stream().allMatch(app -> app.getState() == RMAppState.ACCEPTED
          && HAVE_ASKED.contains(app.getCurrentAppAttempt().getAppAttemptState()));
    });
    return apps;
  }

  private static UsersManager users(MockCluster cluster) throws Exception {
    CSQueue queue = cluster.queue(MockCluster.DRIP);
    return (UsersManager) queue.getClass().getMethod("getUsersManager").invoke(queue);
  }

  private static String limitOf(MockCluster cluster) throws Exception {
    for (UserInfo user : users(cluster).getUsersInfo()) {
      if (user.getUsername().equals("other")) {
        return user.getUserResourceLimit().toString();
      }
    }
    return "unknown";
  }

  private static void write(String part, List<String> report) throws Exception {
    Path file = Path.of("target", "am-limit-" + part + ".txt");
    Files.createDirectories(file.getParent());
    Files.write(file, report);
  }
}
