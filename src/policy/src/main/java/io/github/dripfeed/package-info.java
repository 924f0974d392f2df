// SPDX-License-Identifier: Apache-2.0
/**
 * Dripfeed: the classes that an operator names in YARN's configuration. Nothing else is public API.
 *
 * <p>The packages, from top to bottom. Each uses only packages below it:
 *
 * <ul>
 *   <li>{@code io.github.dripfeed}: the two policy classes and {@link io.github.dripfeed.ReclaimPolicy}.
 *   <li>{@code reclaim}: <strong>who gets what back</strong>, in YARN's terms. {@code ReclaimRounds}
 *       visits the queues; {@code ReclaimRound} reads the scheduler's state and calls {@code core.reclaim}
 *       for a plan; {@code QueueReclaimer} carries it out.
 *   <li>{@code ordering}: connects YARN's callbacks to the rule ({@code OrderingDelegate}); the monitor's
 *       work for one queue ({@code MonitoredQueue}).
 *   <li>{@code plan}: <strong>who may start in parallel</strong>, in YARN's terms. {@code PlanRound}
 *       calls {@code core.plan} for a plan.
 *   <li>{@code takeback}: <strong>who loses a start that leads nowhere</strong>, in YARN's terms. {@code
 *       TakeBackRound} calls {@code core.takeback}.
 *   <li>{@code snapshot}: the state of a scheduler at one moment, read once for both, and once for {@code
 *       reclaim}.
 *   <li>{@code view}: the tables of {@code /jmx} ({@code LiveView}).
 *   <li>{@code runtime}: the objects that outlive a policy: the {@code Monitor} thread, the {@code
 *       Clock}, the histories.
 *   <li>{@code observe}: what people see: {@code QueueReport}, which {@code StateAwareQueueMetrics} and
 *       {@code HeldDiagnostics} render; {@code StateChangeRecorder} (the log and the events).
 *   <li>{@code yarn}: reads YARN's state. {@code YarnAttempt} is one application attempt.
 *   <li>{@code config}: the properties and tags that operators and applications set. {@code
 *       PolicyProperty} has the names, {@code PolicyConfiguration} parses the properties of a queue,
 *       {@code ApplicationOverrides} the tags of an application.
 *   <li>{@code core.admission}: <strong>the rule: who is offered</strong>. {@code Offer} decides
 *       which application is offered, {@code Transition} when an application is starting or running,
 *       {@code LineClock} when an application has stalled ({@code VainTime} measures the time), {@code
 *       Trials} when stalled ones return. {@code Attempt} is what the rule reads of an application.
 *   <li>{@code core.plan}, {@code core.takeback}, {@code core.reclaim}: the other decisions ({@code
 *       StartPlan}, {@code Standstill}, {@code ReclaimPlan}).
 *   <li>{@code core.cluster}: nodes, limits and containers, and what has to end for a container to fit.
 *   <li>{@code core.forecast}: when a waiting application is expected to start.
 *   <li>{@code core.resource}: resource amounts.
 *   <li>{@code wire}: the names and codes that the live view shares with the commands.
 * </ul>
 *
 * <p>The packages {@code core.*} depend neither on YARN nor on threads nor on the clock.
 */
package io.github.dripfeed;
