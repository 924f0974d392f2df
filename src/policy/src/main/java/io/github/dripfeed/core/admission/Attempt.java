// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.resource.ResourceVector;

/**
 * The scheduler's data on one application attempt, read anew at each call. The attempt's state is derived
 * from it.
 *
 * <p>Every method may be called from any thread, often on the scheduler's hottest path, and must not
 * block for long. An implementation that cannot read a fact throws a {@link RuntimeException}; the
 * attempt then counts as running.
 */
public interface Attempt {

  /** The node partition that its driver requests; starting slots are counted per partition. */
  String partition();

  /** The path of its queue; empty if it is not known. */
  default String queue() {
    return "";
  }

  /** The user of the application. */
  String user();

  /** Whether it is never held, by configuration or because its driver does not run in the queue. */
  boolean isExempt();

  /**
   * Whether the scheduler still has the attempt, and its queue still uses the ordering to which it was
   * added. It is also false for a moment during a refresh or a move.
   */
  default boolean isOrdered() {
    return true;
  }

  // What it requests.

  /**
   * Whether it has a pending request. Read this <em>before</em> the containers: an allocation adds the
   * live container first and removes the request afterwards, so in the reverse order an attempt could
   * appear to have neither (docs/design.md#live-changes-before-pending).
   */
  boolean hasOutstandingRequest();

  /** Whether a pending request of it may be placed on nodes of that partition, which is its driver's. */
  default boolean hasOutstandingRequest(String partition) {
    return hasOutstandingRequest();
  }

  /** Whether it has pending requests, and all of them only resize containers that it has. */
  boolean requestsOnlyUpdates();

  /** The resources of its pending request, which is that for its driver while it waits; null for none. */
  default ResourceVector requested() {
    return null;
  }

  /**
   * Whether the scheduler skips it and serves the next attempt, whatever it requests, because its
   * user is at the user limit.
   */
  boolean isSkipped();

  /**
   * The path of the highest queue, from its own up, whose maximum leaves no room for its first request.
   * Empty if there is none, or a node is reserved for it.
   */
  default String fullQueue() {
    return "";
  }

  // What it has.

  /**
   * Whether a container is reserved for it on some node. YARN allocates it there without consulting the
   * policy again.
   */
  boolean hasReservation();

  /**
   * Whether the scheduler has proposed a container for all that it requests, and not allocated it yet.
   * False where the scheduler does not tell.
   */
  default boolean isProposed() {
    return false;
  }

  /** Whether its driver has been allocated, also before a restart of the ResourceManager. */
  boolean isDriverAllocated();

  /** Whether the driver is among its live containers: after a restart, once its node has reported it. */
  boolean isDriverLive();

  /** The time since the driver was allocated, in milliseconds, or a lower bound; never negative. */
  long millisSinceDriverAllocated();

  /** The number of live containers except the driver and those that hold no room. */
  int liveExecutors();

  /** The number of live executors that were recovered after a restart; it changes no state. */
  default int recoveredExecutors() {
    return 0;
  }

  /**
   * The number of containers that it holds: live ones including the driver, and reserved ones, but no
   * reservation for an update of another one.
   */
  int containers();
}
