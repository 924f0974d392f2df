// SPDX-License-Identifier: Apache-2.0
/**
 * The objects that outlive a policy, because YARN replaces policies at every refresh: the monitor, the
 * clock, the histories of attempts, and the metrics of queues.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.runtime;
