/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import java.io.Serializable;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * When a controller in front of the scheduler hands an application over to it. Those with a higher priority
 * come first, then those that were submitted, or evicted, earlier.
 *
 * @param known what it knows of an application, and so keeps room for
 * @param inOrder whether one that does not fit holds back those behind it
 * @param blocks whether nobody is admitted until all that are admitted are ready: have their first
 *     executor, or their driver if they want no executor
 * @param readyMillis how long an application may take until it is ready, from its admission; then it
 *     is killed, and submitted again after a back-off. 0: as long as it takes
 */
record AdmissionRule(Knowledge known, boolean inOrder, boolean blocks, long readyMillis)
    implements Serializable {

  private static final long BACK_OFF_MILLIS = 60_000;
  private static final long LONGEST_BACK_OFF_MILLIS = 3_600_000;

  /** What a controller knows of an application before it starts. */
  enum Knowledge {
    /** The driver alone: the room for drivers is counted, and not what else is in use. */
    DRIVER,
    /** The size of its first executor. What an application holds beyond that counts as well. */
    FIRST_EXECUTOR,
    /** The sizes of all executors that it requests at once. */
    EXECUTORS
  }

  /**
   * The room that an application needs to be admitted, in MB: at most what the queue may have.
   *
   * @param held what it holds now
   * @param rounded what YARN allocates for a request
   */
  long claim(Job job, long held, long capacity, LongUnaryOperator rounded) {
    List<Integer> executors = job.program().firstRequest();
    long claim = rounded.applyAsLong(job.driverMemory());
    if (known == Knowledge.DRIVER) {
      return claim;
    }
    int counted = known == Knowledge.EXECUTORS ? executors.size() : Math.min(1, executors.size());
    for (int executor : executors.subList(0, counted)) {
      claim += rounded.applyAsLong(executor);
    }
    return Math.max(held, Math.min(claim, capacity));
  }

  /** @param evictions of this application so far, at least 1 */
  static long backOffMillis(int evictions) {
    return Math.min(LONGEST_BACK_OFF_MILLIS, BACK_OFF_MILLIS << Math.min(evictions - 1, 6));
  }
}
