// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.reclaim;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.List;

/** Decides which application may preempt containers of which other one. Used by one thread. */
interface ReclaimRule {

  /**
   * Reads the usage and pending requests of all applications.
   *
   * @param pool the resources to share, by resource type
   */
  void prepare(ResourceVector pool);

  /** Reads the usage of all applications again, before they are served once more. */
  void startPass();

  /** The application to serve next, or null if no request can be met. */
  PlanApplication next();

  /** The usage of the application has changed. */
  void usageChanged(PlanAccount application);

  /**
   * Whether YARN serves an application that loses containers before another that gets free resources.
   */
  boolean isServedBefore(PlanAccount loser, PlanAccount other);

  /** Whether any container may be preempted for the application in the current state. */
  boolean mayReceive(PlanApplication application);

  /** Whether any container with a preemption notice is left. */
  boolean hasNotified();

  /**
   * The containers that might be preempted for the request, in order. Containers that certainly may not be
   * preempted are left out.
   *
   * @param onlyNotified whether only containers with a preemption notice are wanted
   */
  Candidates candidates(PlanRequest request, boolean onlyNotified);

  /** The order in which containers on one node are preempted. */
  Comparator<PreemptibleContainer> preemptionOrder();

  /** Whether the container may be preempted for the request in the current state. */
  boolean mayPreempt(PlanRequest request, PreemptibleContainer container);

  /** Whether the reservation may be released for the request in the current state. */
  boolean mayRelease(PlanRequest request, PreemptibleContainer reservation);

  /**
   * Whether the state is better once the request is met.
   *
   * @param preempted the containers that are preempted for it; the current state reflects that
   */
  boolean isImprovement(PlanRequest request, List<PreemptibleContainer> preempted);

  /**
   * Switches between the strict and the relaxed rule.
   *
   * @return whether the relaxed rule applies now
   */
  boolean toggleRelaxed();
}
