// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import org.junit.jupiter.api.Test;

class AttemptHistoriesTest {

  private final AttemptHistories histories = new AttemptHistories();

  @Test
  void sameAttemptHasTheSameHistory() {
    Object attempt = new Object();
    assertThat(histories.of(attempt, 0)).isSameAs(histories.of(attempt, 5));
  }

  @Test
  void equalAttemptOfAnotherResourceManagerHasItsOwnHistory() {
    String attempt = new String("attempt_1");
    String successor = new String("attempt_1");
    assertThat(histories.of(attempt, 0)).isNotSameAs(histories.of(successor, 0));
  }

  @Test
  void collectedAttemptIsForgotten() throws Exception {
    Object kept = new Object();
    histories.of(kept, 0);
    for (int i = 0; i < 100; i++) {
      histories.of(new Object(), 0);
    }
    Eventually.is("only the referenced one is remembered", () -> {
      System.gc();
      return histories.size() == 1;
    });
    assertThat(kept).isNotNull();
  }
}
