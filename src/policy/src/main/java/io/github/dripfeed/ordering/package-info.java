// SPDX-License-Identifier: Apache-2.0
/**
 * The implementation of the policy classes; it connects YARN's callbacks to the rule in {@code
 * core.admission}.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.ordering;
