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
 * What has to be remembered of a line when a refresh replaces its queue's ordering: for how long heads
 * have held it in vain, and the trials of those that stalled. The histories of those that wait hand it on.
 *
 * <p>Safe for use by any thread. Holds nothing alive.
 */
final class LineMemory {

  private final VainTime vain = new VainTime();
  private final Trials trials = new Trials();
  private volatile boolean fresh = true;
  private volatile long lastDriver = Long.MIN_VALUE;
  private final AtomicInteger starts = new AtomicInteger();
  private volatile OrderKey stoppedAt;
  private volatile boolean everybodyTried;

  /** For how long heads have held the line in vain since the last driver was allocated. */
  VainTime vain() {
    return vain;
  }

  Trials trials() {
    return trials;
  }

  /** How many drivers were allocated. */
  int starts() {
    return starts.get();
  }

  /**
   * A head is tried for the first time here; after a restart that time goes on where it was, as far as
   * anybody can tell.
   *
   * @param waited for how long the head had waited before the restart; 0 if there was none
   * @param atMost no more of it counts
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

  /** A driver was allocated at that time, before anybody here looked. */
  synchronized void foundDriver(long at) {
    lastDriver = Math.max(lastDriver, at);
  }

  /**
   * @param ofStalled whether it is that of one that had stalled, on trial
   * @param inVain the time that goes on counting for those that wait now: while the line was open a driver
   *     says nothing of the next head, which gets but the rest
   */
  synchronized void driverAllocated(boolean ofStalled, long inVain, long now) {
    fresh = false;
    lastDriver = now;
    starts.incrementAndGet();
    vain.reset();
    vain.add(inVain);
    stoppedAt = null;
    everybodyTried = false;
    trials.driverAllocated(ofStalled, now);
  }

  /**
   * Where the last walk along those that stalled stopped, or null if it came to the end: the queue looks no
   * further once it meets one that hits its limit, so the next walk begins behind that one.
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
   * Whether those that kept a node have given it back to those that stalled before them: then whoever
   * reserves one keeps it. Until somebody comes who has not been tried.
   */
  boolean isEverybodyTried() {
    return everybodyTried;
  }

  void setEverybodyTried(boolean tried) {
    if (everybodyTried != tried) {
      everybodyTried = tried;
      stoppedAt = null;
    }
  }
}
