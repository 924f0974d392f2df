// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import org.junit.jupiter.api.Test;

class WeakIdentityMapTest {

  private final WeakIdentityMap<Object> histories = new WeakIdentityMap<>();

  @Test
  void sameAttemptHasTheSameHistory() {
    Object attempt = new Object();
    assertThat(histories.of(attempt, Object::new)).isSameAs(histories.of(attempt, Object::new));
  }

  @Test
  void equalAttemptOfAnotherResourceManagerHasItsOwnHistory() {
    String attempt = new String("attempt_1");
    String successor = new String("attempt_1");
    assertThat(histories.of(attempt, Object::new)).isNotSameAs(histories.of(successor, Object::new));
  }

  @Test
  void collectedAttemptIsForgotten() throws Exception {
    Object kept = new Object();
    histories.of(kept, Object::new);
    for (int i = 0; i < 100; i++) {
      histories.of(new Object(), Object::new);
    }
    Eventually.is("only the referenced one is remembered", () -> {
      System.gc();
      return histories.size() == 1;
    });
    assertThat(kept).isNotNull();
  }
}
