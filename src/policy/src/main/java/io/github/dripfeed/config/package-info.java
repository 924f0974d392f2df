// SPDX-License-Identifier: Apache-2.0
/**
 * The settings of operators and applications: the properties of a queue and the tags of an application.
 *
 * <p>{@link io.github.dripfeed.config.PolicyProperty} has the names, defaults and allowed values, {@link
 * io.github.dripfeed.config.PolicyKind} the policy class that supports them; {@link
 * io.github.dripfeed.config.PolicyConfiguration} checks and parses them once.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.config;
