// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/** The leaf queues of a scheduler. */
public final class LeafQueues {

  private LeafQueues() {
  }

  /**
   * Visits the leaf queues below a queue, or the queue itself if it has none below it. As YARN's own pages
   * do it: only parents are locked, for the time in which their children are copied. Safe for any thread.
   */
  public static void visit(CSQueue queue, Consumer<CSQueue> visitor) {
    List<CSQueue> children = queue.getChildQueues();
    if (children == null || children.isEmpty()) {
      visitor.accept(queue);
    } else {
      children.forEach(child -> visit(child, visitor));
    }
  }
}
