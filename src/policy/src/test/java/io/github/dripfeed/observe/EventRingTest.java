// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventRingTest {

  @Test
  void oldestAreForgottenAndCounted() {
    EventRing ring = new EventRing();
    assertThat(ring.events()).isEmpty();
    for (int sequence = 1; sequence <= EventLog.EVENTS; sequence++) {
      ring.add(event(sequence));
    }
    assertThat(ring.forgotten()).isZero();
    for (int more = 1; more <= 5; more++) {
      ring.add(event(EventLog.EVENTS + more));
    }
    assertThat(ring.events()).extracting(event -> event.sequence)
        .hasSize(EventLog.EVENTS).isSorted().startsWith(6L).endsWith(EventLog.EVENTS + 5L);
    assertThat(ring.forgotten()).isEqualTo(5);
  }

  private static StateEvent event(long sequence) {
    return new StateEvent(sequence, 0, null, "", "", null, "", 0);
  }
}
