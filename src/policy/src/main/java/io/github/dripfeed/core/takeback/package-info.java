// SPDX-License-Identifier: Apache-2.0
/**
 * The rule by which starting applications are taken back. Pure: the facts come from {@code
 * io.github.dripfeed.takeback}.
 */
package io.github.dripfeed.core.takeback;
