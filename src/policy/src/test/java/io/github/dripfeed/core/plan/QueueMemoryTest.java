// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueMemoryTest {

  private final QueueMemory memory = new QueueMemory();

  @ParameterizedTest(name = "start-up {0} ms, unserved for {1} ms: in front: {2}")
  @CsvSource({"0, 9999, true", "0, 10000, false", "0, 19999, false", "0, 20000, true", "4000, 9999, true",
      "4000, 10000, false", "20000, 39999, true", "20000, 40000, false", "20000, 80000, true"})
  void unservedOneStandsInFrontEverySecondTime(long startUp, long unserved, boolean front) {
    if (startUp > 0) {
      memory.demands().wants("known", "", "", startUp,
          List.of(new Demand("", ResourceVector.of(1), 1)), 1, 0);
    }
    assertThat(memory.isInFront("A", 0, true, 5)).isTrue();
    assertThat(memory.isInFront("A", 0, true, 5 + unserved)).isEqualTo(front);
  }

  @Test
  void eachExecutorPutsItInFrontAgain() {
    memory.isInFront("A", 0, true, 1);
    assertThat(memory.isInFront("A", 0, true, 10_001)).isFalse();
    assertThat(memory.isInFront("A", 1, true, 10_001)).isTrue();
    assertThat(memory.isInFront("A", 1, true, 20_000)).isTrue();
    memory.retainInFront(Set.of("A"));
    assertThat(memory.isInFront("A", 1, true, 20_001)).isFalse();
    memory.retainInFront(Set.of());
    assertThat(memory.isInFront("A", 1, true, 20_002)).as("forgotten").isTrue();
  }
}
