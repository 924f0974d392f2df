// SPDX-License-Identifier: Apache-2.0
/**
 * Resource amounts, by resource type: {@link io.github.dripfeed.core.resource.ResourceVector} is their
 * value type, and {@link io.github.dripfeed.core.resource.ResourceSum} a running total.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.resource;
