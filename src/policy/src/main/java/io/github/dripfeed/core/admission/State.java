// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * The state of an application attempt (docs/design.md#states). An attempt only moves forward through
 * these states.
 */
public enum State {
  /** The driver is not allocated yet. */
  ACCEPTED,
  /**
   * The driver is allocated; fewer than {@code min-executors} executors have been live at the same time.
   */
  STARTING,
  /** Past its early stage, permanently. */
  RUNNING
}
