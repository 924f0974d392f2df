// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Held attempts cost a decision nothing: ten thousand behind the head make no difference. */
class HeldCostTest {

  private static final int QUESTIONS = 6;
  private static final int CALLS = 5_000;
  private static final int BYTES_PER_CALL = 450;

  @ParameterizedTest
  @ValueSource(ints = {1, 10_000})
  void heldAttemptsAreNeverRead(int held) {
    OrderFixture queue = new OrderFixture(QueueSettings.DEFAULTS);
    FakeAttempt first = queue.submit("first");
    List<FakeAttempt> behind = submit(queue, held);
    first.questions = 0;
    behind.forEach(attempt -> attempt.questions = 0);

    queue.offered();
    int whileOffered = first.questions;
    queue.allocateDriver(first);
    first.questions = 0;
    queue.offered();

    assertThat(whileOffered).isLessThanOrEqualTo(QUESTIONS);
    assertThat(first.questions).isLessThanOrEqualTo(QUESTIONS);
    assertThat(behind).allMatch(attempt -> attempt.questions == 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10_000})
  void aCallAllocatesASmallConstantAmount(int held) {
    OrderFixture queue = new OrderFixture(QueueSettings.DEFAULTS);
    FakeAttempt first = queue.submit("first");
    submit(queue, held);
    assertThat(bytesPerCall(queue)).as("the first is offered").isLessThan(BYTES_PER_CALL);
    queue.allocateDriver(first);
    assertThat(bytesPerCall(queue)).as("the first is starting").isLessThan(BYTES_PER_CALL);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10_000})
  void oneApplicationOfEachUserAtItsLimitIsTried(int heldOfEach) {
    OrderFixture queue = new OrderFixture(QueueSettings.DEFAULTS);
    for (int i = 0; i < heldOfEach; i++) {
      submitAtLimit(queue, "ann", 0);
      submitAtLimit(queue, "bob", 0);
    }
    queue.submitOf("eve", "of a third user", 0);
    queue.submitOf("eve", "behind it", 0);
    assertThat(queue.offered()).isEqualTo("ann bob of a third user");
  }

  /** A user may have thousands behind the one that is tried, and the scheduler comes at every heartbeat. */
  @Test
  void applicationsOfUsersAtTheirLimitArePassedAtOnce() {
    OrderFixture queue = new OrderFixture(QueueSettings.DEFAULTS);
    List<FakeAttempt> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      all.add(submitAtLimit(queue, i % 2 == 0 ? "ann" : "bob", i < 2 ? 1 : 0));
    }
    queue.offered();
    all.forEach(attempt -> attempt.questions = 0);
    assertThat(queue.offered()).isEqualTo("ann bob");
    assertThat(all.stream().mapToInt(attempt -> attempt.questions).sum()).isLessThan(4 * QUESTIONS);

    FakeAttempt other = queue.submitOf("eve", "eve", 1);
    submitAtLimit(queue, "ann", 0);
    assertThat(queue.offered()).as("it has come since, before most").isEqualTo("ann bob eve");
    queue.remove(other);
    assertThat(queue.offered()).isEqualTo("ann bob");
    all.get(0).skipped = false;
    assertThat(queue.offered()).as("nobody beside one that is not at its limit").isEqualTo("ann");
    queue.remove(all.get(0));
    assertThat(queue.offered()).isEqualTo("bob ann");
  }

  /** The scheduler computes the user limit for an answer; the time in vain needs one a millisecond. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1000})
  void limitIsAskedForOnceWhereNoOtherUserIsBehind(int held) {
    OrderFixture queue = new OrderFixture(QueueSettings.DEFAULTS);
    List<FakeAttempt> ofAnn = new ArrayList<>();
    for (int i = 0; i < held; i++) {
      ofAnn.add(submitAtLimit(queue, "ann", 0));
    }
    queue.offered();
    ofAnn.forEach(attempt -> attempt.limitQuestions = 0);
    queue.now++;
    for (int heartbeat = 0; heartbeat < 3; heartbeat++) {
      assertThat(queue.offered()).isEqualTo("ann");
      assertThat(ofAnn.stream().mapToInt(attempt -> attempt.limitQuestions).sum()).isEqualTo(1);
    }

    FakeAttempt other = queue.submitOf("eve", "eve", 0);
    for (int heartbeat = 0; heartbeat < 3; heartbeat++) {
      assertThat(queue.offered()).isEqualTo("ann eve");
    }
    queue.remove(other);
    assertThat(queue.offered()).isEqualTo("ann");
  }

  @Test
  void trialsOfAQueueAloneAreUpdatedOnce() {
    OrderFixture queue = new OrderFixture(QueueSettings.DEFAULTS);
    FakeAttempt running = queue.submit("running");
    queue.allocateDriver(running);
    queue.allocateExecutors(running, 1);
    FakeAttempt stalled = queue.submit("stalled");
    queue.offered();
    queue.now += QueueSettings.DEFAULTS.acceptedTimeout();
    queue.offered();
    queue.offered();
    assertThat(queue.events).contains(stalled + " stalled " + QueueSettings.DEFAULTS.acceptedTimeout());
    List<String> nodes = new ArrayList<>();
    queue.order.executorReleased(running, () -> {
      nodes.add("");
      return "";
    }, queue.now);
    assertThat(nodes).as("the node is looked up").hasSize(1);
  }

  @Test
  void roundOfTheMonitorReadsNoRunningAttempt() {
    OrderFixture queue = new OrderFixture(QueueSettings.DEFAULTS);
    List<FakeAttempt> running = submit(queue, 100);
    running.forEach(attempt -> {
      queue.allocateDriver(attempt);
      queue.allocateExecutors(attempt, 1);
    });
    running.forEach(attempt -> attempt.questions = 0);
    queue.order.tick(++queue.now);
    assertThat(running).allMatch(attempt -> attempt.questions == 0);
  }

  private static FakeAttempt submitAtLimit(OrderFixture queue, String user, int priority) {
    FakeAttempt attempt = queue.submitOf(user, user, priority);
    attempt.skipped = true;
    return attempt;
  }

  private static List<FakeAttempt> submit(OrderFixture queue, int held) {
    List<FakeAttempt> attempts = new ArrayList<>();
    for (int i = 0; i < held; i++) {
      attempts.add(queue.submit("held"));
    }
    return attempts;
  }

  /** Creates an iterator and iterates to the end, as a scheduler with a full queue does. */
  private static long bytesPerCall(OrderFixture queue) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    iterate(queue, CALLS);
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    iterate(queue, CALLS);
    return (threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before) / CALLS;
  }

  private static void iterate(OrderFixture queue, int calls) {
    for (int i = 0; i < calls; i++) {
      int offered = 0;
      Iterator<FakeAttempt> all = queue.order.assignmentIterator("", () -> 0);
      for (; all.hasNext(); all.next()) {
        offered++;
      }
      if (offered != 1) {
        throw new AssertionError("offered: " + offered);
      }
    }
  }
}
