// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import java.util.Objects;

/**
 * An application that has its driver, lacks some of its first executors, and requests one. Immutable.
 */
public final class BlockedApplication {

  /** After so many times the time after which applications are taken back, one is overdue. */
  static final int PATIENCE = 10;

  final Object application;
  final RoomNeed need;
  final Loss loss;
  final boolean isLastResort;
  private final long millis;
  private final long after;
  private final boolean behindDemand;
  private final int executors;

  private BlockedApplication(BlockedApplication same, long millis, long after, boolean behindDemand,
      int executors) {
    this.application = same.application;
    this.need = same.need;
    this.loss = same.loss;
    this.isLastResort = same.isLastResort;
    this.millis = millis;
    this.after = after;
    this.behindDemand = behindDemand;
    this.executors = executors;
  }

  /**
   * Just blocked.
   *
   * @param need the executor that it waits for; null if it waits for one in another partition
   * @param loss its driver; null if the driver may not be taken back, or is in another partition
   * @param isLastResort whether it is taken back only where others are not enough, because it may have had
   *     executors before a restart
   */
  public BlockedApplication(Object application, RoomNeed need, Loss loss, boolean isLastResort) {
    this.application = Objects.requireNonNull(application);
    this.need = need;
    this.loss = loss;
    this.isLastResort = isLastResort;
    this.millis = 0;
    this.after = 1;
    this.behindDemand = false;
    this.executors = 0;
  }

  /**
   * The same after a time.
   *
   * @param blocked for how long it has been blocked, in milliseconds
   * @param takeBackAfter how long applications of its queue have to be blocked before one is taken back
   */
  public BlockedApplication since(long blocked, long takeBackAfter) {
    return new BlockedApplication(this, blocked, takeBackAfter, behindDemand, executors);
  }

  /** The same behind a running application that would get the room first. */
  public BlockedApplication behindDemand() {
    return new BlockedApplication(this, millis, after, true, executors);
  }

  /** The same with these executors, fewer than its first executors are. */
  public BlockedApplication with(int someExecutors) {
    return new BlockedApplication(this, millis, after, behindDemand, someExecutors);
  }

  /** Identifies the application. */
  public Object application() {
    return application;
  }

  /** How long applications of its queue have to be blocked before one is taken back. */
  long after() {
    return after;
  }

  /** Whether it has been blocked for long enough. */
  boolean isDue() {
    return millis >= after;
  }

  /** Whether it has been blocked for so long that what others do meanwhile is no longer waited for. */
  boolean isOverdue() {
    return millis >= after * PATIENCE;
  }

  /** The number of its executors. */
  int executors() {
    return executors;
  }

  /** Whether it would get room that is released. */
  boolean wouldGain() {
    return need != null && !behindDemand;
  }
}
