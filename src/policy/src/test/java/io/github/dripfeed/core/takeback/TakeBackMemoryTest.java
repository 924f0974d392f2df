// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long an application waits after it was taken back. */
class TakeBackMemoryTest {

  private final TakeBackMemory memory = new TakeBackMemory();

  @Test
  void theNextAttemptWaitsTwiceAsLongEachTimeUpToFiveMinutes() {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      memory.takenBack("why", 0, 500);
      seconds.add(memory.millisLeft(500) / 1000);
    }
    assertThat(seconds).containsExactly(10L, 20L, 40L, 80L, 160L, 300L, 300L);
  }

  @Test
  void theWaitEnds() {
    memory.takenBack("why", 0, 500);
    assertThat(memory.isBackingOff(500 + 10_000 - 1)).isTrue();
    assertThat(memory.millisLeft(500 + 10_000 - 1)).isOne();
    assertThat(memory.isBackingOff(500 + 10_000)).isFalse();
    assertThat(memory.millisLeft(500 + 20_000)).isZero();
  }
}
