/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
