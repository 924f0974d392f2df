// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupIndexTest {

  private static final int QUEUES = 20;

  private final GroupIndex<String> index = new GroupIndex<>();
  private final List<AttemptLane<String>> lanes = new ArrayList<>();
  private final List<GroupIndex.LaneReference<String>> references = new ArrayList<>();

  /** A queue in which an application waits. */
  private void queue(int number) {
    AttemptLane<String> lane = new AttemptLane<>();
    OrderKey place = new OrderKey(0, 0, 1, number, 1);
    lane.add(new QueuedAttempt<>("app" + number, mock(Attempt.class),
        new Arrival(place, new AttemptSettings(1, 1), new AttemptHistory(0), false), owner()));
    lanes.add(lane);
    references.add(index.reference(lane));
  }

  @SuppressWarnings("unchecked")
  private static QueuedAttempt.Owner<String> owner() {
    return mock(QueuedAttempt.Owner.class);
  }

  /** The order of hashes, which differs from process to process, would find any of them. */
  @Test
  void theQueueThatCameFirstIsSearchedFirst() {
    for (int i = 0; i < QUEUES; i++) {
      queue(i);
    }
    for (int i = QUEUES - 1; i >= 0; i--) {
      index.added(references.get(i));
    }
    for (int i = 0; i < QUEUES; i++) {
      QueuedAttempt<String> found = index.find(attempt -> true);
      assertThat(found.item).isEqualTo("app" + i);
      lanes.get(i).remove(found);
      index.removed(references.get(i), lanes.get(i));
    }
    assertThat(index.find(attempt -> true)).isNull();
    assertThat(index.size()).isZero();
  }
}
