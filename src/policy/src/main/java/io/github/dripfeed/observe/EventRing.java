// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** The last events of some kind. Safe for use by any thread; takes no lock but its own. */
public final class EventRing {

  private final Deque<StateEvent> last = new ArrayDeque<>();
  private long forgotten;

  synchronized void add(StateEvent event) {
    last.add(event);
    if (last.size() > EventLog.EVENTS) {
      last.remove();
      forgotten++;
    }
  }

  /** Those that are kept, in the order of recording. */
  public List<StateEvent> events() {
    List<StateEvent> events;
    synchronized (this) {
      events = new ArrayList<>(last);
    }
    events.sort(Comparator.comparingLong(event -> event.sequence));
    return events;
  }

  /** How many were added and are not kept any more. */
  public synchronized long forgotten() {
    return forgotten;
  }
}
