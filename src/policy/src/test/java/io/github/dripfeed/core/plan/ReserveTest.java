// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many drivers find room beside the largest executors. Amounts are memory, or memory and GPUs. */
class ReserveTest {

  private static SafetyReserve onNodes(ResourceVector largest, int kept, List<ResourceVector> nodes) {
    SafetyReserve reserve = new SafetyReserve(largest);
    nodes.forEach(reserve::addNode);
    nodes.forEach(reserve::addBest);
    reserve.need(kept);
    return reserve;
  }

  private static int drivers(ResourceVector driver, SafetyReserve... shapes) {
    Reserve reserve = new Reserve(() -> List.of(shapes));
    int drivers = 0;
    while (drivers < 100 && reserve.keepsBeside(driver)) {
      reserve.addDriver(driver);
      drivers++;
    }
    return drivers;
  }

  @ParameterizedTest(name = "{0} nodes of {1}, {2} executors of {3}, drivers of {4}: {5}")
  @CsvSource({"1, 24, 1, 22, 1, 2", "1, 24, 1, 8, 1, 16", "4, 4, 1, 4, 1, 3", "4, 4, 3, 4, 1, 1",
      "3, 8, 1, 8, 1, 2", "2, 9, 1, 8, 1, 3", "2, 9, 1, 8, 5, 1", "2, 16, 1, 8, 8, 3", "2, 16, 1, 8, 9, 1"})
  void driversLeaveTheLargestWhereverTheyAre(
      int nodes, long size, int kept, long largest, long driver, int drivers) {
    assertThat(drivers(ResourceVector.of(driver), onNodes(ResourceVector.of(largest), kept,
        Collections.nCopies(nodes, ResourceVector.of(size))))).isEqualTo(drivers);
  }

  @Test
  void oneOfFewNodesThatCanHoldItIsEnoughToLose() {
    assertThat(drivers(ResourceVector.of(1), onNodes(ResourceVector.of(20), 1,
        List.of(ResourceVector.of(9), ResourceVector.of(9), ResourceVector.of(20))))).isZero();
  }

  @Test
  void driversWithoutRareTypesDisplaceByMemory() {
    ResourceVector node = ResourceVector.of(10, 2);
    assertThat(drivers(ResourceVector.of(1, 0),
        onNodes(ResourceVector.of(8, 2), 1, List.of(node, node)))).isEqualTo(5);
  }

  @Test
  void eachShapeIsKept() {
    ResourceVector wide = ResourceVector.of(4, 16);
    ResourceVector tall = ResourceVector.of(48, 2);
    List<ResourceVector> nodes = List.of(ResourceVector.of(8, 17), ResourceVector.of(50, 4));
    assertThat(drivers(ResourceVector.of(1, 1), onNodes(wide, 1, nodes))).isEqualTo(1);
    assertThat(drivers(ResourceVector.of(1, 1), onNodes(wide, 1, nodes), onNodes(tall, 1, nodes)))
        .isEqualTo(1);
    assertThat(drivers(ResourceVector.of(3, 1), onNodes(tall, 1, nodes))).isZero();
  }

  @ParameterizedTest(name = "a limit that leaves {0}, {1} kept, drivers of {2}: {3}")
  @CsvSource({"12, 8, 1, 4", "12, 8, 3, 1", "7, 8, 1, 0", "3, 0, 1, 3"})
  void limitHasNoPieces(long later, long kept, long driver, int drivers) {
    assertThat(drivers(ResourceVector.of(driver),
        SafetyReserve.ofLimit(ResourceVector.of(later), ResourceVector.of(kept)))).isEqualTo(drivers);
  }

  @Test
  void typeThatNeitherNeedsMayBeUsedUp() {
    assertThat(drivers(ResourceVector.of(1, 0),
        SafetyReserve.ofLimit(ResourceVector.of(9, -1), ResourceVector.of(8, 0)))).isEqualTo(1);
  }

  @Test
  void shapesAreReadOnceAndOnlyIfNeeded() {
    AtomicInteger reads = new AtomicInteger();
    Reserve reserve = new Reserve(() -> {
      reads.incrementAndGet();
      return List.of(SafetyReserve.ofLimit(ResourceVector.of(3), ResourceVector.of(1)));
    });
    reserve.addDriver(ResourceVector.of(1));
    assertThat(reads).hasValue(0);
    assertThat(reserve.keepsBeside(ResourceVector.of(1))).isTrue();
    reserve.addDriver(ResourceVector.of(1));
    assertThat(reserve.keepsBeside(ResourceVector.of(1))).as("3 drivers of 1 and 1 kept").isFalse();
    assertThat(reads).hasValue(1);
  }
}
