/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
/**
 * Dripfeed: the classes that an operator names in YARN's configuration. Nothing else is public API.
 *
 * <p>Where things are, from the top to the bottom; a package uses those below it, and none above:
 *
 * <ul>
 *   <li>{@code io.github.dripfeed}: the two policy classes and {@link io.github.dripfeed.ReclaimPolicy}.
 *   <li>{@code reclaim}: who gets what back, in YARN's terms: {@code ReclaimRound} reads the books, and has
 *       {@code core.reclaim} plan.
 *   <li>{@code ordering}: YARN's callbacks on one side, the rule on the other ({@code OrderingDelegate}),
 * and what
 *       the monitor does for a queue ({@code MonitoredQueue}).
 *   <li>{@code headroom}: who may start beside those that are starting, in YARN's terms.
 *   <li>{@code runtime}: what outlives a policy: the {@code Monitor} thread, the {@code Clock}, the
 * histories.
 *   <li>{@code observe}: what people see: log, metrics, diagnostics.
 *   <li>{@code yarn}: reads YARN's books: {@code YarnAttempt} is one application attempt.
 *   <li>{@code config}: what operators and applications set ({@code PolicyProperty} has the names).
 *   <li>{@code core.admission}: <strong>the rule</strong>: {@code AdmissionLine} says who is offered,
 *       {@code Transition} when an application is starting or running, {@code LineClock} how long anybody
 * waits.
 *   <li>{@code core.headroom}, {@code core.reclaim}: the plans of the other two decisions.
 *   <li>{@code core.resource}: amounts of resources.
 * </ul>
 *
 * <p>{@code check} is the command line that looks at a configuration; it never runs in a ResourceManager.
 * What is
 * below {@code core} knows neither YARN nor threads nor the wall clock.
 */
package io.github.dripfeed;
