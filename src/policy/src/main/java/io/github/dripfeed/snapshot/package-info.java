// SPDX-License-Identifier: Apache-2.0
/**
 * The state of a scheduler at one moment, read once for the plan and for take-back.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.snapshot;
