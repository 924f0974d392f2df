// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trials, and executors that end on nodes of the line's partition and of another one. */
class ReleaseTest {

  private static final int ROUNDS = 24;

  /**
   * A stalled application needs 2 GB on the nodes without a label. There executors of 2 GB end, one by
   * one. Each time a running application and the next driver, 1 GB each, want the room.
   *
   * @param owner the label of the driver to which these executors belong
   * @param elsewhere whether, and where, another executor ends just before: it leaves no room for the
   *     stalled one
   */
  @ParameterizedTest
  @CsvSource({"default, no, false", "gpu, no, false", "default, gpu, false", "default, small, false",
      "default, no, true", "gpu, no, true", "default, gpu, true", "default, small, true"})
  void stalledApplicationGetsWhatEnds(String owner, String elsewhere, boolean spare) throws Exception {
    String labels = ".accessible-node-labels";
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        YarnConfiguration.NODE_LABELS_ENABLED, "true",
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, "" + 16 * GB,
        CapacitySchedulerConfiguration.PREFIX + "root" + labels + ".gpu.capacity", "100",
        MockCluster.queueKey("accessible-node-labels"), "gpu",
        MockCluster.queueKey("accessible-node-labels.gpu.capacity"), "100")) {
      cluster.rm().getRMContext().getNodeLabelManager()
          .addToCluserNodeLabelsWithDefaultExclusivity(Set.of("gpu"));
      cluster.refresh();
      MockNM gpu = cluster.addNode(4 * ROUNDS * GB);
      cluster.label(gpu, "gpu");
      cluster.addNode((owner.equals("gpu") ? 1 : 2) * GB);
      // Its executors do nothing for the stalled application.
      MockApp useless = cluster.submit();
      cluster.heartbeat();
      useless.register().ask(List.of(Requests.on("gpu", 1 + ROUNDS)));
      cluster.heartbeat();
      useless.heartbeat();
      if (elsewhere.equals("small")) {
        cluster.addNode(ROUNDS * GB);
        useless.ask(List.of(onDefault(ROUNDS)));
        cluster.heartbeat();
        useless.heartbeat();
      }
      assertThat(useless.state()).isEqualTo(State.RUNNING);
      MockApp owning = cluster.submit(owner.equals("gpu")
          ? cluster.submission(GB).withDriverLabel("gpu") : cluster.submission(GB));
      cluster.heartbeat();
      assertThat(owning.containers()).isEqualTo(1);
      owning.register();
      cluster.addNode((2 * ROUNDS + 1) * GB + (spare ? GB / 2 : 0));
      owning.ask(ROUNDS, 2 * GB);
      cluster.heartbeat();
      owning.heartbeat();
      assertThat(owning.executors()).hasSize(ROUNDS);
      List<ContainerId> toRelease = useless.executors();
      if (elsewhere.equals("small")) {
        toRelease = toRelease.subList(1 + ROUNDS, toRelease.size());
      }
      MockApp stalled = cluster.submit(2 * GB, 0);
      MockApp next = cluster.submit();
      cluster.runFor(320);
      assertThat(next.containers()).isEqualTo(1);
      int later = 0;
      for (int round = 0; round < ROUNDS && stalled.containers() == 0; round++) {
        for (String release : elsewhere.equals("no") ? List.of("big") : List.of(elsewhere, "big")) {
          if (next.containers() > 0) {
            // Running, and in want of one more.
            next.register().ask(release.equals("big") || elsewhere.equals("gpu")
                ? List.of(Requests.on("gpu", 1), onDefault(1)) : List.of(Requests.on("gpu", 1)));
            // Any trial that has begun is over.
            cluster.runFor(6);
            next.heartbeat();
            next = cluster.submit();
          }
          if (release.equals("big")) {
            owning.release(owning.executors().subList(0, 1));
          } else {
            useless.release(toRelease.subList(round, round + 1));
          }
          cluster.runFor(release.equals("big") ? 3 : 6);
          later += next.containers();
        }
      }
      assertThat(later).as("later applications that started first").isLessThanOrEqualTo(8);
      assertThat(stalled.containers()).isEqualTo(1);
    }
  }

  private static ResourceRequest onDefault(int count) {
    ResourceRequest request = Requests.anywhere(count, GB, 1);
    request.setPriority(Priority.newInstance(2));
    return request;
  }
}
