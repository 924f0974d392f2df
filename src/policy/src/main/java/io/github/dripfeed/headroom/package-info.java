// SPDX-License-Identifier: Apache-2.0
/**
 * Which applications may start beside those that are already starting. Reads free, used and pending
 * resources from YARN and passes them to the plan in {@code core.headroom}.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.headroom;
