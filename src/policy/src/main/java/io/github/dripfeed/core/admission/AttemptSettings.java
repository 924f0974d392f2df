// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * The settings that determine when a starting attempt counts as running: those of its queue, unless its
 * application overrides them. Immutable, and valid by construction. Durations are in milliseconds.
 */
public final class AttemptSettings {

  /** Running with one executor, or after five minutes. */
  public static final AttemptSettings DEFAULTS = new AttemptSettings(300_000L, 1);

  private final long startingTimeout;
  private final int minExecutors;
  private final long idleTimeout;
  private final int maxExecutors;

  /**
   * Without a limit on idleness.
   *
   * @throws IllegalArgumentException if one of them is not above 0
   */
  public AttemptSettings(long startingTimeout, int minExecutors) {
    this(startingTimeout, minExecutors, 0, Integer.MAX_VALUE);
  }

  private AttemptSettings(
      long startingTimeout, int minExecutors, long idleTimeout, int maxExecutors) {
    if (startingTimeout < 1 || minExecutors < 1 || idleTimeout < 0) {
      throw new IllegalArgumentException("out of range: startingTimeout=" + startingTimeout
          + ", minExecutors=" + minExecutors + ", idleTimeout=" + idleTimeout);
    }
    this.startingTimeout = startingTimeout;
    this.minExecutors = minExecutors;
    this.idleTimeout = idleTimeout;
    this.maxExecutors = maxExecutors;
  }

  /** The same with another time limit on starting. */
  public AttemptSettings withStartingTimeout(long millis) {
    return new AttemptSettings(millis, minExecutors, idleTimeout, maxExecutors);
  }

  /** The same with another number of containers that make an attempt running. */
  public AttemptSettings withMinExecutors(int executors) {
    return new AttemptSettings(startingTimeout, executors, idleTimeout, maxExecutors);
  }

  /** The same with a limit on idleness; 0 is off. */
  public AttemptSettings withIdleTimeout(long millis) {
    return new AttemptSettings(startingTimeout, minExecutors, millis, maxExecutors);
  }

  /** The same with a maximum number of executors, which is then enough to count as running. */
  AttemptSettings withMaxExecutors(int executors) {
    return new AttemptSettings(startingTimeout, minExecutors, idleTimeout, executors);
  }

  public long startingTimeout() {
    return startingTimeout;
  }

  /** Containers beside the driver that make an attempt running, at least 1: never more than it may hold. */
  public int minExecutors() {
    return Math.min(minExecutors, maxExecutors);
  }

  /** How long a starting attempt may request nothing until it counts as running; 0 means no limit. */
  public long idleTimeout() {
    return idleTimeout;
  }
}
