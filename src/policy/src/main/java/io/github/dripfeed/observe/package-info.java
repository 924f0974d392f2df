// SPDX-License-Identifier: Apache-2.0
/**
 * Log lines, metrics, and the diagnostics of held applications.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.observe;
