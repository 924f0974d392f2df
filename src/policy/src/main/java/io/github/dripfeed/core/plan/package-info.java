// SPDX-License-Identifier: Apache-2.0
/**
 * The rule of {@code max-starting} = {@code auto}: which accepted applications may start, and what
 * applications are expected to request. {@link io.github.dripfeed.core.plan.StartPlan} is the rule.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.plan;
