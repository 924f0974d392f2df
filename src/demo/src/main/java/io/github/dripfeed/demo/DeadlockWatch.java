// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.List;

/**
 * Detects a deadlocked queue: for a while nothing has changed, only drivers are live, every driver has
 * requested its executors, and there is no room for any of them.
 */
final class DeadlockWatch {

  private final Burst.Shape shape;
  private final long patienceMillis;
  private List<Sample.App> unchanged = List.of();
  private long since;

  DeadlockWatch(Burst.Shape shape, long patienceMillis) {
    this.shape = shape;
    this.patienceMillis = patienceMillis;
  }

  boolean isDeadlocked(Sample sample) {
    if (!isStuck(sample) || !sample.apps().equals(unchanged)) {
      unchanged = sample.apps();
      since = sample.atMillis();
      return false;
    }
    return sample.atMillis() - since >= patienceMillis;
  }

  private boolean isStuck(Sample sample) {
    List<Sample.Live> live = sample.apps().stream().flatMap(app -> app.live().stream()).toList();
    long asked = (long) live.size() * shape.executors() * shape.executorMb();
    return !live.isEmpty()
        && live.stream().allMatch(Sample.Live::driver)
        && sample.askedMb() >= asked
        && sample.capacityMb() - sample.usedMb() < shape.executorMb();
  }
}
