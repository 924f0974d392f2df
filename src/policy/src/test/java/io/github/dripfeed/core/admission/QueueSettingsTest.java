// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class QueueSettingsTest {

  private static final AttemptSettings ATTEMPTS = AttemptSettings.DEFAULTS;
  private static final QueueSettings QUEUE = QueueSettings.DEFAULTS;

  @Test
  void aNumberOutOfRangeIsRefused() {
    refused(() -> new QueueSettings(0, 0, ATTEMPTS), "maxStarting=0");
    refused(() -> new QueueSettings(1, -1, ATTEMPTS), "acceptedTimeout=-1");
    refused(() -> QUEUE.withMaxContainers(-1), "maxContainers=-1");
    refused(() -> new AttemptSettings(0, 1), "startingTimeout=0");
    refused(() -> ATTEMPTS.withMinExecutors(0), "minExecutors=0");
    refused(() -> ATTEMPTS.withIdleTimeout(-1), "idleTimeout=-1");
  }

  private static void refused(ThrowingCallable call, String number) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("out of range: ").hasMessageContaining(number);
  }

  @Test
  void minExecutorsNeverExceedsMaxContainers() {
    QueueSettings limited = QUEUE.withMaxContainers(4);
    assertThat(limited.attempts().withMinExecutors(9).minExecutors()).isEqualTo(3);
    assertThat(limited.attempts().withMinExecutors(2).minExecutors()).isEqualTo(2);
    assertThat(QUEUE.withMaxContainers(1).attempts().minExecutors()).as("its driver alone").isZero();
    assertThat(QUEUE.attempts().withMinExecutors(9).minExecutors()).isEqualTo(9);
  }

  @Test
  void changingOneSettingKeepsTheOthers() {
    AttemptSettings attempts = new AttemptSettings(7, 6).withIdleTimeout(5).withMinExecutors(4);
    QueueSettings queue = new QueueSettings(3, 2, attempts.withStartingTimeout(9))
        .withTakeBack(4).withMaxContainers(8);
    assertThat(queue.maxStarting()).isEqualTo(3);
    assertThat(queue.withAuto(true).maxStarting()).isEqualTo(1);
    assertThat(queue.acceptedTimeout()).isEqualTo(2);
    assertThat(queue.isTakeBack()).isTrue();
    assertThat(queue.withTakeBack(0).isPlanned()).isFalse();
    assertThat(queue.withTakeBack(0).withAuto(true).isPlanned()).isTrue();
    assertThat(queue.maxContainers()).isEqualTo(8);
    assertThat(queue.attempts()).extracting(AttemptSettings::startingTimeout,
        AttemptSettings::minExecutors, AttemptSettings::idleTimeout).containsExactly(9L, 4, 5L);
  }
}
