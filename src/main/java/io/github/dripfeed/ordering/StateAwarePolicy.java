/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.ordering;

import io.github.dripfeed.observe.QueueFigures;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * What the two policy classes have in common beside YARN's own interface.
 *
 * @param <S> the applications of the queue
 */
public interface StateAwarePolicy<S extends SchedulableEntity> extends QueueFigures.Source {

  /** Does the work of the policy. */
  OrderingDelegate<S> ordering();

  /** What applications have of what they deserve; null where the queue is not shared fairly. */
  default FairShareComparator share() {
    return null;
  }

  /**
   * Until they have so much, these come before all others: what was taken for them goes to them.
   * Replaces what was owed before.
   *
   * @param owed how much, by the measure of {@link FairShareComparator#size}
   */
  default void owe(Map<S, Double> owed) {
    // Where the queue is not shared fairly, the order sees to it.
  }

  @Override
  default QueueFigures figures() {
    return ordering();
  }

  /** What does the work of the policy, or null if it is not state-aware. */
  static OrderingDelegate<?> orderingOf(Object policy) {
    return policy instanceof StateAwarePolicy ? ((StateAwarePolicy<?>) policy).ordering() : null;
  }
}
