/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The head of a line where the scheduler allocates a driver some time after it has chosen it. */
class AsynchronousOfferTest {

  private final OrderFixture queue = new OrderFixture(QueueSettings.DEFAULTS);

  @BeforeEach
  void asynchronous() {
    queue.order.setAsynchronous();
  }

  @Test
  void earlierAttemptWaitsWhileTheHeadMayHaveBeenProposed() {
    queue.submit("A");
    assertThat(queue.offered()).isEqualTo("A");
    queue.submit("urgent", 1);
    queue.now += ProposedHead.UNDER_WAY - 1;
    assertThat(queue.offered()).isEmpty();
    queue.now++;
    assertThat(queue.offered()).isEqualTo("urgent");
  }

  @Test
  void headThatGotItsDriverMeanwhileStartsAlone() {
    FakeAttempt head = queue.submit("A");
    queue.offered();
    queue.submit("urgent", 1);
    queue.allocateDriver(head);
    assertThat(queue.offered()).isEqualTo("A");
    queue.allocateExecutors(head, 1);
    assertThat(queue.offered()).as("at once").isEqualTo("urgent A");
  }

  @Test
  void nothingIsUnderWayOfOneThatIsGone() {
    FakeAttempt head = queue.submit("A");
    queue.offered();
    queue.submit("urgent", 1);
    queue.remove(head);
    assertThat(queue.offered()).isEqualTo("urgent");
  }

  @Test
  void nothingIsUnderWayOfOneThatHasStalled() {
    FakeAttempt head = queue.submit("A");
    queue.submit("B");
    queue.offered();
    queue.history(head).setStalled();
    queue.order.tick(queue.now);
    assertThat(queue.offered()).startsWith("B");
  }

  @Test
  void othersThatArriveMeanwhileAddNoTime() {
    queue.submit("A");
    queue.offered();
    queue.submit("urgent", 1);
    queue.now += ProposedHead.UNDER_WAY / 2;
    assertThat(queue.offered()).isEmpty();
    queue.submit("more urgent", 2);
    queue.now += ProposedHead.UNDER_WAY / 2;
    assertThat(queue.offered()).isEqualTo("more urgent");
  }

  @Test
  void whoReadsAnOfferProposesNothing() {
    queue.submit("A");
    assertThat(queue.order.assignmentIterator(null, () -> queue.now).next()).hasToString("A");
    queue.order.tick(queue.now);
    queue.submit("urgent", 1);
    assertThat(queue.offered()).isEqualTo("urgent");
  }

  @Test
  void linesOfOtherPartitionsGoOn() {
    queue.submit("A");
    queue.offered();
    queue.submit("urgent", 1);
    queue.submitIn("gpu", "G");
    assertThat(queue.order.assignmentIterator("gpu", () -> queue.now).next()).hasToString("G");
  }
}
