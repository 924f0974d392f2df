// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.core.admission.State.ACCEPTED;
import static io.github.dripfeed.core.admission.State.RUNNING;
import static io.github.dripfeed.core.admission.State.STARTING;
import static io.github.dripfeed.fixture.MockCluster.GB;
import static io.github.dripfeed.fixture.MockCluster.OTHER;
import static io.github.dripfeed.fixture.MockCluster.queueKey;
import static io.github.dripfeed.fixture.MockCluster.stateAwareKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.dripfeed.fixture.HadoopVersion;
import io.github.dripfeed.fixture.HesitantScheduler;
import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.SchedulingRounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * On the real scheduler, which commits proposals late, as a busy one does: the offer changes while a driver
 * is under way (docs/design.md#a-policy-cannot-veto-a-commit).
 */
class ProposalsUnderWayTest {

  private MockCluster cluster;
  private HesitantScheduler scheduler;

  private void start(String... more) throws Exception {
    List<String> properties = new ArrayList<>(HesitantScheduler.PROPERTIES);
    properties.addAll(List.of(more));
    cluster = MockCluster.configured(StateAwareOrderingPolicy.class, properties.toArray(new String[0]));
    scheduler = (HesitantScheduler) cluster.scheduler();
    cluster.addNode(20 * GB);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void awaitProposalFor(MockApp app) throws Exception {
    SchedulingRounds.await(cluster, app.name() + " is proposed", () -> scheduler.hasProposed(app));
  }

  /** An application that is proposed, and not committed. */
  private MockApp propose() throws Exception {
    scheduler.hesitate();
    MockApp head = cluster.submit(GB, 0);
    awaitProposalFor(head);
    return head;
  }

  /**
   * Waits until the scheduler has walked along all queues, and commits what it has proposed.
   *
   * @param waiting none of these is proposed by then; one that is more urgent may start afterwards
   */
  private void walkAndCommit(MockApp... waiting) throws Exception {
    MockApp marker = cluster.submit(cluster.submission(GB / 2).withQueue(OTHER));
    awaitProposalFor(marker);
    MockApp later = cluster.submit(cluster.submission(GB / 2).withQueue(OTHER));
    awaitProposalFor(later);
    assertThat(waiting).noneMatch(scheduler::hasProposed);
    scheduler.commit();
    SchedulingRounds.await(cluster, "all is committed", () -> later.containers() == 1);
    SchedulingRounds.goOn(cluster, later.register());
  }

  private MockApp submit(String user, int priority) throws Exception {
    return cluster.submit(cluster.submission(GB).withUser(user).withPriority(priority));
  }

  @Test
  void earlierApplicationWaits() throws Exception {
    start();
    MockApp head = propose();
    MockApp earlier = cluster.submit(GB, 1);
    walkAndCommit(earlier);
    assertThat(head.state()).isEqualTo(STARTING);
    head.register().ask(1, GB);
    SchedulingRounds.await(cluster, "the next one starts", () -> earlier.containers() == 1);
  }

  @Test
  void priorityOfTheProposedOneIsLowered() throws Exception {
    start();
    scheduler.hesitate();
    MockApp head = cluster.submit(GB, 2);
    MockApp next = cluster.submit(GB, 1);
    awaitProposalFor(head);
    // YARN takes it out of the queue and adds it again; a walk between would find its slot free.
    scheduler.betweenWalks(() -> head.setPriority(0));
    walkAndCommit(next);
    assertThat(head.state()).isEqualTo(STARTING);
  }

  @Test
  void refreshMeanwhile() throws Exception {
    start();
    MockApp head = propose();
    MockApp earlier = cluster.submit(GB, 1);
    cluster.refresh();
    walkAndCommit(earlier);
    assertThat(head.state()).isEqualTo(STARTING);
  }

  /** YARN reads the property when it starts, and a refresh changes nothing but its value. */
  @Test
  void refreshWithoutAsynchronousScheduling() throws Exception {
    start();
    MockApp first = cluster.submit(GB, 9);
    SchedulingRounds.await(cluster, "its driver", () -> first.containers() == 1);
    first.register().ask(1, GB);
    SchedulingRounds.await(cluster, "it runs", () -> first.state() == RUNNING);
    cluster.refresh(CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_ENABLE, "false");
    MockApp head = propose();
    MockApp earlier = cluster.submit(GB, 1);
    walkAndCommit(earlier);
    assertThat(head.state()).isEqualTo(STARTING);
  }

  /** No policy has asked the scheduler by then, and the property alone is wrong. */
  @Test
  void refreshWithoutAsynchronousSchedulingBeforeTheFirstApplication() throws Exception {
    start();
    assumeTrue(HadoopVersion.isAtLeast("3.3"), "the scheduler does not tell how it schedules");
    cluster.refresh(CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_ENABLE, "false");
    MockApp head = propose();
    MockApp earlier = cluster.submit(GB, 1);
    walkAndCommit(earlier);
    assertThat(head.state()).isEqualTo(STARTING);
  }

  /** An application of a user that has reached its limit; it may take 10 GB of the queue's 20. */
  private MockApp fillLimit() throws Exception {
    start(queueKey("user-limit-factor"), "0.5");
    MockApp greedy = submit("greedy", 9);
    SchedulingRounds.await(cluster, "its driver", () -> greedy.containers() == 1);
    greedy.register().ask(20, GB);
    SchedulingRounds.await(cluster, "its limit", () -> greedy.containers() >= 9);
    SchedulingRounds.goOn(cluster, SchedulingRounds.startMarker(cluster));
    greedy.heartbeat();
    return greedy;
  }

  @Test
  void thirdUserWaitsForOneBesideAUserAtItsLimit() throws Exception {
    fillLimit();
    final MockApp head = submit("greedy", 5);
    scheduler.hesitate();
    MockApp beside = submit("second", 0);
    awaitProposalFor(beside);
    MockApp earlier = submit("third", 1);
    walkAndCommit(earlier);
    assertThat(List.of(head.state(), beside.state())).containsExactly(ACCEPTED, STARTING);
  }

  @Test
  void limitThatEndsWaitsForOneBeside() throws Exception {
    MockApp greedy = fillLimit();
    greedy.ask(0, GB);
    MockApp head = submit("greedy", 5);
    scheduler.hesitate();
    MockApp beside = submit("second", 0);
    awaitProposalFor(beside);
    greedy.release(greedy.executors().subList(0, 3));
    walkAndCommit(head);
    assertThat(beside.state()).isEqualTo(STARTING);
  }

  /** The possible excess: a policy cannot veto a commit, and does not wait for it for ever. */
  @Test
  void proposalThatIsNotCommittedForLongHoldsNobody() throws Exception {
    start();
    MockApp head = propose();
    MockApp earlier = cluster.submit(GB, 1);
    SchedulingRounds.await(cluster, "the next one is proposed", () -> {
      cluster.advance(Duration.ofSeconds(1));
      return scheduler.hasProposed(earlier);
    });
    walkAndCommit();
    assertThat(List.of(head.state(), earlier.state())).containsExactly(STARTING, STARTING);
  }

  @Test
  void pendingProposalsMayExceedMaxContainers() throws Exception {
    start(stateAwareKey("max-containers"), "2");
    MockApp app = cluster.submit();
    SchedulingRounds.await(cluster, "its driver", () -> app.containers() == 1);
    app.register();
    scheduler.hesitate();
    app.ask(10, GB);
    awaitProposalFor(app);
    AtomicInteger proposals = new AtomicInteger();
    scheduler.betweenWalks(() -> proposals.set(scheduler.commit()));
    SchedulingRounds.goOn(cluster, SchedulingRounds.startMarker(cluster));
    assertThat(app.containers()).as("one proposal may have been pending")
        .isBetween(2, 1 + proposals.get() + 1);
    assertThat(cluster.offered()).as("it gets no more").isEmpty();
  }
}
