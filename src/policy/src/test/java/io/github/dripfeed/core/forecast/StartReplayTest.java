// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StartReplayTest {

  /** Three at once, of 10 each, one after the other. */
  private static final StartReplay BURST = new StartReplay(List.of(
      new RecordedStart(0, 0, 10), new RecordedStart(0, 10, 20), new RecordedStart(0, 20, 30)));

  @Test
  void burstWaitsForItsSlots() {
    assertThat(BURST.waits(1)).containsExactly(0, 10, 20);
    assertThat(BURST.waits(2)).containsExactly(0, 0, 10);
    assertThat(BURST.waits(3)).containsExactly(0, 0, 0);
    assertThat(BURST.waits(Integer.MAX_VALUE)).containsExactly(0, 0, 0);
  }

  @Test
  void oneThatComesLaterDoesNotWaitForAFreeSlot() {
    StartReplay replay = new StartReplay(
        List.of(new RecordedStart(100, 100, 130), new RecordedStart(0, 0, 50)));
    assertThat(replay.starts()).extracting(RecordedStart::held).containsExactly(50L, 30L);
    assertThat(replay.waits(1)).containsExactly(0, 0);
  }

  @Test
  void onesThatStartedBesideEachOtherWaitIfThereIsOneSlot() {
    StartReplay replay = new StartReplay(
        List.of(new RecordedStart(0, 0, 50), new RecordedStart(10, 10, 30)));
    assertThat(replay.waits(2)).containsExactly(0, 0);
    assertThat(replay.waits(1)).containsExactly(0, 40);
  }

  @Test
  void impossibleRecordsAreRefused() {
    assertThatThrownBy(() -> new RecordedStart(2, 1, 3)).hasMessageContaining("accepted=2");
    assertThatThrownBy(() -> new RecordedStart(1, 3, 2)).hasMessageContaining("ended=2");
    assertThatThrownBy(() -> BURST.waits(0)).hasMessageContaining("slots=0");
  }

  @Property(tries = 2000)
  void theRecordedNumberOfSlotsChangesNothing(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int slots) {
    StartReplay replay = new StartReplay(recorded(new Random(seed), slots));
    assertThat(replay.waits(slots))
        .isEqualTo(replay.starts().stream().mapToLong(RecordedStart::waited).toArray());
  }

  @Property(tries = 2000)
  void noneWaitsLongerWithMoreSlots(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int slots) {
    StartReplay replay = new StartReplay(recorded(new Random(seed), 1 + (int) Math.floorMod(seed, 4L)));
    long[] fewer = replay.waits(slots);
    long[] more = replay.waits(slots + 1);
    for (int i = 0; i < fewer.length; i++) {
      assertThat(more[i]).isBetween(0L, fewer[i]);
    }
    assertThat(Arrays.stream(more).sum()).isLessThanOrEqualTo(Arrays.stream(fewer).sum());
  }

  /**
   * What a line with so many slots records: at any time that a slot is free, any of those that wait takes
   * it, as with priorities.
   */
  private static List<RecordedStart> recorded(Random random, int slots) {
    List<Long> waiting = new ArrayList<>();
    long[] freeAt = new long[slots];
    int left = random.nextInt(40);
    List<Long> arrivals = new ArrayList<>();
    for (int i = 0; i < left; i++) {
      arrivals.add((long) random.nextInt(400));
    }
    arrivals.sort(Comparator.naturalOrder());
    List<RecordedStart> starts = new ArrayList<>();
    long now = 0;
    while (!arrivals.isEmpty() || !waiting.isEmpty()) {
      while (!arrivals.isEmpty() && arrivals.get(0) <= now) {
        waiting.add(arrivals.remove(0));
      }
      for (int slot = 0; slot < slots; slot++) {
        if (freeAt[slot] <= now && !waiting.isEmpty()) {
          freeAt[slot] = now + 1 + random.nextInt(60);
          starts.add(new RecordedStart(
              waiting.remove(random.nextInt(waiting.size())), now, freeAt[slot]));
        }
      }
      now++;
    }
    return starts;
  }
}
