// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the scheduler's page says about a queue, where names are long: a window does not wrap its lines. */
class QueueInformationTest {

  private static final String GROUP = "group-" + "g".repeat(150);
  /** As a queue that is created for a user, and named after it. */
  private static final String LONG_QUEUE = "root.user-" + "u".repeat(150);
  private static final String STATE_AWARE = "ordering-policy.state-aware.";
  private static final int STARTING = 8;

  @Test
  void noLineIsWiderThanTheWindow() throws Exception {
    try (MockCluster cluster = clusterOfLongNames()) {
      cluster.addNode(64 * GB);
      for (int i = 0; i < STARTING; i++) {
        submit(cluster, LONG_QUEUE);
      }
      cluster.heartbeat();
      submit(cluster, MockCluster.DRIP);
      cluster.runMonitor();
      String info = cluster.policy().getInfo();
      assertThat(info).contains("1 accepted, 0 starting", "\nStarting: ", "and 2 more", "\nNext: ",
          "max-starting=8", "starting-group=group-ggg", "exempt-application-types=T0,T1");
      assertThat(info.split("\n")).allSatisfy(
          line -> assertThat(line).hasSizeLessThanOrEqualTo(QueueInformation.WIDTH));
      assertThat(info.replaceAll("\\s", "")).as("names are cut, and nothing is lost")
          .contains("inqueue" + LONG_QUEUE + "for0s", "startingslotofthegroup" + GROUP);
    }
  }

  private static void submit(MockCluster cluster, String queue) throws Exception {
    cluster.submit(cluster.submission(GB).withQueue(queue).withUser("u".repeat(150))
        .withName("n".repeat(500)).withType("t".repeat(20)));
  }

  /** A queue with nearly every setting changed, in a group with a queue that starts applications. */
  private static MockCluster clusterOfLongNames() {
    List<String> properties = new ArrayList<>(List.of(
        key("root", "queues"), "drip,other," + LONG_QUEUE.substring("root.".length()),
        key(MockCluster.DRIP, "capacity"), "80", key(LONG_QUEUE, "capacity"), "10",
        key(LONG_QUEUE, "maximum-capacity"), "100", key(LONG_QUEUE, "user-limit-factor"), "100",
        key(LONG_QUEUE, "maximum-am-resource-percent"), "100",
        key(LONG_QUEUE, "ordering-policy"), StateAwareOrderingPolicy.class.getName()));
    for (String queue : List.of(MockCluster.DRIP, LONG_QUEUE)) {
      Map.of("max-starting", "8", "starting-group", GROUP).forEach((name, value) ->
          properties.addAll(List.of(key(queue, STATE_AWARE + name), value)));
    }
    Map.of("exempt-application-types", "T0" + IntStream.range(1, 90).mapToObj(i -> ",T" + i)
            .collect(Collectors.joining()),
        "starting-timeout", "601s", "min-executors", "2", "accepted-timeout", "602s",
        "idle-timeout", "603s", "order", "fifo", "allow-application-overrides", "true",
        "max-starting-timeout", "604s", "take-back-after", "605s", "reclaim.grace-period", "606s")
        .forEach((name, value) ->
            properties.addAll(List.of(key(MockCluster.DRIP, STATE_AWARE + name), value)));
    return MockCluster.configured(StateAwareOrderingPolicy.class, properties.toArray(new String[0]));
  }
}
