// SPDX-License-Identifier: Apache-2.0
/**
 * What all commands share: options, exit codes, JSON, tables. Nothing that comes from outside controls a
 * terminal. Internal.
 */
package io.github.dripfeed.tool;
