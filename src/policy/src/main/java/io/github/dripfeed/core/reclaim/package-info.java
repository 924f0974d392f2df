// SPDX-License-Identifier: Apache-2.0
/**
 * Plans which containers to preempt for which application, given the containers and pending requests of a
 * queue's applications and the nodes where containers could be placed. Like the order, this package
 * depends neither on YARN nor on threads nor on a clock. Its types are not safe for concurrent use.
 *
 * <p>In a plan, a <em>receiver</em> is an application for which containers are preempted, and a
 * <em>loser</em> is an application whose containers are preempted. An assignment places one container of
 * a receiver on a node.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.reclaim;
