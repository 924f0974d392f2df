// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import io.github.dripfeed.processes.SchedulerLog.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How a burst went in its queue, by the log of the scheduler. It begins when the application that filled
 * the queue has lost its last container. All containers have the same size.
 *
 * <p>A <em>handover</em> begins with what lets the next driver start: in a state-aware queue the first
 * executor of an application, in a stock queue below its limit on drivers the end of an application. It
 * ends with the allocation of that driver. Its delay does not include the time for which the queue was
 * full. A heartbeat of a handover is <em>wasted</em> if the queue and the node had room for the driver when
 * it began, and the scheduler placed nothing there, for any queue. (A node reports what has ended before it
 * is looked at, so what ends after a heartbeat belongs to the next one.) With auto, the queue must have
 * had room for the first executors too: the driver's, and those of all that are starting.
 */
final class BurstCourse {

  private final Set<String> applications;
  private final String filler;
  private final boolean stateAware;
  private final boolean auto;

  private final Map<String, Integer> live = new HashMap<>();
  private final Map<String, Long> firstExecutors = new TreeMap<>();
  private final Set<String> drivers = new HashSet<>();
  private final Set<String> starting = new HashSet<>();
  private final List<Long> delays = new ArrayList<>();
  private long begin;
  private long end;
  private long firstEnd;
  private int mostStarting;
  private int wasted;
  private int used;

  /** Whether the queue and the node had room for the next driver when the current heartbeat began. */
  private boolean mightStart;
  /** Whether the current heartbeat has led to an allocation. */
  private boolean isUsed = true;
  /** When the current handover began; null if there is none. */
  private Long handover;
  /** Since when the queue has had room in the current handover; null if it has none. */
  private Long roomSince;

  /**
   * @param applications those of the burst
   * @param filler the application that fills the queue before
   */
  BurstCourse(Set<String> applications, String filler, boolean stateAware, boolean auto) {
    this.applications = applications;
    this.filler = filler;
    this.stateAware = stateAware;
    this.auto = auto;
  }

  /**
   * @param stateAware whether the queue has Dripfeed's ordering
   * @param auto whether its setting is {@code max-starting} = {@code auto}
   */
  static BurstCourse of(ProcessBurst burst, List<Event> events, boolean stateAware, boolean auto) {
    BurstCourse course = new BurstCourse(burst.ids(), burst.filler(), stateAware, auto);
    events.forEach(course::add);
    return course;
  }

  void add(Event event) {
    switch (event.kind()) {
      case HEARTBEAT:
        wasted += mightStart && !isUsed ? 1 : 0;
        mightStart = event.memory() >= ProcessBurst.MEMORY && roomSince != null
            && hasRoomFor(auto ? 2 + starting.size() : 1);
        isUsed = false;
        break;
      case ALLOCATED:
        isUsed = true;
        if (isOurs(event)) {
          allocated(event);
        }
        break;
      default:
        if (live.containsKey(event.subject())) {
          ended(event);
        }
        break;
    }
    boolean isRoom = handover != null && hasRoomFor(1);
    roomSince = !isRoom ? null : roomSince == null ? (Long) event.millis() : roomSince;
  }

  private boolean isOurs(Event event) {
    return event.application().equals(filler) || applications.contains(event.application());
  }

  private boolean hasRoomFor(int containers) {
    return used + containers * ProcessBurst.MEMORY
        <= ProcessBurst.DRIVERS_THAT_FIT * ProcessBurst.MEMORY;
  }

  private void allocated(Event event) {
    String application = event.application();
    live.put(event.subject(), event.memory());
    used += event.memory();
    if (application.equals(filler)) {
      return;
    }
    if (event.isDriver()) {
      drivers.add(application);
      starting.add(application);
      mostStarting = Math.max(mostStarting, starting.size());
      if (handover != null) {
        delays.add(event.millis() - (roomSince == null ? event.millis() : roomSince));
        handover = null;
      }
    } else if (firstExecutors.putIfAbsent(application, event.millis()) == null) {
      starting.remove(application);
      beginHandover(stateAware, event.millis());
    }
  }

  private void ended(Event event) {
    used -= live.remove(event.subject());
    if (event.application().equals(filler)) {
      begin = event.millis();
    } else if (event.isDriver()) {
      firstEnd = firstEnd == 0 ? event.millis() : firstEnd;
      end = event.millis();
      beginHandover(!stateAware, event.millis());
    }
  }

  private void beginHandover(boolean isDue, long millis) {
    if (isDue && handover == null && drivers.size() < applications.size()) {
      handover = millis;
    }
  }

  /** From the beginning to the end of the last application, in seconds. */
  double makespan() {
    return (end - begin) / 1000.0;
  }

  /** From the beginning to the end of the first application, in seconds. */
  double untilFirstEnd() {
    return (firstEnd - begin) / 1000.0;
  }

  /** From the beginning to the first executors, on average over the applications, in seconds. */
  double meanFirstExecutor() {
    return firstExecutors.values().stream().mapToLong(millis -> millis - begin).average().orElseThrow()
        / 1000.0;
  }

  /** From the beginning until the last application has its first executor, in seconds. */
  double lastFirstExecutor() {
    return firstExecutors.values().stream().mapToLong(millis -> millis - begin).max().orElseThrow()
        / 1000.0;
  }

  /** The most applications that had their driver and no executor yet. */
  int mostStarting() {
    return mostStarting;
  }

  int handovers() {
    return delays.size();
  }

  /** The median of the delays of handovers, in milliseconds; 0 without any. */
  long medianDelay() {
    List<Long> sorted = delays.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }

  /** The wasted heartbeats of all handovers. */
  int wastedHeartbeats() {
    return wasted;
  }
}
