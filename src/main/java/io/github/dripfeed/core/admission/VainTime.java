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

/**
 * For how long the scheduler has tried to place a driver in vain. A period of time counts from the first
 * attempt to place it to the last one, and what passes between two of them counts, too; what comes before
 * the first one, while every node is full, say, is not in vain. Times between two periods do not count.
 *
 * <p>Safe for use by any thread.
 */
final class VainTime {

  private volatile long millis;
  private volatile long last = Long.MIN_VALUE;
  private long before;
  private long first;
  private volatile Object period;

  /** The time so far, in milliseconds. */
  long millis() {
    return millis;
  }

  /** Whether the scheduler was seen to try at this very time of this period. */
  boolean isCurrent(Object current, long now) {
    return last == now && period == current;
  }

  /**
   * The scheduler tries now.
   *
   * @param current stands for the period, by identity
   */
  synchronized void tried(Object current, long now) {
    if (period != current) {
      period = current;
      before = millis;
      first = now;
    }
    last = now;
    millis = before + now - first;
  }

  /** The period is over. */
  void pause() {
    if (period != null) {
      synchronized (this) {
        period = null;
      }
    }
  }

  /** Counts time that passed before anybody here looked. */
  synchronized void add(long more) {
    before += more;
    millis += more;
  }

  synchronized void reset() {
    period = null;
    before = 0;
    millis = 0;
  }
}
