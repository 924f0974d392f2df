// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.takeback.TakeBackMemory;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntPredicate;

/**
 * What the attempts of one application have in common. It adds up the time that they have been starting,
 * so that an application whose driver fails repeatedly does not get a new time limit with each attempt.
 * Only attempts that YARN counts as failures count, and those since the last one that had an executor
 * (docs/design.md#not-every-end-is-a-failure). Safe for use by any thread.
 */
public final class ApplicationHistory {

  private final TakeBackMemory takeBacks = new TakeBackMemory();
  /** By number: the latest, and those before it that count. */
  private final ConcurrentNavigableMap<Integer, AttemptHistory> attempts = new ConcurrentSkipListMap<>();

  /**
   * Adds an attempt of the application; adding the latest one again has no effect.
   *
   * @param isFailure whether the earlier attempt of a number counts as a failure of the application
   */
  public void add(int number, AttemptHistory attempt, IntPredicate isFailure) {
    if (attempts.put(number, attempt) == attempt) {
      return;
    }
    ConcurrentNavigableMap<Integer, AttemptHistory> earlier = attempts.headMap(number);
    Map.Entry<Integer, AttemptHistory> last = earlier.lastEntry();
    if (last != null && last.getValue().hadExecutor) {
      earlier.clear();
    }
    earlier.keySet().removeIf(one -> !isFailure.test(one));
    attempt.startedBefore = earlier.values().stream().mapToLong(AttemptHistory::startedFor).sum();
    attempt.takeBacks = takeBacks;
  }
}
