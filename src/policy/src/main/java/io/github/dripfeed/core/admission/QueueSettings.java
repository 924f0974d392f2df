// SPDX-License-Identifier: Apache-2.0
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
  private final boolean auto;
  private final long takeBackAfter;
  private final boolean enforced;

  /**
   * Without a limit on containers, and with no more starts than slots.
   *
   * @param maxStarting the maximum number of starting attempts, at least 1
   * @param acceptedTimeout how long the offered attempt may hold back the others; 0 means no limit
   * @param attempts the settings for attempts that have none of their own
   * @throws IllegalArgumentException if one of them is out of range
   */
  public QueueSettings(int maxStarting, long acceptedTimeout, AttemptSettings attempts) {
    this(maxStarting, acceptedTimeout, attempts, 0, false, 0, true);
    if (maxStarting < 1 || acceptedTimeout < 0) {
      throw new IllegalArgumentException(
          "out of range: maxStarting=" + maxStarting + ", acceptedTimeout=" + acceptedTimeout);
    }
  }

  /** Nobody is held: attempts are ordered as by a stock policy, and only their states are known. */
  public QueueSettings(AttemptSettings attempts) {
    this(Integer.MAX_VALUE, 0, attempts, 0, false, 0, false);
  }

  private QueueSettings(int maxStarting, long acceptedTimeout, AttemptSettings attempts, int maxContainers,
      boolean auto, long takeBackAfter, boolean enforced) {
    this.maxStarting = maxStarting;
    this.acceptedTimeout = acceptedTimeout;
    this.attempts = attempts;
    this.maxContainers = maxContainers;
    this.auto = auto;
    this.takeBackAfter = takeBackAfter;
    this.enforced = enforced;
  }

  /** The same with a limit on the containers of one attempt, driver included; 0 means no limit. */
  public QueueSettings withMaxContainers(int containers) {
    if (containers < 0) {
      throw new IllegalArgumentException("out of range: maxContainers=" + containers);
    }
    return new QueueSettings(maxStarting, acceptedTimeout,
        attempts.withMaxExecutors(containers == 0 ? Integer.MAX_VALUE : containers - 1), containers,
        auto, takeBackAfter, enforced);
  }

  /** The same with or without starts beyond one slot, as many at once as the queue can use. */
  public QueueSettings withAuto(boolean isAuto) {
    return new QueueSettings(
        maxStarting, acceptedTimeout, attempts, maxContainers, isAuto, takeBackAfter, enforced);
  }

  /** The same with take-back of attempts that block each other for so long; 0 is off. */
  public QueueSettings withTakeBack(long after) {
    if (after < 0) {
      throw new IllegalArgumentException("out of range: takeBackAfter=" + after);
    }
    return new QueueSettings(
        maxStarting, acceptedTimeout, attempts, maxContainers, auto, after, enforced);
  }

  /** The maximum number of starting attempts; 1 with {@link #isAuto}, whatever was set. */
  public int maxStarting() {
    return auto ? 1 : maxStarting;
  }

  /** Whether attempts are held; if not, the order is that of a stock policy. */
  public boolean isEnforced() {
    return enforced;
  }

  /** How long the offered attempt may hold back the others; 0 means no limit. */
  public long acceptedTimeout() {
    return acceptedTimeout;
  }

  /** The maximum number of containers of one attempt, driver included; 0 means no limit. */
  public int maxContainers() {
    return maxContainers;
  }

  /** Whether as many attempts start at once as the queue can use. */
  public boolean isAuto() {
    return auto;
  }

  /** How long attempts have to block each other before one is taken back; 0 if none is. */
  public long takeBackAfter() {
    return takeBackAfter;
  }

  /** Whether attempts that block each other are taken back, so that no reserve is kept for executors. */
  public boolean isTakeBack() {
    return takeBackAfter > 0;
  }

  /** Whether all queues have to be looked at together: for the plan of {@link #isAuto}, or to take back. */
  public boolean isPlanned() {
    return auto || isTakeBack();
  }

  /** The settings for attempts that have none of their own. */
  public AttemptSettings attempts() {
    return attempts;
  }
}
