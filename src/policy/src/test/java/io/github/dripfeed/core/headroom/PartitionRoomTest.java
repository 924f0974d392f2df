// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which room stays free in a partition. Amounts are memory and cores. */
class PartitionRoomTest {

  /** No kind can hold what another one holds; five of the nodes hold fifteen sixteenths of any. */
  @Test
  void roomIsKeptForTheEightMostFrequentKindsOfNodes() {
    PartitionRoom room = new PartitionRoom();
    for (int kind = 0; kind <= 8; kind++) {
      ResourceVector size = ResourceVector.of(100 + kind, 108 - kind);
      for (int nodes = kind == 4 ? 1 : 2; nodes > 0; nodes--) {
        room.addNode(size, size, size, size);
      }
    }

    List<ResourceVector> kept = room.keep(ResourceVector.of(1000, 1000), List.of(), 1);

    assertThat(kept).hasSize(8);
    assertThat(kept.stream().map(shape -> shape.get(0))).as("without that of the rare one, 97")
        .containsExactlyInAnyOrder(93L, 94L, 95L, 96L, 98L, 99L, 100L, 101L);
  }
}
