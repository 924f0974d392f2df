// SPDX-License-Identifier: Apache-2.0
/** The names that the live view and its readers share. It uses nothing. */
package io.github.dripfeed.wire;
