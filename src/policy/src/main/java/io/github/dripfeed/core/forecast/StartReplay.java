// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.forecast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Recorded starts once more, with another number of starting slots. Immutable.
 *
 * <p>The model: the attempts are accepted when they were, take their slots in the order in which they took
 * them, and hold them for as long as they did. Each takes the slot that is free first. So with the number
 * of slots that the starts were recorded with, nothing changes; and with one slot more, none starts later.
 * An attempt that was overtaken stays behind the one that overtook it, also where it would have had a slot
 * before that one came. Its wait in the model is an upper bound.
 */
public final class StartReplay {

  private final List<RecordedStart> starts;

  /** @param starts in any order */
  public StartReplay(List<RecordedStart> starts) {
    this.starts = new ArrayList<>(starts);
    this.starts.sort(Comparator.comparingLong(RecordedStart::started));
  }

  /** The starts, in the order in which they happened; of several at once, in that in which they came. */
  public List<RecordedStart> starts() {
    return Collections.unmodifiableList(starts);
  }

  /**
   * How long each attempt waits for its slot, in milliseconds, in the order of {@link #starts}.
   *
   * @param slots how many attempts may hold a slot at once; at least 1
   */
  public long[] waits(int slots) {
    if (slots < 1) {
      throw new IllegalArgumentException("slots=" + slots);
    }
    long[] waits = new long[starts.size()];
    PriorityQueue<Long> freeAt = new PriorityQueue<>();
    for (int i = 0; i < waits.length; i++) {
      RecordedStart start = starts.get(i);
      long free = freeAt.size() < slots ? start.accepted() : freeAt.remove();
      waits[i] = Math.max(0, free - start.accepted());
      freeAt.add(start.accepted() + waits[i] + start.held());
    }
    return waits;
  }
}
