// SPDX-License-Identifier: Apache-2.0
/**
 * The state of a scheduler at one moment, read once for the plan and take-back, and once for reclaim.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.snapshot;
