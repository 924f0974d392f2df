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

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreemptionNoticesTest {

  private static final long GRACE = 15_000;

  private final PreemptionNotices<String> notices = new PreemptionNotices<>();
  private final List<String> done = new ArrayList<>();

  private List<String> follow(long now, String... planned) {
    return follow(now, List.of(planned), List.of());
  }

  private List<String> follow(long now, List<String> planned, List<String> paused) {
    done.clear();
    notices.follow(planned, paused, GRACE, GRACE, now, new PreemptionNotices.Actions<>() {
      @Override
      public void ask(String container) {
        done.add("ask " + container);
      }

      @Override
      public void take(String container) {
        done.add("take " + container);
      }
    });
    return done;
  }

  @Test
  void containerIsNotifiedOnceAndTakenAfterTheGracePeriod() {
    assertThat(follow(0, "a")).containsExactly("ask a");
    assertThat(follow(14_999, "a")).isEmpty();
    assertThat(follow(15_000, "a", "b")).containsExactly("take a", "ask b");
    assertThat(follow(18_000, "a", "b")).as("it takes a moment to go").isEmpty();
  }

  @Test
  void unplannedContainerGetsANewGracePeriod() {
    follow(0, "a");
    assertThat(follow(10_000)).isEmpty();
    assertThat(notices.isAsked("a")).isFalse();
    assertThat(follow(20_000, "a")).containsExactly("ask a");
    assertThat(follow(30_000, "a")).isEmpty();
  }

  @Test
  void zeroGraceTakesAtTheNextRound() {
    PreemptionNotices<String> strict = new PreemptionNotices<>();
    List<String> seen = new ArrayList<>();
    PreemptionNotices.Actions<String> actions = new PreemptionNotices.Actions<>() {
      @Override
      public void ask(String container) {
        seen.add("ask");
      }

      @Override
      public void take(String container) {
        seen.add("take");
      }
    };
    strict.follow(List.of("a"), List.of(), 0, 0, 0, actions);
    assertThat(seen).containsExactly("ask");
    strict.follow(List.of("a"), List.of(), 0, 0, 0, actions);
    assertThat(seen).containsExactly("ask", "take");
  }

  @Test
  void shortPauseKeepsTheGracePeriod() {
    follow(0, "a");
    assertThat(follow(9_000, List.of(), List.of("a"))).isEmpty();
    assertThat(follow(15_000, "a")).containsExactly("take a");
  }

  @Test
  void longPauseRequiresANewNotice() {
    follow(0, "a");
    for (int now = 3_000; now < 30_000; now += 3_000) {
      assertThat(follow(now, List.of(), List.of("a"))).isEmpty();
    }
    assertThat(follow(30_000, "a")).containsExactly("ask a");
  }

  @Test
  void noticeExpiresWithoutRounds() {
    follow(0, "a");
    assertThat(follow(3_600_000, "a")).containsExactly("ask a");
    assertThat(follow(3_603_000, "a")).isEmpty();
  }
}
