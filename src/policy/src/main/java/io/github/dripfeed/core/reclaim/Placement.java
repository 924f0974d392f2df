// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import java.util.List;

/**
 * The nodes on which the scheduler would place one request now, whether or not it fits. Placements of the
 * plan may change the answer. Used by one thread.
 */
public interface Placement {

  /** The scheduler's action for a request on a node. */
  enum Answer {
    /** It places the request there, or reserves the node. */
    YES,
    /** It skips the request and tries the next request of the same application. */
    NEXT,
    /** It allocates nothing to the application there as long as this request is pending. */
    STOP
  }

  /** On every node. */
  Placement ANYWHERE = new Placement() {
    @Override
    public Answer at(PlanNode node) {
      return Answer.YES;
    }

    @Override
    public boolean isAnywhere() {
      return true;
    }
  };

  /** The action for the request on this node. */
  Answer at(PlanNode node);

  /** Whether the request would be placed on the node, if it fits, after its locality delay. */
  default boolean isLater(PlanNode node) {
    return false;
  }

  /** Whether the answer is the same for every node, whatever the plan places. */
  default boolean isAnywhere() {
    return false;
  }

  /** The only nodes on which the request can be placed, or null if it can be any node. */
  default List<PlanNode> nodes() {
    return null;
  }

  /** The plan has placed one container there. */
  default void placed(PlanNode node) {
    // Placements do not change the answer.
  }
}
