// SPDX-License-Identifier: Apache-2.0
/**
 * The live view: tables of every state-aware queue for JMX, and so for the ResourceManager's {@code /jmx}.
 * Computed when they are read, on the reader's thread.
 *
 * <p>Internal: no other project can rely on it, except on the names of the MBean, its attributes and their
 * columns, which docs/operations.md describes.
 */
package io.github.dripfeed.view;
