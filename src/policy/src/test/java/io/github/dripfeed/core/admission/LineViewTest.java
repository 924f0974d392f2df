// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What readers are told of a line. */
class LineViewTest {

  /** YARN answers under a lock that each heartbeat takes, and a line may be long. */
  @Test
  void ofEachUserAtItsLimitOneIsAsked() {
    OrderFixture queue = new OrderFixture(new QueueSettings(1, 300_000, AttemptSettings.DEFAULTS));
    List<FakeAttempt> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      FakeAttempt attempt = new FakeAttempt("a" + i);
      attempt.user = i % 2 == 0 ? "ann" : "bob";
      attempt.skipped = true;
      all.add(queue.add(attempt, 0));
    }
    FakeAttempt reserved = all.get(50);
    reserved.skipped = false;
    queue.reserve(reserved);
    FakeAttempt modest = queue.submit("modest");
    all.add(modest);
    all.forEach(attempt -> attempt.limitQuestions = 0);
    AdmissionLineView<FakeAttempt> line = queue.order.lines(queue.now).get(0);
    List<FakeAttempt> served = new ArrayList<>();
    Predicate<AttemptView<FakeAttempt>> skipped = line.skipped();
    for (AttemptView<FakeAttempt> attempt : line.waiting) {
      if (!skipped.test(attempt)) {
        served.add(attempt.item());
      }
    }
    assertThat(served).as("a reservation is for one application").containsExactly(reserved, modest);
    assertThat(all.stream().mapToInt(attempt -> attempt.limitQuestions).sum())
        .as("one of ann, one of bob, and those that YARN serves").isEqualTo(4);
  }
}
