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
