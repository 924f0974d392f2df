/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.view;

import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.observe.QueueFigures;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * What the live view reads of a state-aware queue. Safe for use by any thread.
 *
 * @param <S> the applications of the queue
 */
public interface ViewedQueue<S extends SchedulableEntity> extends QueueFigures {

  /** A policy that has what is viewed of its queue. */
  interface Source {

    ViewedQueue<?> viewed();
  }

  /** The number of accepted applications that wait for headroom, not for a slot; takes locks of YARN. */
  int waitingForHeadroom();

  /** The order of its applications. */
  QueueOrder<S> order();

  /** The name of the policy class, for messages. */
  String policyName();

  /** The properties in effect and their values, by name. */
  Map<String, String> settings();

  /** Those of them that differ from their defaults. */
  Map<String, String> changedSettings();
}
