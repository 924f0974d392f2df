// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.reclaim;

import io.github.dripfeed.core.reclaim.PreemptionNotices;
import io.github.dripfeed.core.reclaim.ReclaimBackoff;
import io.github.dripfeed.yarn.LeavingContainer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * What is known of a queue between two rounds. Used by one thread.
 *
 * @param <S> the applications of the queue
 */
final class ReclaimMemory<S> {

  /** Which containers have a preemption notice, and since when. */
  final PreemptionNotices<ContainerId> notices = new PreemptionNotices<>();
  /** Which applications did not get what was preempted for them. */
  final ReclaimBackoff<S, ContainerId> backoff = new ReclaimBackoff<>();
  /** What was preempted and is still on its node, and for which application. */
  final Map<LeavingContainer, S> leaving = new LinkedHashMap<>();
  /** The usage up to which an application is first in the fair order: containers were preempted for it. */
  Map<S, Double> owed = Collections.emptyMap();
}
