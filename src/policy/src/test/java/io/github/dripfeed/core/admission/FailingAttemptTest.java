// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No failure leaves the policy, whichever fact cannot be read, and whatever part of the rule is broken. */
class FailingAttemptTest {

  private static final QueueSettings SETTINGS =
      new QueueSettings(2, 3_000, AttemptSettings.DEFAULTS.withIdleTimeout(60_000)).withMaxContainers(2);

  private final OrderFixture queue = new OrderFixture(SETTINGS);
  private final OrderFixture other = new OrderFixture(SETTINGS);
  private final FakeAttempt broken = new FakeAttempt("broken");
  private final OrderFixture alone = new OrderFixture(QueueSettings.DEFAULTS);
  private int reads;

  @BeforeEach
  void join() {
    StartingGroup<FakeAttempt> group = new StartingGroup<>("etl", true);
    queue.order.join(group);
    other.order.join(group);
    // So that it matters in which queue the others are.
    FakeAttempt ofAFullQueue = other.submit("of a full queue");
    ofAFullQueue.fullQueue = "root.full";
    other.allocateDriver(ofAFullQueue);
  }

  static Stream<String> facts() {
    return Arrays.stream(Attempt.class.getMethods()).map(FailingAttemptTest::nameOf).sorted();
  }

  private static String nameOf(Method fact) {
    return fact.getName() + "/" + fact.getParameterCount();
  }

  /** An attempt that can be read but for one fact. */
  private Attempt failingAt(String fact) {
    reads = 0;
    return (Attempt) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Attempt.class},
        (proxy, method, arguments) -> {
          if (nameOf(method).equals(fact)) {
            reads++;
            throw new IllegalStateException(fact);
          }
          try {
            return method.invoke(broken, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  @ParameterizedTest
  @MethodSource("facts")
  void attemptOfWhichAFactCannotBeReadHoldsBackNoOther(String fact) {
    Attempt failing = failingAt(fact);
    assertThatCode(() -> {
      liveThroughAll(failing);
      recover(failing);
    }).doesNotThrowAnyException();
    assertThat(reads).as("%s is read", fact).isPositive();
    queue.submit("next");
    queue.now += 400_000;
    other.now = queue.now;
    queue.order.tick(queue.now);
    assertThat(queue.offered()).contains("next");
  }

  private void add(Attempt facts) {
    queue.order.add(broken, facts, new Arrival(new OrderKey(0, 0, 1, 0, 1), SETTINGS.attempts(),
        queue.history(broken), false), queue.now);
  }

  /** After a restart it has its driver, and an executor is reported later. */
  private void recover(Attempt facts) {
    queue.histories.remove(broken);
    add(facts);
    askAll();
    queue.allocateExecutors(broken, 1);
    askAll();
    queue.remove(broken);
  }

  /** Each call-back and each question of YARN, in each state. */
  private void liveThroughAll(Attempt facts) {
    add(facts);
    askAll();
    broken.proposed = true;
    askAll();
    broken.proposed = false;
    broken.reserved = true;
    queue.order.containerAllocated(broken, () -> "", queue.now);
    askAll();
    broken.reserved = false;
    broken.skipped = true;
    askAll();
    broken.skipped = false;
    queue.allocateDriver(broken);
    askAll();
    broken.hasRequest = true;
    queue.order.demandUpdated(broken);
    askAll();
    queue.allocateExecutors(broken, 1);
    askAll();
    broken.executors = 0;
    queue.order.executorReleased(broken, () -> "", queue.now);
    askAll();
    queue.order.driverReleased(broken, () -> "");
    queue.remove(broken);
  }

  private void askAll() {
    FakeAttempt waits = other.submit("waits" + other.order.size());
    for (int i = 0; i < 3; i++) {
      queue.offered();
      other.offered();
      // YARN's walk ends where it finds a place.
      Iterator<FakeAttempt> walk = queue.order.assignmentIterator("", () -> queue.now);
      if (walk.hasNext()) {
        walk.next();
      }
      queue.order.losers(queue.now);
      queue.order.withReservedDriver(queue.now);
      queue.order.lines(queue.now).forEach(line -> line.waiting.forEach(line.skipped()::test));
      queue.order.preemptionIterator().forEachRemaining(attempt -> { });
      queue.now += 1_100;
      other.now = queue.now;
      queue.order.tick(queue.now);
      other.order.tick(other.now);
    }
    other.remove(waits);
  }

  @Test
  void attemptIsOfferedAlthoughTheListenerFailsAtItsArrival() {
    alone.failure = new IllegalStateException("of the listener");
    FakeAttempt exempt = new FakeAttempt("E");
    exempt.exempt = true;
    alone.add(exempt, 0);
    FakeAttempt recovered = new FakeAttempt("S");
    recovered.driver = true;
    alone.add(recovered, 0);
    alone.failure = null;
    assertThat(alone.offered()).isEqualTo("E S");
    assertThat(alone.events).contains("null failed: of the listener");
  }

  @Test
  void failureInOneLineLeavesTheOffersOfOthers() {
    holdTheSlotOfGpu();
    assertThat(alone.offered()).as("the other line has no free slot").isEqualTo("A S");
    assertThat(alone.events).contains("null failed: of one line");
  }

  @Test
  void failureInOneLineDoesNotEndTheRoundOfTheMonitor() {
    holdTheSlotOfGpu();
    FakeAttempt starting = alone.submitIn("gpu", "T");
    starting.driver = true;
    alone.order.tick(alone.now);
    assertThat(alone.events).contains("null failed: of one line", "T DRIVER_ALLOCATED 0");
  }

  /** The first line cannot be decided. */
  private void holdTheSlotOfGpu() {
    alone.broken = "";
    alone.submit("A");
    alone.submit("B");
    alone.allocateDriver(alone.submitIn("gpu", "S"));
    alone.submitIn("gpu", "C");
  }

  /** With {@code max-containers}, a walk reads facts of admitted attempts, and finds that they fail. */
  @Test
  void walkThatFailsTwiceGoesOn() {
    OrderFixture capped = new OrderFixture(QueueSettings.DEFAULTS.withMaxContainers(2));
    List<FakeAttempt> running = new ArrayList<>();
    for (String name : Arrays.asList("R", "S")) {
      running.add(capped.submit(name));
      capped.allocateDriver(running.get(running.size() - 1));
    }
    capped.submit("A");
    Iterator<FakeAttempt> walk = capped.order.assignmentIterator("", () -> capped.now);
    running.forEach(attempt -> attempt.failure = new IllegalStateException("of a fact"));
    capped.failure = new IllegalStateException("of the listener");
    List<String> walked = new ArrayList<>();
    walk.forEachRemaining(attempt -> walked.add(attempt.name));
    assertThat(walked).containsExactly("R", "S");
  }

  @Test
  void walkWhoseOwnWorkFailsGivesEachAttemptOnce() {
    Lifecycle<FakeAttempt> lifecycle = new Lifecycle<>(SETTINGS, alone);
    for (int i = 0; i < 3; i++) {
      lifecycle.lanes.admitted.put(new OrderKey(0, 0, 1, i, 1), new FakeAttempt("R" + i));
    }
    List<String> walked = new ArrayList<>();
    new OfferIterator<>(lifecycle, new Offer<>(lifecycle), attempt -> {
      reads++;
      throw new IllegalStateException("of the walk");
    }, "", new Questions<>(lifecycle.lock(), 0)).forEachRemaining(attempt -> walked.add(attempt.name));
    assertThat(walked).containsExactly("R0", "R1", "R2");
    assertThat(reads).as("nothing more is decided").isEqualTo(1);
  }

  @Test
  void walkGoesOnInYarnsOrderIfTheRuleFails() {
    FakeAttempt running = alone.submit("R");
    alone.allocateDriver(running);
    alone.allocateExecutors(running, 1);
    FakeAttempt head = alone.submit("A");
    alone.submit("B");
    alone.failure = new IllegalStateException("of the listener");
    Iterator<FakeAttempt> walk = alone.order.assignmentIterator("", () -> alone.now);
    List<String> walked = new ArrayList<>();
    // The next decision finds the driver, and tells the listener.
    head.driver = true;
    walk.forEachRemaining(attempt -> walked.add(attempt.name));
    assertThat(walked).containsExactly("R", "A");
    alone.failure = null;
    assertThat(alone.offered()).isEqualTo("R A");
  }

  @Test
  void offerIsTheFirstWaitingOneIfTheRuleFails() {
    FakeAttempt starting = alone.submit("S");
    alone.submit("A");
    starting.driver = true;
    alone.failure = new IllegalStateException("of the listener");
    assertThat(alone.offered()).as("it has its driver by now").contains("S");
    assertThat(alone.events).contains("null failed: of the listener");
  }
}
