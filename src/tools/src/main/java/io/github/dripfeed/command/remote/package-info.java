// SPDX-License-Identifier: Apache-2.0
/**
 * What the commands read of a ResourceManager: finding the active one, asking it over HTTP, and its answers
 * as tables.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.command.remote;
