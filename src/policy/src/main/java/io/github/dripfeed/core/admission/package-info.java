// SPDX-License-Identifier: Apache-2.0
/**
 * The rule: which applications of a queue are offered to the scheduler, and in which order.
 *
 * <p>Does not depend on YARN, starts no thread and reads no clock: facts come from {@link
 * io.github.dripfeed.core.admission.Attempt}, the time is a parameter. In this order:
 *
 * <ol>
 *   <li>{@link io.github.dripfeed.core.admission.Transition}: the states.
 *   <li>{@code Offer}: which attempt of a line is offered; {@code LateOffer} has those that have stalled,
 *       {@code ReservedDrivers} those with a node. Each decision is made with the lock of the group, from
 *       facts that {@code Questions} reads without.
 *   <li>{@code Line}: who waits in one queue, and whether a slot is free; {@code SlotPool}: who holds the
 *       slots of all queues of a group. Its parts are for groups ({@code GroupLines}, {@code
 *       OvertakenHeads}, {@code OverdueAttempts}) and for asynchronous scheduling ({@code Leases}).
 *   <li>{@code LineClock}, {@code Trials}: how long an attempt may block others.
 *   <li>{@code Lifecycle}: what is read of an attempt, and its moves; {@code QueueLanes}: where it is then.
 *   <li>{@link io.github.dripfeed.core.admission.QueueOrder}: what others call.
 * </ol>
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.admission;
