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

import java.util.Objects;

/** The numbers of the rule for one queue, valid by construction. Durations are in milliseconds. */
public final class AdmissionSettings {

  /** One start at a time, five minutes at most, one executor to be running. */
  public static final AdmissionSettings DEFAULTS = new AdmissionSettings(1, 1, 300_000L, 300_000L);

  private final int maxStarting;
  private final int minExecutors;
  private final long startingTimeout;
  private final long acceptedTimeout;
  private final long idleTimeout;
  private final int maxContainers;
  private final boolean parallelStart;

  /**
   * Without a limit on containers, without one on idleness, and with no more starts than slots.
   *
   * @param maxStarting how many attempts may be starting at once, at least 1
   * @param minExecutors containers beside the driver that make an attempt running, at least 1
   * @param startingTimeout time limit on starting, above 0
   * @param acceptedTimeout how long an attempt may be the one offered before it holds back nobody
   *     any more; 0 switches that off
   * @throws IllegalArgumentException if one of them is out of range
   */
  public AdmissionSettings(int maxStarting, int minExecutors, long startingTimeout, long acceptedTimeout) {
    this(maxStarting, minExecutors, startingTimeout, acceptedTimeout, 0, 0, false);
  }

  private AdmissionSettings(int maxStarting, int minExecutors, long startingTimeout, long acceptedTimeout,
      long idleTimeout, int maxContainers, boolean parallelStart) {
    if (maxStarting < 1 || minExecutors < 1 || startingTimeout < 1 || acceptedTimeout < 0
        || idleTimeout < 0 || maxContainers < 0) {
      throw new IllegalArgumentException(
          "out of range: maxStarting=" + maxStarting + ", minExecutors=" + minExecutors
              + ", startingTimeout=" + startingTimeout + ", acceptedTimeout=" + acceptedTimeout
              + ", idleTimeout=" + idleTimeout + ", maxContainers=" + maxContainers);
    }
    this.maxStarting = maxStarting;
    this.minExecutors = minExecutors;
    this.startingTimeout = startingTimeout;
    this.acceptedTimeout = acceptedTimeout;
    this.idleTimeout = idleTimeout;
    this.maxContainers = maxContainers;
    this.parallelStart = parallelStart;
  }

  /**
   * The same with a limit on the containers of one attempt.
   *
   * @param containers the most that it may hold, driver included; 0 is no limit
   * @throws IllegalArgumentException if it is negative
   */
  public AdmissionSettings withMaxContainers(int containers) {
    return new AdmissionSettings(
        maxStarting, minExecutors, startingTimeout, acceptedTimeout, idleTimeout, containers,
        parallelStart);
  }

  /**
   * The same with a limit on idleness.
   *
   * @param millis how long a starting attempt may ask for nothing until it counts as running; 0 is off
   * @throws IllegalArgumentException if it is negative
   */
  public AdmissionSettings withIdleTimeout(long millis) {
    return new AdmissionSettings(
        maxStarting, minExecutors, startingTimeout, acceptedTimeout, millis, maxContainers,
        parallelStart);
  }

  /** The same with another time limit on starting. */
  public AdmissionSettings withStartingTimeout(long millis) {
    return new AdmissionSettings(
        maxStarting, minExecutors, millis, acceptedTimeout, idleTimeout, maxContainers,
        parallelStart);
  }

  /** The same with another number of containers that make an attempt running. */
  public AdmissionSettings withMinExecutors(int executors) {
    return new AdmissionSettings(
        maxStarting, executors, startingTimeout, acceptedTimeout, idleTimeout, maxContainers,
        parallelStart);
  }

  /** The same, but more may start than there are slots while there is room for all of them. */
  public AdmissionSettings withParallelStart() {
    return new AdmissionSettings(maxStarting, minExecutors, startingTimeout, acceptedTimeout, idleTimeout,
        maxContainers, true);
  }

  /** Whether more may start than there are slots while there is room for all of them. */
  public boolean isParallelStart() {
    return parallelStart;
  }

  public int maxStarting() {
    return maxStarting;
  }

  /** Containers beside the driver that make an attempt running: no more than it is allowed. */
  public int minExecutors() {
    return maxContainers == 0 ? minExecutors : Math.min(minExecutors, maxContainers - 1);
  }

  /** How long a starting attempt may ask for nothing; 0 is for ever. */
  public long idleTimeout() {
    return idleTimeout;
  }

  /** The most containers that one attempt may hold, driver included; 0 is no limit. */
  public int maxContainers() {
    return maxContainers;
  }

  public long startingTimeout() {
    return startingTimeout;
  }

  public long acceptedTimeout() {
    return acceptedTimeout;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof AdmissionSettings)) {
      return false;
    }
    AdmissionSettings that = (AdmissionSettings) other;
    return maxStarting == that.maxStarting && minExecutors == that.minExecutors
        && startingTimeout == that.startingTimeout && acceptedTimeout == that.acceptedTimeout
        && idleTimeout == that.idleTimeout && maxContainers == that.maxContainers
        && parallelStart == that.parallelStart;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        maxStarting, minExecutors, startingTimeout, acceptedTimeout, idleTimeout,
        maxContainers, parallelStart);
  }
}
