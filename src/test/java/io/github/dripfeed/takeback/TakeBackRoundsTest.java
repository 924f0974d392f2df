/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
