/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The state of a line that must survive when a refresh replaces the ordering of its queue: how long heads
 * have held it in vain, and the trials of stalled attempts. The histories of the waiting attempts pass it
 * on.
 *
 * <p>Safe for use by any thread. References no attempt.
 */
final class LineMemory {

  private final VainTime vain = new VainTime();
  private final Trials trials = new Trials();
  private volatile boolean fresh = true;
  private volatile long lastDriver = Long.MIN_VALUE;
  private final AtomicInteger starts = new AtomicInteger();
  private volatile OrderKey stoppedAt;
  private volatile boolean allTried;

  /** The time for which heads have held the line in vain since the last driver was allocated. */
  VainTime vain() {
    return vain;
  }

  Trials trials() {
    return trials;
  }

  /** The number of drivers allocated. */
  int starts() {
    return starts.get();
  }

  /**
   * Called when a head is tried for the first time here. After a restart, the time before it counts as
   * far as it is known.
   *
   * @param waited the time since the head started to wait before the restart; 0 without a restart
   * @param atMost the upper limit of the time that counts
   */
  void countBefore(long waited, long atMost, long now) {
    if (fresh) {
      synchronized (this) {
        if (fresh) {
          fresh = false;
          long sinceDriver = lastDriver == Long.MIN_VALUE ? waited : now - lastDriver;
          vain.add(Math.max(0, Math.min(Math.min(waited, sinceDriver), atMost)));
        }
      }
    }
  }

  /** A driver was allocated at that time, before this ordering observed it. */
  synchronized void foundDriver(long at) {
    lastDriver = Math.max(lastDriver, at);
  }

  /**
   * @param ofStalled whether the driver belongs to a stalled attempt
   * @param onTrial whether that attempt was on trial
   * @param inVain the time in vain that still counts afterwards. A driver that was allocated while the
   *     line was open does not prove that the next head can be placed, so that head gets only the
   *     remaining time
   */
  synchronized void driverAllocated(boolean ofStalled, boolean onTrial, long inVain, long now) {
    fresh = false;
    lastDriver = now;
    starts.incrementAndGet();
    vain.reset();
    vain.add(inVain);
    if (ofStalled) {
      // Else the next trial continues behind the attempts that this one has tried in vain.
      stoppedAt = null;
    }
    allTried = false;
    trials.driverAllocated(onTrial, now);
  }

  /** An attempt with an exhausted starting time got a driver, which no other attempt could use. */
  synchronized void exhaustedDriverAllocated() {
    starts.incrementAndGet();
    allTried = false;
  }

  /**
   * The position at which the last walk along the stalled attempts stopped, or null if it reached the
   * end. YARN ends a walk at an attempt that hits the queue's limit, so the next walk begins behind that
   * one.
   */
  OrderKey stoppedAt() {
    return stoppedAt;
  }

  void setStoppedAt(OrderKey place) {
    if (stoppedAt != place) {
      stoppedAt = place;
    }
  }

  /**
   * Whether the attempts with a reserved node have released it once for the attempts that stalled before
   * them. After that, an attempt with a reservation keeps it, until an attempt arrives that has not been
   * tried.
   */
  boolean areAllTried() {
    return allTried;
  }

  void setAllTried(boolean tried) {
    if (allTried != tried) {
      allTried = tried;
      stoppedAt = null;
    }
  }
}
