/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

/** What the queue is used for, integrated over time: MB times milliseconds. */
final class Usage {

  private long since;
  private long capacity;
  private long used;
  private long stuck;

  private double capacityTime;
  private double usedTime;
  private double stuckTime;

  /** Lets the time pass in which nothing changed. */
  void passUntil(long now) {
    long millis = now - since;
    since = now;
    capacityTime += (double) capacity * millis;
    usedTime += (double) used * millis;
    stuckTime += (double) stuck * millis;
  }

  void setCapacity(long memory) {
    capacity = memory;
  }

  /**
   * @param usedMore MB that containers hold more than before
   * @param stuckMore MB that drivers hold more than before that want executors and have none
   */
  void change(long usedMore, long stuckMore) {
    used += usedMore;
    stuck += stuckMore;
  }

  /** What part of the cluster was held by containers. */
  double utilisation() {
    return capacityTime == 0 ? 0 : usedTime / capacityTime;
  }

  /** What part of the cluster was held by containers that were no drivers without executors. */
  double usefulUtilisation() {
    return capacityTime == 0 ? 0 : (usedTime - stuckTime) / capacityTime;
  }

  /** What part of all that was held was held by drivers that wanted executors and had none. */
  double stuckShare() {
    return usedTime == 0 ? 0 : stuckTime / usedTime;
  }
}
