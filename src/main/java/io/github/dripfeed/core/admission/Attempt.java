/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

/**
 * What the scheduler knows of one application attempt, asked anew at each call: the truth from which
 * its state is derived.
 *
 * <p>Every method may be called from any thread, often on the scheduler's hottest path, and answers
 * without blocking for long. An implementation that cannot answer throws a
 * {@link RuntimeException}: the attempt then counts as running.
 */
public interface Attempt {

  /** The node partition its driver is requested in; starting slots are counted per partition. */
  String partition();

  /** Whether there is nothing to drip: no driver of its own is placed in the queue. */
  boolean isExempt();

  /**
   * Whether it asks for a container now. Read this <em>before</em> the containers: an allocation adds
   * the live container first and deducts the request afterwards, so the other way round an attempt
   * could look as if it had neither (docs/design.md#live-changes-before-pending).
   */
  boolean hasOutstandingRequest();

  /** Whether a container is reserved for it on some node, to be allocated there without asking again. */
  boolean hasReservation();

  /** Whether its driver has been allocated, be it before a restart of the ResourceManager. */
  boolean isDriverAllocated();

  /** Whether the driver is among its live containers (after a restart: has its node reported it). */
  boolean isDriverLive();

  /** How many containers beside the driver are live; reservations do not count. */
  int liveExecutors();

  /**
   * How many of the live executors came with their node after a restart: a ResourceManager before this
   * one has allocated them. For those who count events; it changes no state.
   */
  default int recoveredExecutors() {
    return 0;
  }

  /** How many containers it holds: those live, the driver included, and those reserved. */
  int containers();

  /**
   * For how many milliseconds the driver has been allocated; where that is not known, for how many at
   * least. Never negative, and never the time that it waited for its driver.
   */
  long millisSinceDriverAllocated();

  /**
   * For how many milliseconds it has waited, if it had waited before the last restart of the scheduler;
   * else 0.
   */
  long millisSinceBeforeRestart();

  /**
   * Whether the scheduler passes over it at once, whatever it asks for, and serves the next one: its user
   * is at the user limit.
   */
  boolean isPassedOver();

  /** Whose it is. */
  String user();
}
