// SPDX-License-Identifier: Apache-2.0
/**
 * A simulator of workloads: the real Capacity Scheduler, in a real ResourceManager whose only thread is the
 * simulation, with nodes and drivers that live in virtual time. It makes no scheduling decision itself, and
 * equal seeds give equal runs.
 */
package io.github.dripfeed.simulator;
