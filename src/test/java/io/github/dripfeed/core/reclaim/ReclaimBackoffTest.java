/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReclaimBackoffTest {

  private static final long PATIENCE = 4_500;

  private final ReclaimBackoff<String> trials = new ReclaimBackoff<>();

  @Test
  void successfulReclaimIsUnlimited() {
    trials.took("a", 7, 0);
    assertThat(trials.saw("a", 8, true, PATIENCE, 3_000)).isFalse();
    assertThat(trials.allowed("a", 3_000)).isEqualTo(Long.MAX_VALUE);
    assertThat(trials.isEmpty()).as("nothing to remember").isTrue();
  }

  @Test
  void futileReclaimBacksOffExponentially() {
    long now = 0;
    long pause = 30_000;
    for (int failure = 0; failure < 20; failure++) {
      trials.took("a", 7, now);
      assertThat(trials.saw("a", 7, true, PATIENCE, now + 3_000)).as("within a moment").isFalse();
      now += 6_000;
      assertThat(trials.saw("a", 7, true, PATIENCE, now)).isTrue();
      assertThat(trials.allowed("a", now + pause - 1)).isZero();
      now += pause;
      assertThat(trials.allowed("a", now)).as("one trial").isEqualTo(1);
      pause = Math.min(3_600_000, 2 * pause);
    }
  }

  @Test
  void successShortensTheBackoff() {
    trials.took("a", 7, 0);
    trials.saw("a", 7, true, PATIENCE, 6_000);
    long newest = 7;
    for (long allowed = 1; allowed <= 1024; allowed *= 2) {
      assertThat(trials.allowed("a", 100_000)).isEqualTo(allowed);
      trials.took("a", newest, 100_000);
      assertThat(trials.saw("a", ++newest, true, PATIENCE, 103_000)).isFalse();
    }
    assertThat(trials.isEmpty()).isTrue();
  }

  @Test
  void withdrawnDemandIsNoFailure() {
    trials.took("a", 7, 0);
    assertThat(trials.saw("a", 7, false, PATIENCE, 60_000)).isFalse();
    assertThat(trials.allowed("a", 60_000)).isEqualTo(Long.MAX_VALUE);
  }
}
