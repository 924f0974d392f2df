// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import io.github.dripfeed.core.cluster.Container;
import java.util.Objects;

/** An application that has its driver, lacks some of its first executors, and requests one. Immutable. */
public final class Blocked {

  /** An application is overdue once it has been blocked for so many times {@code take-back-after}. */
  static final int PATIENCE = 10;

  public final Object application;
  /** The executor that it waits for; null if it waits for one in another partition. */
  public final Container need;
  final Container driver;
  final boolean isLastResort;
  private final long millis;
  final long after;
  final int executors;

  /**
   * @param need the executor that it waits for; null if it waits for one in another partition
   * @param driver null if it may not be taken back, or its driver is in another partition
   * @param isLastResort whether it is taken back only where others are not enough
   * @param executors the number of its executors, below {@code min-executors}
   * @param millis for how long it has been blocked, in milliseconds
   * @param after {@code take-back-after} of its queue, in milliseconds
   */
  public Blocked(Object application, Container need, Container driver, boolean isLastResort,
      int executors, long millis, long after) {
    this.application = Objects.requireNonNull(application);
    this.need = need;
    this.driver = driver;
    this.isLastResort = isLastResort;
    this.executors = executors;
    this.millis = millis;
    this.after = after;
  }

  /** Whether it has been blocked for long enough. */
  boolean isDue() {
    return millis >= after;
  }

  /** Whether it has been blocked for so long that what others do meanwhile is no longer waited for. */
  boolean isOverdue() {
    return millis >= after * PATIENCE;
  }
}
