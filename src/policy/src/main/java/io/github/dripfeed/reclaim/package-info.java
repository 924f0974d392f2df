// SPDX-License-Identifier: Apache-2.0
/**
 * Reclaims containers: reads the scheduler's state, calls {@code core.reclaim} for a plan, and posts
 * YARN's preemption events.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.reclaim;
