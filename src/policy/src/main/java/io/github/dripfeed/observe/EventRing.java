// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The last events of some kind. Safe for use by any thread; adding one takes no lock. */
public final class EventRing {

  private final AtomicReferenceArray<StateEvent> ring = new AtomicReferenceArray<>(EventLog.EVENTS);
  private final AtomicLong added = new AtomicLong();

  void add(StateEvent event) {
    ring.set((int) (added.getAndIncrement() % EventLog.EVENTS), event);
  }

  /** Those that are kept, in the order of recording. One that is being added may be missing. */
  public List<StateEvent> events() {
    List<StateEvent> events = new ArrayList<>();
    for (int i = 0; i < EventLog.EVENTS; i++) {
      StateEvent event = ring.get(i);
      if (event != null) {
        events.add(event);
      }
    }
    events.sort(Comparator.comparingLong(event -> event.sequence));
    return events;
  }

  /** How many were added and are not kept any more. */
  public long forgotten() {
    return Math.max(0, added.get() - EventLog.EVENTS);
  }
}
