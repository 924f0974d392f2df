// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Offers where the scheduler allocates a driver some time after it has proposed it. It tells in the default
 * partition which drivers it has proposed.
 */
class AsynchronousOfferTest {

  private static final long TIMEOUT = 1000;
  private static final QueueSettings SETTINGS =
      new QueueSettings(1, TIMEOUT, new AttemptSettings(300_000, 1));

  private OrderFixture queue;

  @BeforeEach
  void asynchronous() {
    queue = new OrderFixture(SETTINGS);
    queue.order.join(StartingGroup.ofOne(true));
  }

  /** A walk in which the scheduler proposes the driver of this attempt. */
  private FakeAttempt propose(String name) {
    Iterator<FakeAttempt> walk = queue.order.assignmentIterator("", () -> queue.now);
    FakeAttempt attempt = walk.next();
    while (!attempt.name.equals(name)) {
      attempt = walk.next();
    }
    attempt.proposed = true;
    return attempt;
  }

  /** The head is proposed, and then one arrives that comes before it. */
  private FakeAttempt proposeBeforeUrgent() {
    queue.submit("A");
    FakeAttempt head = propose("A");
    queue.submit("urgent", 1);
    return head;
  }

  /** The scheduler allocates the driver that it has proposed. */
  private void commit(FakeAttempt attempt) {
    attempt.proposed = false;
    queue.allocateDriver(attempt);
  }

  @Test
  void earlierAttemptWaitsForTheProposalOfTheHead() {
    FakeAttempt head = proposeBeforeUrgent();
    queue.now += TIMEOUT / 2;
    assertThat(queue.offered()).isEmpty();
    commit(head);
    assertThat(queue.offered()).as("the slot of a less urgent one does not bind it").isEqualTo("urgent A");
  }

  @Test
  void earlierAttemptIsOfferedOnceTheProposalIsRefused() {
    FakeAttempt head = proposeBeforeUrgent();
    assertThat(queue.offered()).isEmpty();
    head.proposed = false;
    assertThat(queue.offered()).isEqualTo("urgent");
  }

  @Test
  void earlierAttemptIsOfferedAtOnceIfTheHeadWasNotProposed() {
    queue.submit("A");
    assertThat(queue.order.assignmentIterator("", () -> queue.now).next()).hasToString("A");
    queue.submit("urgent", 1);
    assertThat(queue.offered()).isEqualTo("urgent");
  }

  @Test
  void anotherSlotIsFree() {
    queue = new OrderFixture(new QueueSettings(2, TIMEOUT, new AttemptSettings(300_000, 1)));
    queue.order.join(StartingGroup.ofOne(true));
    proposeBeforeUrgent();
    propose("urgent");
    queue.submit("more urgent", 2);
    assertThat(queue.offered()).isEmpty();
  }

  @Test
  void attemptBesideOneAtItsLimitCounts() {
    FakeAttempt head = queue.submitOf("greedy", "H", 0);
    head.skipped = true;
    queue.submit("B");
    propose("B");
    queue.submit("urgent", 1);
    assertThat(queue.offered()).as("of a third user").isEmpty();
    head.skipped = false;
    assertThat(queue.offered()).as("its limit has ended").isEmpty();
  }

  @Test
  void stalledAttemptCounts() {
    FakeAttempt stalled = queue.submit("S");
    queue.submit("A");
    queue.history(stalled).stalled = true;
    queue.order.tick(queue.now);
    propose("A");
    assertThat(queue.offered()).as("A is proposed").isEqualTo("A");
    queue.submit("urgent", 1);
    assertThat(queue.offered()).as("nor does the slot go to S").isEmpty();
  }

  @Test
  void openLineProposesOneAtATime() {
    for (String name : new String[] {"A", "B", "C"}) {
      queue.submit(name);
    }
    queue.offered();
    queue.now += TIMEOUT;
    propose("B");
    assertThat(queue.offered()).isEqualTo("B");
  }

  private FakeAttempt submitCrashLoop(String name) {
    FakeAttempt attempt = new FakeAttempt(name);
    queue.history(attempt).startedBefore = SETTINGS.attempts().startingTimeout();
    return queue.add(attempt, 0);
  }

  @Test
  void crashLoopsTakeSlotsFromEachOtherOnly() {
    submitCrashLoop("loop");
    submitCrashLoop("another loop");
    propose("loop");
    assertThat(queue.offered()).isEqualTo("loop");
    queue.submit("A");
    assertThat(queue.offered()).startsWith("A");
  }

  @Test
  void crashLoopsThatStartCountAsWell() {
    queue = new OrderFixture(new QueueSettings(2, TIMEOUT, new AttemptSettings(300_000, 1)));
    queue.order.join(StartingGroup.ofOne(true));
    queue.allocateDriver(submitCrashLoop("one"));
    submitCrashLoop("two");
    propose("two");
    submitCrashLoop("three");
    assertThat(queue.offered()).isEqualTo("one two");
  }

  @Test
  void committedWhileTheNextOneIsChosen() {
    FakeAttempt earlier = queue.submit("earlier");
    earlier.hasRequest = false;
    queue.submit("A");
    FakeAttempt head = propose("A");
    head.proposed = false;
    earlier.hasRequest = true;
    Iterator<FakeAttempt> walk = queue.order.assignmentIterator("", () -> queue.now);
    // The container is live, and the policy has not been told.
    head.driver = true;
    head.hasRequest = false;
    assertThat(walk.hasNext() && walk.next() == earlier).isFalse();
    assertThat(queue.state(head)).isEqualTo(State.STARTING);
  }

  private QueueOrder<FakeAttempt> newOrder() {
    QueueOrder<FakeAttempt> next = new QueueOrder<>(queue.order.settings(), queue);
    next.join(StartingGroup.ofOne(true));
    return next;
  }

  /** Another ordering takes over; B comes before A in it. */
  private void refreshInReverse(QueueOrder<FakeAttempt> next) {
    for (FakeAttempt attempt : queue.order.items()) {
      int place = attempt.name.equals("A") ? 2 : 1;
      next.add(attempt, attempt, new Arrival(new OrderKey(0, 0, 1, place, 1), SETTINGS.attempts(),
          queue.history(attempt), true), queue.now);
    }
    queue.order = next;
  }

  @Test
  void proposalOutlivesARefresh() {
    queue.submit("A");
    propose("A");
    queue.submit("B");
    refreshInReverse(newOrder());
    assertThat(queue.offered()).as("B comes first now").isEmpty();
  }

  @Test
  void proposalThatTheSchedulerHasLostHoldsNobodyForLong() {
    proposeBeforeUrgent();
    assertThat(queue.offered()).isEmpty();
    queue.now += Leases.LOST;
    assertThat(queue.offered()).startsWith("urgent");
    queue.submit("more urgent", 2);
    assertThat(queue.offered()).as("nor again").startsWith("more urgent");
  }

  @Test
  void walkOfAnotherThreadProposesWhileThisOneLooks() {
    queue.submit("A");
    FakeAttempt head = queue.order.assignmentIterator("", () -> queue.now).next();
    queue.submit("urgent", 1);
    assertThat(queue.offered()).as("nothing is proposed yet").isEqualTo("urgent");
    head.proposed = true;
    assertThat(queue.offered()).isEmpty();
  }

  /** YARN asks for no other attempt in a walk in which one exceeds what is left of the queue. */
  @Test
  void attemptAtWhichWalksEndHoldsNobodyForLong() {
    queue.submit("big");
    queue.submit("small");
    boolean given = false;
    while (!given && queue.now < 2 * TIMEOUT) {
      queue.now += 5;
      // Two threads.
      Iterator<FakeAttempt> one = queue.order.assignmentIterator("", () -> queue.now);
      Iterator<FakeAttempt> two = queue.order.assignmentIterator("", () -> queue.now);
      given = one.next().name.equals("small") & two.next().name.equals("small");
    }
    assertThat(queue.now).isBetween(TIMEOUT, TIMEOUT + 10);
  }

  @Test
  void walkThatBeganBeforeARefreshGivesNothing() {
    queue.submit("A");
    Iterator<FakeAttempt> walk = queue.order.assignmentIterator("", () -> queue.now);
    refreshInReverse(newOrder());
    assertThat(walk.hasNext()).isFalse();
  }

  @Test
  void reservedDriverThatIsAllocatedNowCountsOnce() {
    queue = new OrderFixture(new QueueSettings(2, TIMEOUT, new AttemptSettings(300_000, 1)));
    queue.order.join(StartingGroup.ofOne(true));
    FakeAttempt reserved = queue.submit("R");
    queue.submit("B");
    queue.order.assignmentIterator("", () -> queue.now).next();
    queue.reserve(reserved);
    reserved.proposed = true;
    assertThat(queue.offered()).isEqualTo("R B");
  }

  /** There the scheduler does not tell. */
  @Test
  void nobodyWaitsForAProposalWithALabel() {
    queue.submitIn("gpu", "A");
    queue.order.assignmentIterator("gpu", () -> queue.now).next().proposed = true;
    FakeAttempt urgent = new FakeAttempt("urgent");
    urgent.partition = "gpu";
    queue.add(urgent, 1);
    assertThat(queue.order.assignmentIterator("gpu", () -> queue.now).next()).hasToString("urgent");
  }

  @Test
  void whoReadsAnOfferProposesNothingAndIsNotHeld() {
    FakeAttempt head = queue.submit("A");
    assertThat(queue.order.assignmentIterator(null, () -> queue.now).next()).isSameAs(head);
    head.proposed = true;
    queue.submit("urgent", 1);
    assertThat(queue.order.assignmentIterator(null, () -> queue.now).next()).hasToString("urgent");
  }

  /** A is proposed in one queue, and B is in another queue of the group; its clock says this. */
  private OrderFixture proposeBesideAnotherQueue(long now) {
    StartingGroup<FakeAttempt> group = new StartingGroup<>("group", true);
    queue.order.join(group);
    OrderFixture other = new OrderFixture(SETTINGS);
    other.order.join(group);
    queue.submit("A");
    propose("A");
    other.submit("B");
    other.now = now;
    return other;
  }

  /** Another queue of the same group, in which B waits; A waits in this one. */
  private OrderFixture besideAnotherQueue() {
    StartingGroup<FakeAttempt> group = new StartingGroup<>("group", true);
    queue.order.join(group);
    OrderFixture other = new OrderFixture(SETTINGS);
    other.order.join(group);
    queue.submit("A");
    other.submit("B");
    return other;
  }

  /** One thread cannot place A on its nodes and goes on; another one is about to propose it on others. */
  @Test
  void walkThatCameBackEndsNoOtherThreadsWalk() {
    OrderFixture other = besideAnotherQueue();
    Iterator<FakeAttempt> walk = queue.order.assignmentIterator("", "another thread", () -> queue.now);
    FakeAttempt head = walk.next();
    assertThat(queue.offered()).isEqualTo("A");
    assertThat(other.offered()).as("the other thread has it").isEmpty();
    head.proposed = true;
    assertThat(other.offered()).isEmpty();
    head.proposed = false;
    assertThat(walk.hasNext()).isFalse();
    assertThat(other.offered()).as("both came back").isEqualTo("B");
  }

  /** A thread has read that A is not proposed; it is proposed, and passed over, before that is noted. */
  @Test
  void proposalOfWhichALookKnowsNothingCounts() {
    OrderFixture other = besideAnotherQueue();
    FakeAttempt head = queue.order.assignmentIterator("", () -> queue.now).next();
    head.whenAsked = () -> {
      head.whenAsked = () -> { };
      head.proposed = true;
      assertThat(queue.offered()).isEqualTo("A");
    };
    assertThat(other.offered()).isEmpty();
    head.proposed = false;
    assertThat(other.offered()).as("the proposal is refused").isEqualTo("B");
  }

  /** Another thread finds the new state first, and counts the attempt as one that holds a slot. */
  @Test
  void attemptIsNotBeyondTheSlotThatItTakes() {
    FakeAttempt head = queue.submit("A");
    queue.afterChange = queue::offered;
    queue.allocateDriver(head);
    assertThat(queue.events).noneMatch(event -> event.endsWith("beyond the slots"));
  }

  private FakeAttempt proposed() {
    return queue.order.items().iterator().next();
  }

  @Test
  void proposalCountsInAllQueuesOfAGroup() {
    OrderFixture other = proposeBesideAnotherQueue(Leases.LONGEST);
    assertThat(other.offered()).as("the turn of A's queue is over").isEmpty();
    proposed().proposed = false;
    assertThat(other.offered()).isEqualTo("B");
  }

  private void refreshInto(StartingGroup<FakeAttempt> group) {
    QueueOrder<FakeAttempt> next = newOrder();
    next.join(group);
    refreshInReverse(next);
  }

  @Test
  void proposalCountsOnceInAGroupAfterARefresh() {
    StartingGroup<FakeAttempt> group = new StartingGroup<>("group", true);
    queue = new OrderFixture(new QueueSettings(2, TIMEOUT, new AttemptSettings(300_000, 1)));
    queue.order.join(group);
    queue.submit("A");
    propose("A");
    refreshInto(group);
    queue.submit("urgent", 1);
    queue.now += Leases.WALK;
    assertThat(queue.offered()).isEqualTo("urgent");
  }

  @Test
  void proposalCountsNoLongerInAGroupThatItsQueueHasLeft() {
    OrderFixture other = proposeBesideAnotherQueue(Leases.WALK);
    refreshInto(new StartingGroup<>("another group", true));
    assertThat(other.offered()).isEqualTo("B");
  }

  @Test
  void proposalOfAQueueThatHasAnotherPolicyNowIsForgotten() {
    OrderFixture other = proposeBesideAnotherQueue(Leases.WALK);
    assertThat(other.offered()).isEmpty();
    proposed().ordered = false;
    assertThat(other.offered()).as("nobody has told").isEmpty();
    other.order.tick(other.now);
    assertThat(other.offered()).isEqualTo("B");
  }

  @Test
  void failureAfterAnAttemptCameBackEndsNoWalk() {
    queue.submit("A");
    queue.failure = new IllegalStateException("of the listener");
    Iterator<FakeAttempt> walk = queue.order.assignmentIterator("", () -> queue.now);
    FakeAttempt head = walk.next();
    head.driver = true;
    head.hasRequest = false;
    assertThat(walk.hasNext()).isFalse();
    assertThat(queue.events).contains("null failed: of the listener");
  }

  @Test
  void headThatIsGoneHoldsNobody() {
    FakeAttempt head = proposeBeforeUrgent();
    queue.remove(head);
    assertThat(queue.offered()).isEqualTo("urgent");
  }

  @Test
  void linesOfOtherPartitionsGoOn() {
    proposeBeforeUrgent();
    queue.submitIn("gpu", "G");
    assertThat(queue.order.assignmentIterator("gpu", () -> queue.now).next()).hasToString("G");
  }
}
