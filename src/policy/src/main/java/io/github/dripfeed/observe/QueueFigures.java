// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;

/**
 * The current figures of one state-aware queue. No method takes a lock of YARN: Hadoop reads metrics under
 * the lock of its metrics system, for which YARN waits while it holds locks of queues and applications
 * (docs/design.md#metrics-are-read-under-a-lock). Safe for use by any thread.
 */
public interface QueueFigures {

  /** A policy that has the figures of its queue. */
  interface Source {

    QueueFigures figures();
  }

  /** The number of applications in each state. */
  Map<State, Integer> counts();

  /**
   * The number of accepted applications by what the first of their line waits for, as the monitor has found
   * it in its last round. To find it takes locks of YARN.
   */
  Map<Wait, Integer> lastWaiting();

  /** The number of starting applications of the queue and of those with which it shares its slots. */
  int startingInGroup();

  /** The number of accepted applications of these queues whose drivers are reserved. */
  int reservedInGroup();

  /**
   * How long the application has waited for its driver that has waited longest of the accepted ones and of
   * those in YARN's list, in milliseconds: from its submission or the end of its previous attempt. 0 if
   * there is none. A later attempt counts once the monitor has seen it.
   *
   * @param queue the queue of the policy
   */
  long longestWaitMillis(Queue queue);

  /** The number of accepted applications that wait because they were taken back. */
  int backingOff();
}
