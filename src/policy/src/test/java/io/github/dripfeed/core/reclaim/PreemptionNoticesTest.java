// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreemptionNoticesTest {

  private static final long GRACE = 15_000;

  private final PreemptionNotices<String> notices = new PreemptionNotices<>();
  private final List<String> actions = new ArrayList<>();

  private List<String> apply(long now, String... planned) {
    return apply(now, List.of(planned), List.of());
  }

  private List<String> apply(long now, List<String> planned, List<String> paused) {
    actions.clear();
    PreemptionNotices.Actions<String> recorder = new PreemptionNotices.Actions<>() {
      @Override
      public void sendNotice(String container) {
        actions.add("notice " + container);
      }

      @Override
      public void preempt(String container) {
        actions.add("preempt " + container);
      }
    };
    notices.apply(planned, paused, GRACE, GRACE, now, recorder);
    return actions;
  }

  @Test
  void containerIsNotifiedOnceAndPreemptedAfterTheGracePeriod() {
    assertThat(apply(0, "a")).containsExactly("notice a");
    assertThat(apply(14_999, "a")).isEmpty();
    assertThat(apply(15_000, "a", "b")).containsExactly("preempt a", "notice b");
    assertThat(apply(18_000, "a", "b")).as("it is preempted once").isEmpty();
  }

  @Test
  void unplannedContainerGetsANewGracePeriod() {
    apply(0, "a");
    assertThat(apply(10_000)).isEmpty();
    assertThat(notices.isNotified("a")).isFalse();
    assertThat(apply(20_000, "a")).containsExactly("notice a");
    assertThat(apply(30_000, "a")).isEmpty();
  }

  @Test
  void zeroGracePreemptsInTheNextRound() {
    PreemptionNotices<String> strict = new PreemptionNotices<>();
    List<String> done = new ArrayList<>();
    PreemptionNotices.Actions<String> actions = new PreemptionNotices.Actions<>() {
      @Override
      public void sendNotice(String container) {
        done.add("notice");
      }

      @Override
      public void preempt(String container) {
        done.add("preempt");
      }
    };
    strict.apply(List.of("a"), List.of(), 0, 0, 0, actions);
    assertThat(done).containsExactly("notice");
    strict.apply(List.of("a"), List.of(), 0, 0, 0, actions);
    assertThat(done).containsExactly("notice", "preempt");
  }

  @Test
  void shortPauseKeepsTheGracePeriod() {
    apply(0, "a");
    assertThat(apply(9_000, List.of(), List.of("a"))).isEmpty();
    assertThat(apply(15_000, "a")).containsExactly("preempt a");
  }

  @Test
  void longPauseRequiresANewNotice() {
    apply(0, "a");
    for (int now = 3_000; now < 30_000; now += 3_000) {
      assertThat(apply(now, List.of(), List.of("a"))).isEmpty();
    }
    assertThat(apply(30_000, "a")).containsExactly("notice a");
  }

  @Test
  void noticeExpiresWithoutRounds() {
    apply(0, "a");
    assertThat(apply(3_600_000, "a")).containsExactly("notice a");
    assertThat(apply(3_603_000, "a")).isEmpty();
  }
}
