// SPDX-License-Identifier: Apache-2.0
/**
 * How the commands write: tables and times for people, colours and a progress line where there is a
 * terminal, and nothing that controls one from outside.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.terminal;
