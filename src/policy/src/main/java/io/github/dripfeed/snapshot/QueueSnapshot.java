// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.snapshot;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.observe.StateAwareQueue;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * The applications of one state-aware queue. Used by one thread.
 *
 * @param <S> the applications of the queue
 */
public final class QueueSnapshot<S extends SchedulableEntity> {

  public final StateAwareQueue<S> queue;
  public final CSQueue yarnQueue;
  public final QueueOrder<S> order;
  /** In the order of the queue. */
  public final List<AttemptSnapshot<S>> attempts = new ArrayList<>();

  public QueueSnapshot(StateAwareQueue<S> queue, CSQueue yarnQueue) {
    this.queue = queue;
    this.yarnQueue = yarnQueue;
    this.order = queue.order();
    for (S item : order.items()) {
      AttemptView<S> view = order.view(item);
      try {
        if (view != null) {
          attempts.add(new AttemptSnapshot<>(queue, yarnQueue, item, view));
        }
      } catch (RuntimeException | LinkageError e) {
        // It has ended, or its facts cannot be read, which the order reports: it is left alone.
      }
    }
  }
}
