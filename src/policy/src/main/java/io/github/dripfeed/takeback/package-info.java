// SPDX-License-Identifier: Apache-2.0
/** Takes back starting applications: reads YARN's facts and preempts drivers. */
package io.github.dripfeed.takeback;
