// SPDX-License-Identifier: Apache-2.0
/** How the commands write; nothing that comes from outside controls a terminal. Internal. */
package io.github.dripfeed.terminal;
