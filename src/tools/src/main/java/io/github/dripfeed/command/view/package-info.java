// SPDX-License-Identifier: Apache-2.0
/**
 * The page that {@code view} serves: a server on loopback, what it shows of a reading, and the files of the
 * page.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.command.view;
