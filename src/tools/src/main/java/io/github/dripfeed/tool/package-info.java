// SPDX-License-Identifier: Apache-2.0
/** What all commands share: options, exit codes, JSON. Internal: no other project can rely on it. */
package io.github.dripfeed.tool;
