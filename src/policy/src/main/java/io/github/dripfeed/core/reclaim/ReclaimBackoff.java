// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Tracks whether preempted resources have reached the applications for which they were preempted. If they
 * have not, although the application still has pending requests, the preemption was in vain: no container
 * is preempted for the application during a pause, which doubles with each failure. After the pause one
 * container may be preempted, and twice as many after each success. Used by one thread.
 *
 * @param <T> the type that represents an application
 * @param <C> identifies a container; newer ones of an application are greater
 */
public final class ReclaimBackoff<T, C extends Comparable<? super C>> {

  private static final long FIRST_PAUSE = 30_000;
  private static final long LONGEST_PAUSE = 3_600_000;
  /** Above this number of containers there is no limit. */
  private static final long LARGEST_LIMIT = 1024;

  private static final class Backoff<C extends Comparable<? super C>> {
    /**
     * The newest container of the application when the first container was preempted for it; null if it had
     * none.
     */
    C newestBefore;
    /** When its first container was preempted. */
    long firstPreemption;
    /** When the room of that container became free; the wait begins then. */
    long waitsSince;
    /** Whether containers were preempted and the effect is not known yet. */
    boolean isUnresolved;
    int failures;
    /** Null before the first pause: a monotonic clock may begin anywhere. */
    Long pausedUntil;
    long limit = Long.MAX_VALUE;

    boolean isNewer(C container) {
      return container != null && (newestBefore == null || container.compareTo(newestBefore) > 0);
    }

    long pause(long now) {
      return pausedUntil == null ? 0 : Math.max(0, pausedUntil - now);
    }
  }

  private final Map<T, Backoff<C>> backoffs = new HashMap<>();

  /** The maximum number of containers that may be preempted for the application now. */
  public long limit(T application, long now) {
    Backoff<C> backoff = backoffs.get(application);
    return backoff == null ? Long.MAX_VALUE : backoff.pause(now) > 0 ? 0 : backoff.limit;
  }

  /**
   * A container was preempted for the application.
   *
   * @param newest its newest container; null if it has none
   */
  public void recordPreemption(T application, C newest, long now) {
    Backoff<C> backoff = backoffs.computeIfAbsent(application, a -> new Backoff<>());
    if (!backoff.isUnresolved) {
      backoff.isUnresolved = true;
      backoff.newestBefore = newest;
      backoff.firstPreemption = now;
      backoff.waitsSince = now;
    }
  }

  /**
   * The room of a container that was preempted for the application is not free yet. If it was one of the
   * first, the application waits from now on.
   *
   * @param preemption when it was preempted
   */
  public void awaitRoom(T application, long preemption, long now) {
    Backoff<C> backoff = backoffs.get(application);
    if (backoff != null && backoff.isUnresolved && preemption == backoff.firstPreemption) {
      backoff.waitsSince = now;
    }
  }

  /**
   * Checks whether earlier preemptions have reached the application.
   *
   * @param newest its newest container; null if it has none
   * @param pending whether it still has pending requests
   * @param patience the time in milliseconds within which free resources should be placed
   * @return whether containers were preempted in vain
   */
  public boolean isInVain(T application, C newest, boolean pending, long patience, long now) {
    Backoff<C> backoff = backoffs.get(application);
    if (backoff == null || !backoff.isUnresolved) {
      return false;
    }
    if (backoff.isNewer(newest) || !pending) {
      backoff.isUnresolved = false;
      if (backoff.isNewer(newest) && backoff.failures > 0) {
        backoff.limit *= 2;
      }
      if (backoff.failures == 0 || backoff.limit > LARGEST_LIMIT) {
        backoffs.remove(application);
      }
      return false;
    }
    if (now - backoff.waitsSince < patience) {
      return false;
    }
    backoff.isUnresolved = false;
    backoff.limit = 1;
    backoff.pausedUntil = now + Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(10, backoff.failures));
    backoff.failures++;
    return true;
  }

  /** Removes applications that have ended. */
  public void retainIf(Predicate<T> isPresent) {
    backoffs.keySet().removeIf(isPresent.negate());
  }

  /** The applications with preempted containers whose effect is not known yet. */
  public List<T> unresolved() {
    List<T> unresolved = new ArrayList<>(backoffs.keySet());
    unresolved.removeIf(application -> !backoffs.get(application).isUnresolved);
    return unresolved;
  }

  /** How long no container is preempted for the application, in milliseconds. */
  public long pause(T application, long now) {
    Backoff<C> backoff = backoffs.get(application);
    return backoff == null ? 0 : backoff.pause(now);
  }

  boolean isEmpty() {
    return backoffs.isEmpty();
  }
}
