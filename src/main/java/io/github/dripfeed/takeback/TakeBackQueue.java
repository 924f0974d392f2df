/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.admission.QueueOrder;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * A queue whose starting applications may be taken back.
 *
 * @param <S> its applications
 */
public interface TakeBackQueue<S extends SchedulableEntity> {

  QueueOrder<S> order();

  /** The queue; null if its policy was replaced, or has no application. */
  CSQueue queue();

  /** Whether priority comes before submission. */
  boolean isByPriority();
}
