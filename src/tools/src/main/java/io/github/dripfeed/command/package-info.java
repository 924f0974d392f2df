// SPDX-License-Identifier: Apache-2.0
/**
 * The commands of the jar, as {@code yarn jar} starts them: {@code Main} finds Hadoop and the command,
 * {@code Commands} has the list. They run beside a ResourceManager, never in one.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.command;
