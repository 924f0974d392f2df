// SPDX-License-Identifier: Apache-2.0
/** The commands: {@code Main} finds Hadoop and starts them, {@code Commands} has the list. Internal. */
package io.github.dripfeed.command;
