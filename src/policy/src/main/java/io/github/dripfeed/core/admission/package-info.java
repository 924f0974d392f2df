// SPDX-License-Identifier: Apache-2.0
/**
 * The rule: which applications of a queue are offered to the scheduler, and in which order.
 *
 * <p>Does not depend on YARN, starts no thread and reads no clock: facts come from {@link
 * io.github.dripfeed.core.admission.Attempt}, the time is a parameter. Start reading at {@link
 * io.github.dripfeed.core.admission.Transition} (the states), {@code Offer} (which attempt is offered: a
 * decision with the lock of the group, from facts that {@code Questions} reads without) and {@link
 * io.github.dripfeed.core.admission.QueueOrder} (what others call). Behind the rule: {@code Line} and
 * {@code SlotPool} (who waits in one queue, and who holds slots of all of them), {@code LineClock} (how
 * long an attempt may block others), {@code Lifecycle} (what is read of an attempt, and its states), {@code
 * FreeSlots} (whether a slot is free), {@code GivenAttempts} and {@code Leases} (asynchronous scheduling),
 * {@code ReservedDrivers} (reservations).
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.admission;
