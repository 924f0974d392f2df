// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.observe.QueueFigures;
import io.github.dripfeed.wire.Wire.Wait;
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

  /** The number of accepted applications by what the first of their line waits for; takes locks of YARN. */
  Map<Wait, Integer> waiting();

  /** The order of its applications. */
  QueueOrder<S> order();

  /** The name of the policy class, for messages. */
  String policyName();

  /** The properties in effect and their values, by name. */
  Map<String, String> settings();

  /** Those of them that differ from their defaults. */
  Map<String, String> changedSettings();
}
