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

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.List;

/** Decides which application may preempt which other one in a queue. Used by one thread. */
interface ReclaimRule {

  /**
   * Looks at what all hold, and ask for.
   *
   * @param pool the resources to share, by resource type
   */
  void look(ResourceVector pool);

  /** Looks again before all are served once more. */
  void start();

  /** The application to serve next, or null if no request can be met. */
  PlanApplication next();

  /** What this one holds is another amount than before. */
  void changed(PlanAccount claimant);

  /** Whether anything may be taken for it, as things are. */
  boolean mayTake(PlanApplication claimant);

  /** Whether any container with a preemption notice is left. */
  boolean hasAsked();

  /**
   * What might be taken for the request, in order; what certainly may not is left out.
   *
   * @param onlyAsked whether only what was asked back before
   */
  Candidates candidates(PlanRequest request, boolean onlyAsked);

  /** The order in which containers on one node are to be taken. */
  Comparator<PreemptibleContainer> preference();

  /** Whether the container may be taken for the request, as things are. */
  boolean allows(PlanRequest request, PreemptibleContainer holding);

  /** Whether a reservation is to give way to the request, as things are. */
  boolean yields(PlanRequest request, PreemptibleContainer reservation);

  /** Whether things are better once these are gone, as they are already, and the request is met. */
  boolean isBetter(PlanRequest request, List<PreemptibleContainer> taken);

  /**
   * Allows from now on what it does only when nothing else is left; then no longer, in turns.
   *
   * @return whether it does now
   */
  boolean relax();
}
