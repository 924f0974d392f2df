// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakeBackRoundsTest {

  private static List<Long> rounds(long... visits) {
    TakeBackRounds rounds = new TakeBackRounds();
    List<Long> due = new ArrayList<>();
    for (long visit : visits) {
      if (rounds.isDue(visit)) {
        due.add(visit);
      }
    }
    return due;
  }

  @Test
  void visitThatWasLateDoesNotCostARound() {
    assertThat(rounds(1, 1000, 2003, 3001, 4000)).containsExactly(1L, 1000L, 2003L, 3001L, 4000L);
  }

  @Test
  void roundsOfSeveralQueuesAreOneASecond() {
    long[] visits = new long[100];
    for (int i = 0; i < visits.length; i++) {
      visits[i] = i * 200L;
    }
    assertThat(rounds(visits)).hasSizeBetween(20, 21);
  }

  @Test
  void roundsGoOnAfterAPause() {
    assertThat(rounds(0, 60_000, 60_300, 61_000)).containsExactly(0L, 60_000L, 61_000L);
  }
}
