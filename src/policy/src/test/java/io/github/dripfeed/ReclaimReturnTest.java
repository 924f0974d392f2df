// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.DRIP;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.key;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.ReclaimCluster;
import io.github.dripfeed.fixture.Submission;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases in which YARN gave a user that fell to its limit a container back. */
class ReclaimReturnTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 0"})
  void userAtItsLimitLosesNoContainerThatYarnWouldGiveBack(int size, int preempted) throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(queueKey("user-limit-factor"), "0.5")) {
      queue.cluster.addNode(24 * GB);
      MockApp low = queue.start(0, 1);
      low.ask(20, size * GB);
      queue.heartbeats();
      assertThat(low.attempt().getCurrentConsumption().getMemorySize())
          .as("1 GB more than the user limit").isEqualTo(12 * GB);
      // The driver fits once its user has 1 GB less. With 2 GB less it fits too, but then the user is not
      // above its limit, and YARN gives it one more container.
      MockApp urgent = queue.submit(5);
      queue.rounds(40);
      assertThat(urgent.containers()).isEqualTo(preempted);
      assertThat(queue.lost()).isEqualTo(preempted);
      assertThat(queue.returned()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"true, 1, 9", "true, 2, 0", "false, 2, 5"})
  void userAtItsLimitLosesNoContainerThatYarnWouldGiveBackBeforeItServesAnotherUser(
      boolean isLoserFirst, int size, int preempted) throws Exception {
    try (ReclaimCluster queue = ReclaimCluster.byPriority(
        stateAwareKey("max-starting"), "5", queueKey("minimum-user-limit-percent"), "50",
        key(DRIP, "capacity"), "100", key(OTHER, "capacity"), "0")) {
      queue.cluster.addNode(24 * GB);
      MockApp other = isLoserFirst ? null : queue.start(of(queue, "another", 0), 2);
      MockApp low = queue.start(of(queue, "user", 0), 0);
      other = isLoserFirst ? queue.start(of(queue, "another", 0), 2) : other;
      low.ask(40, size * GB);
      queue.heartbeats();
      assertThat(low.containers()).isEqualTo(1 + 20 / size);
      // The limit of each user falls to 12 GB. To get its driver, the urgent application needs its user at
      // or below that. With containers of 2 GB the user is at 11 GB then, and at 12 GB with the driver:
      // not above its limit, so that YARN gives it one more container.
      other.ask(9, GB);
      MockApp urgent = queue.submit(of(queue, "user", 5));
      queue.rounds(40);
      assertThat(queue.returned()).isZero();
      assertThat(queue.lost()).isEqualTo(preempted);
      assertThat(urgent.containers()).isEqualTo(preempted > 0 ? 1 : 0);
    }
  }

  private static Submission of(ReclaimCluster queue, String user, int priority) {
    return queue.cluster.submission(GB).withUser(user).withPriority(priority);
  }
}
