// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.Transition;
import io.github.dripfeed.core.forecast.StartHistory;
import io.github.dripfeed.wire.Wire.Event;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Codes and sentences belong together one by one. */
class SentencesTest {

  @Test
  void everyCodeHasASentenceOfItsOwn() {
    assertThat(Stream.concat(Stream.of(Wait.values()).map(code -> code.sentence),
        Stream.of(Event.values()).map(code -> code.sentence)))
        .doesNotContainNull().doesNotContain("").doesNotHaveDuplicates();
  }

  @Test
  void everyCodeOfAnEventIsSent() {
    Set<Event> sent = Stream.of(Transition.values()).map(Transition::reason).collect(Collectors.toSet());
    assertThat(EnumSet.complementOf(EnumSet.copyOf(sent))).as("those of an end, which YARN tells")
        .containsExactly(Event.TAKEN_BACK, Event.FINISHED, Event.KILLED, Event.FAILED, Event.ENDED);
  }

  @Test
  void expectedStartIsARangeRoundedToTheOutside() {
    StartHistory history = new StartHistory();
    assertThat(Sentences.expected(history.forecast(0, 0), 1)).isEmpty();
    for (int i = 1; i <= 10; i++) {
      history.started(10_000_000, i * 30_000);
    }
    assertThat(Sentences.expected(history.forecast(600_000, 300_000 + 10_000), 8))
        .isEqualTo("the last 9 starts came 30 s apart: about 3 to 5 minutes");
  }
}
