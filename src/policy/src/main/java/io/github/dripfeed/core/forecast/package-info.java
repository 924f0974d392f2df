// SPDX-License-Identifier: Apache-2.0
/**
 * When a waiting application is expected to start, from how its line has moved.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.forecast;
