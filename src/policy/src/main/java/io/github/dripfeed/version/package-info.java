// SPDX-License-Identifier: Apache-2.0
/** What version of Dripfeed this is. Every other package may use it. */
package io.github.dripfeed.version;
