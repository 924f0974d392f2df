// SPDX-License-Identifier: Apache-2.0
/** Serves the page of {@code view}: a server on loopback, and what it shows of a reading. Internal. */
package io.github.dripfeed.command.view;
