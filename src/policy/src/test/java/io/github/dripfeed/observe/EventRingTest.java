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
      ring.add(new StateEvent(sequence, 0, null, null));
    }
    assertThat(ring.forgotten()).isZero();
    for (int more = 1; more <= 5; more++) {
      ring.add(new StateEvent(EventLog.EVENTS + more, 0, null, null));
    }
    assertThat(ring.events()).extracting(StateEvent::sequence)
        .hasSize(EventLog.EVENTS).isSorted().startsWith(6L).endsWith(EventLog.EVENTS + 5L);
    assertThat(ring.forgotten()).isEqualTo(5);
  }
}
