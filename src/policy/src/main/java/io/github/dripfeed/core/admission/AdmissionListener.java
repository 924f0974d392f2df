// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * Receives the changes that an ordering makes. It is called outside any lock, and also by scheduling
 * threads, so an implementation must be fast and must not throw.
 */
public interface AdmissionListener<T> {

  /**
   * An attempt has changed its state.
   *
   * @param millis the time in the previous state
   */
  void stateChanged(T item, Transition transition, long millis);

  /** An attempt changed its state before this ordering observed it, for example before a restart. */
  default void discovered(T item, Transition transition) {
    // Few listeners need this event.
  }

  /** The accepted attempt that is offered in a partition has changed; null if none is offered any more. */
  default void offered(T item, String partition) {
    // Of interest to few.
  }

  /** The driver of an attempt was allocated while no slot was free. */
  default void startedBeyondSlots(T item) {
    // Of interest to few.
  }

  /**
   * An accepted attempt has stalled and no longer holds back others: it was tried in vain, or a later
   * attempt of an open line got its driver first.
   *
   * @param millis the time for which it was tried in vain as the head; may be 0
   */
  void stalled(T item, long millis);

  /**
   * An internal error occurred; scheduling continues.
   *
   * @param item the attempt whose facts could not be read; null if it concerns no single one
   */
  void failed(T item, Throwable failure);
}
