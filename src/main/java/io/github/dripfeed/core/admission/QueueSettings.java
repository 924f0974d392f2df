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
 * The settings of the rule for one queue, and those for its attempts. Immutable, and valid by
 * construction. Durations are in milliseconds.
 */
public final class QueueSettings {

  /** One application starts at a time, and holds back the others for at most five minutes. */
  public static final QueueSettings DEFAULTS = new QueueSettings(1, 300_000L, AttemptSettings.DEFAULTS);

  private final int maxStarting;
  private final long acceptedTimeout;
  private final AttemptSettings attempts;
  private final int maxContainers;
  private final boolean parallelStart;

  /**
   * Without a limit on containers, and with no more starts than slots.
   *
   * @param maxStarting the maximum number of starting attempts, at least 1
   * @param acceptedTimeout how long the offered attempt may hold back the others; 0 means no limit
   * @param attempts the settings for attempts that have none of their own
   * @throws IllegalArgumentException if one of them is out of range
   */
  public QueueSettings(int maxStarting, long acceptedTimeout, AttemptSettings attempts) {
    this(maxStarting, acceptedTimeout, attempts, 0, false);
  }

  private QueueSettings(int maxStarting, long acceptedTimeout, AttemptSettings attempts,
      int maxContainers, boolean parallelStart) {
    if (maxStarting < 1 || acceptedTimeout < 0 || maxContainers < 0) {
      throw new IllegalArgumentException("out of range: maxStarting=" + maxStarting
          + ", acceptedTimeout=" + acceptedTimeout + ", maxContainers=" + maxContainers);
    }
    this.maxStarting = maxStarting;
    this.acceptedTimeout = acceptedTimeout;
    this.attempts = attempts.withMaxExecutors(maxContainers == 0 ? Integer.MAX_VALUE : maxContainers - 1);
    this.maxContainers = maxContainers;
    this.parallelStart = parallelStart;
  }

  /**
   * The same with a limit on the containers of one attempt.
   *
   * @param containers the maximum that it may hold, driver included; 0 means no limit
   * @throws IllegalArgumentException if it is negative
   */
  public QueueSettings withMaxContainers(int containers) {
    return new QueueSettings(maxStarting, acceptedTimeout, attempts, containers, parallelStart);
  }

  /**
   * The same with or without starts beyond the slots while headroom suffices for all starting attempts.
   */
  public QueueSettings withParallelStart(boolean parallel) {
    return new QueueSettings(maxStarting, acceptedTimeout, attempts, maxContainers, parallel);
  }

  /** The maximum number of starting attempts. */
  public int maxStarting() {
    return maxStarting;
  }

  /** How long the offered attempt may hold back the others; 0 means no limit. */
  public long acceptedTimeout() {
    return acceptedTimeout;
  }

  /** The maximum number of containers of one attempt, driver included; 0 means no limit. */
  public int maxContainers() {
    return maxContainers;
  }

  /** Whether attempts may start beyond the slots while headroom suffices for all starting attempts. */
  public boolean isParallelStart() {
    return parallelStart;
  }

  /** The settings for attempts that have none of their own. */
  public AttemptSettings attempts() {
    return attempts;
  }
}
