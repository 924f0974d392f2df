// SPDX-License-Identifier: Apache-2.0
/**
 * Plans for {@code max-starting} = {@code auto}, in YARN's terms. {@link io.github.dripfeed.plan.PlanRound}
 * reads the scheduler's state and calls {@code core.plan}.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.plan;
