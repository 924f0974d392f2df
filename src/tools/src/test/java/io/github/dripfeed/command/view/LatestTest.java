// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.tool.Problem;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The ResourceManager goes and comes back, on a clock that is driven by hand. */
class LatestTest {

  private long now = 1_000_000;
  private int asked;
  private String problem = "Nothing listens";
  private final Queue<Runnable> questions = new ArrayDeque<>();
  private final Latest latest = new Latest(Collections.singletonMap("content", 0), () -> {
    asked++;
    if (problem != null) {
      throw new Problem(Problem.UNREACHABLE, problem);
    }
    return Collections.singletonMap("content", asked);
  }, Runnable::run, () -> now);

  /** A page that is opened after a while gets the old picture if the answer does not come soon. */
  @Test
  void anOldPictureIsNotToldAsLive() {
    Latest slow = new Latest(
        Collections.emptyMap(), Collections::emptyMap, questions::add, () -> now);
    now += Latest.INTERVAL_MILLIS;
    assertThat(slow.document()).as("asked again").containsEntry("state", "live");
    now += Latest.SLOW_MILLIS;
    assertThat(slow.document()).as("since long").containsEntry("state", "slow");
    questions.remove().run();
    assertThat(slow.document()).as("answered").containsEntry("state", "live").containsEntry("read", now);
    questions.remove().run();
    now += 3_600_000;
    assertThat(slow.document()).as("just asked").containsEntry("state", "slow")
        .containsEntry("read", now - 3_600_000);
  }

  @Test
  void saysThatTheResourceManagerIsGoneAndWhenItCameBack() {
    assertThat(latest.document()).containsEntry("state", "live").containsEntry("content", 0);
    now += Latest.INTERVAL_MILLIS;
    assertThat(latest.document()).containsEntry("state", "gone").containsEntry("problem", problem)
        .containsEntry("goneSince", now).containsEntry("read", 1_000_000L).containsEntry("content", 0);
    problem = null;
    now += Latest.INTERVAL_MILLIS - 1;
    assertThat(latest.document()).containsEntry("state", "gone");
    now += 1;
    assertThat(latest.document()).containsEntry("state", "live").containsEntry("backSince", now)
        .containsEntry("backFrom", now - Latest.INTERVAL_MILLIS).containsEntry("unaskedFrom", -1L)
        .containsEntry("content", 2);
    assertThat(asked).isEqualTo(2);
  }

  /** A laptop is closed just after the ResourceManager went, and opened after seven hours. */
  @Test
  void whileNobodyAskedNobodyKnowsWhetherItWasGone() {
    now += Latest.INTERVAL_MILLIS;
    long gone = now;
    assertThat(latest.document()).containsEntry("goneSince", gone);
    now += Latest.INTERVAL_MILLIS;
    long failed = now;
    assertThat(latest.document()).as("asked again at once").containsEntry("goneSince", gone);
    now += 7 * 3_600_000;
    problem = null;
    assertThat(latest.document()).containsEntry("state", "live").containsEntry("backSince", now)
        .containsEntry("backFrom", gone).containsEntry("unaskedFrom", failed);
    problem = "Nothing listens";
    now += Latest.INTERVAL_MILLIS;
    latest.document();
    now += 7 * 3_600_000;
    assertThat(latest.document()).as("gone again, or still").containsEntry("goneSince", now);
    problem = null;
    now += Latest.INTERVAL_MILLIS;
    assertThat(latest.document()).containsEntry("backFrom", now - Latest.INTERVAL_MILLIS)
        .containsEntry("unaskedFrom", -1L);
  }
}
