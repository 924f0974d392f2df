// SPDX-License-Identifier: Apache-2.0
/** Nodes, limits and containers of a cluster at one moment, and what has to end for a container to fit. */
package io.github.dripfeed.core.cluster;
