/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.reclaim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Tracks whether preempted resources have reached the applications for which they were preempted. If they
 * have not, although the application still has pending requests, no more are preempted for it for a
 * while, each time for longer. After that one container may be preempted, and twice as many each time
 * that they reach it. Used by one thread.
 *
 * @param <T> the type that represents an application
 */
public final class ReclaimBackoff<T> {

  private static final long FIRST_PAUSE = 30_000;
  private static final long LONGEST_PAUSE = 3_600_000;
  /** From this number on, there is no limit. */
  private static final long ENOUGH = 1024;

  private static final class Trial {
    /** Its newest container when something was last taken for it, and when that was. */
    long newest;
    long takenAt;
    boolean open;
    int failures;
    long pausedUntil;
    long allowed = Long.MAX_VALUE;
  }

  private final Map<T, Trial> trials = new HashMap<>();

  /** The maximum number of containers that may be preempted for the application now. */
  public long allowed(T taker, long now) {
    Trial trial = trials.get(taker);
    return trial == null ? Long.MAX_VALUE : now < trial.pausedUntil ? 0 : trial.allowed;
  }

  /**
   * A container was preempted for the application.
   *
   * @param newest tells its newest container: a number that grows with each
   */
  public void took(T taker, long newest, long now) {
    Trial trial = trials.computeIfAbsent(taker, t -> new Trial());
    if (!trial.open) {
      trial.open = true;
      trial.newest = newest;
    }
    trial.takenAt = now;
  }

  /**
   * How it stands.
   *
   * @param newest tells its newest container
   * @param asks whether it still asks for something
   * @param patience how many milliseconds are enough for what is free to be placed
   * @return whether what was taken for it was taken in vain
   */
  public boolean saw(T taker, long newest, boolean asks, long patience, long now) {
    Trial trial = trials.get(taker);
    if (trial == null || !trial.open) {
      return false;
    }
    if (newest > trial.newest || !asks) {
      trial.open = false;
      if (newest > trial.newest && trial.failures > 0) {
        trial.allowed *= 2;
      }
      if (trial.failures == 0 || trial.allowed > ENOUGH) {
        trials.remove(taker);
      }
      return false;
    }
    if (now - trial.takenAt < patience) {
      return false;
    }
    trial.open = false;
    trial.allowed = 1;
    trial.pausedUntil = now + Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(10, trial.failures));
    trial.failures++;
    return true;
  }

  /** Forgets applications that have ended. */
  public void keepOnly(Predicate<T> here) {
    trials.keySet().removeIf(here.negate());
  }

  /** The applications with preempted containers whose effect is not known yet. */
  public List<T> takers() {
    List<T> takers = new ArrayList<>();
    trials.forEach((taker, trial) -> {
      if (trial.open) {
        takers.add(taker);
      }
    });
    return takers;
  }

  /** How long no container is preempted for the application, in milliseconds. */
  public long pause(T taker, long now) {
    Trial trial = trials.get(taker);
    return trial == null ? 0 : Math.max(0, trial.pausedUntil - now);
  }

  public boolean isEmpty() {
    return trials.isEmpty();
  }
}
