// SPDX-License-Identifier: Apache-2.0
/** Finds the active ResourceManager, asks it over HTTP, and has its answers as tables. Internal. */
package io.github.dripfeed.command.remote;
