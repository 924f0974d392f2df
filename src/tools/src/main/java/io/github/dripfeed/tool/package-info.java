// SPDX-License-Identifier: Apache-2.0
/** What all commands share: options, exit codes, JSON. Internal. */
package io.github.dripfeed.tool;
