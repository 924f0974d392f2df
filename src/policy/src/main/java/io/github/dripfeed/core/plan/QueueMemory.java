// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.forecast.StartHistory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What is remembered of one queue, for plans and forecasts. */
public final class QueueMemory {

  /** The shortest time for which a starting application stands in front unserved, in milliseconds. */
  private static final long PATIENCE = 10_000;

  private static final class Progress {
    int executors;
    long since;

    Progress(int executors, long since) {
      this.executors = executors;
      this.since = since;
    }
  }

  private final DemandHistory demands = new DemandHistory();
  private final Releases releases = new Releases();
  private final Map<String, StartHistory> starts = new ConcurrentHashMap<>();
  private final Map<Object, Progress> inFront = new HashMap<>();

  /** What its applications wanted; used by the thread that plans. */
  public DemandHistory demands() {
    return demands;
  }

  /** What its applications gave back. */
  public Releases releases() {
    return releases;
  }

  /** When the last drivers of a partition were allocated. Safe for use by any thread. */
  public StartHistory starts(String partition) {
    return starts.computeIfAbsent(partition, p -> new StartHistory());
  }

  /**
   * Whether a starting application that lacks executors is served first: as long as it gets some. One that
   * gets none for two start-ups stands in its usual place as long again.
   *
   * @param reachable whether it could be served at all; if not, its time begins when it can
   */
  public boolean isInFront(Object attempt, int executors, boolean reachable, long now) {
    if (!reachable) {
      inFront.remove(attempt);
      return false;
    }
    Progress known = inFront.computeIfAbsent(attempt, a -> new Progress(executors, now));
    if (known.executors != executors) {
      known.executors = executors;
      known.since = now;
    }
    return (now - known.since) / Math.max(PATIENCE, 2 * demands.startUp()) % 2 == 0;
  }

  /** Forgets all starting applications but these. */
  public void retainInFront(Set<?> attempts) {
    inFront.keySet().retainAll(attempts);
  }
}
