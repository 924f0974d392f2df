// SPDX-License-Identifier: Apache-2.0
/**
 * Which applications may start beside those that are already starting: given free and pending resources,
 * an accepted application may start if its driver and first executors still fit after all applications
 * before it have what they need. Like the order, this package depends neither on YARN nor on threads nor
 * on a clock. Its types are not safe for concurrent use unless they say so.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.headroom;
