// SPDX-License-Identifier: Apache-2.0
/**
 * The rule: which applications of a queue are offered to the scheduler, and in which order.
 *
 * <p>Does not depend on YARN, starts no thread and reads no clock: facts come from {@link
 * io.github.dripfeed.core.admission.Attempt}, the time is a parameter. Start reading at {@link
 * io.github.dripfeed.core.admission.Transition} (the states), {@code AdmissionLine} (which attempt is
 * offered) and {@link io.github.dripfeed.core.admission.QueueOrder} (the order). Behind the rule: {@code
 * PartitionLanes} and {@code AdmissionLanes} (lanes of attempts), {@code LineClock} (how long an attempt
 * may block others), {@code Lifecycle} and {@code AttemptFacts} (states, and the facts behind them).
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.admission;
