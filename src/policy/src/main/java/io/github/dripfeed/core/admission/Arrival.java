// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/** What an attempt brings along when it is added to an order. Immutable. */
public final class Arrival {

  final OrderKey place;
  final AttemptSettings settings;
  final AttemptHistory history;
  final boolean isFromSameQueue;

  /**
   * @param place its position, by submission
   * @param settings those of the queue, unless its application overrides them
   * @param isFromSameQueue whether it comes from the ordering that this one replaces in the same queue
   */
  public Arrival(
      OrderKey place, AttemptSettings settings, AttemptHistory history, boolean isFromSameQueue) {
    this.place = place;
    this.settings = settings;
    this.history = history;
    this.isFromSameQueue = isFromSameQueue;
  }
}
