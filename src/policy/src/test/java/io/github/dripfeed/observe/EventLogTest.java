// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Event;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Thousands of attempts end within one round of the monitor. */
class EventLogTest {

  private final EventLog log = new EventLog(() -> 0);

  private void end(int attempts, State state) {
    EndedAttempt ended = mock(EndedAttempt.class);
    when(ended.wasStarting()).thenReturn(state == State.STARTING);
    when(ended.event(anyLong())).thenAnswer(call -> new StateEvent(
        call.getArgument(0), 0, null, state.name(), Wire.ENDED, Event.KILLED, "", 1));
    for (int i = 0; i < attempts; i++) {
      log.add(ended);
    }
  }

  @Test
  void allThatEndInOneRoundAreCounted() {
    end(EventLog.EVENTS + 5, State.STARTING);
    log.explainEnded();
    assertThat(log.endedWhileStarting.events()).hasSize(EventLog.EVENTS);
    assertThat(log.endedWhileStarting.forgotten()).isEqualTo(5);
  }

  @Test
  void thoseThatEndedWhileStartingAreRecordedWhateverElseEnds() {
    end(EventLog.UNEXPLAINED + 7, State.ACCEPTED);
    end(5, State.STARTING);
    log.explainEnded();
    assertThat(log.endedWhileStarting.events()).hasSize(5);
    assertThat(log.endedWhileStarting.forgotten()).isZero();
    List<StateEvent> events = log.all.events();
    assertThat(events.get(events.size() - 1).sequence).as("7 are lost, with a line that says so")
        .isEqualTo(EventLog.UNEXPLAINED + 5);
  }

  @Test
  void thereIsABoundOfTheseToo() {
    end(3 * EventLog.UNEXPLAINED, State.STARTING);
    log.explainEnded();
    assertThat(log.endedWhileStarting.forgotten()).isEqualTo(2 * EventLog.UNEXPLAINED - EventLog.EVENTS);
  }
}
