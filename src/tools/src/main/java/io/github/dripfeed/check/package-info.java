// SPDX-License-Identifier: Apache-2.0
/**
 * The command-line tool, which checks a {@code capacity-scheduler.xml} before a ResourceManager reads it.
 * It needs only Hadoop's jars; no part of it runs in a ResourceManager.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.check;
