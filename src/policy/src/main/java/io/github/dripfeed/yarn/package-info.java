// SPDX-License-Identifier: Apache-2.0
/**
 * Reads YARN's state, and answers what the packages {@code core.*} want to know of it. Decides nothing.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.yarn;
