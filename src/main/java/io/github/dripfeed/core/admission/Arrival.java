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

/** What an attempt brings along when it is added to an order. Immutable. */
public final class Arrival {

  final OrderKey place;
  final AttemptSettings settings;
  final AttemptHistory history;
  final boolean isFromSameQueue;

  /**
   * @param place its position, by submission
   * @param settings those of the queue, unless its application overrides them
   * @param history its history, from this or another ordering
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
