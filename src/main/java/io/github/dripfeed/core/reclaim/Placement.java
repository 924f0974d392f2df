/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.reclaim;

import java.util.List;

/**
 * Where the containers of one request would be placed as things are now, be there room or not. What is
 * placed in the course of a plan may change that. Used by one thread.
 */
public interface Placement {

  /** What the scheduler does with a request on a node. */
  enum Answer {
    /** It is placed there, or a place is kept for it. */
    YES,
    /** It is passed over, and the next request of the same application is looked at. */
    NEXT,
    /** The application gets nothing there as long as it has this request. */
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

  /** What is done with it on this node. */
  Answer at(PlanNode node);

  /**
   * Whether it is placed on the node, if there is room, once it has waited long enough for a nearer one.
   */
  default boolean isLater(PlanNode node) {
    return false;
  }

  /** Whether the answer is the same for every node, whatever the plan does. */
  default boolean isAnywhere() {
    return false;
  }

  /** The only nodes on which it can be placed, or null if that may be any. */
  default List<PlanNode> nodes() {
    return null;
  }

  /** The plan has placed one there. */
  default void placed(PlanNode node) {
    // Nothing changes by it.
  }
}
