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
 * Moves the attempts of one queue through their states. Whatever the facts of an attempt throw ends
 * here: its state cannot be determined, so it runs. That includes members which another version of
 * YARN does not have.
 *
 * @param <T> what stands for an application attempt
 */
final class Lifecycle<T> {

  private final AdmissionSettings settings;
  private final AdmissionListener<T> observer;

  Lifecycle(AdmissionSettings settings, AdmissionListener<T> observer) {
    this.settings = settings;
    this.observer = observer;
  }

  AdmissionSettings settings() {
    return settings;
  }

  /**
   * Brings the entry's state, and with it its lanes, up to what the scheduler knows now.
   *
   * @return the state in whose lanes it stands
   */
  State advance(QueuedAttempt<T> entry, int released, long now) {
    Transition due = due(entry, released, now);
    boolean discovered = false;
    while (due != null) {
      // What has followed by the same look was there before it as well.
      discovered = discovered || isDiscovered(entry, due, now);
      take(entry, due, discovered, now);
      due = due(entry, released, now);
    }
    // Not only after a move of our own: another thread, or the ordering that this one replaces, may
    // have moved it.
    return entry.settle(now);
  }

  /** Whether the entry asks for a container now. */
  boolean asks(QueuedAttempt<T> entry, long now) {
    try {
      return entry.attempt.hasOutstandingRequest();
    } catch (RuntimeException | LinkageError e) {
      undetermined(entry, e, now);
      return true;
    }
  }

  /** Whether a container is reserved for the entry now. */
  boolean reserves(QueuedAttempt<T> entry, long now) {
    try {
      return entry.attempt.hasReservation();
    } catch (RuntimeException | LinkageError e) {
      undetermined(entry, e, now);
      return false;
    }
  }

  /**
   * Whether the entry holds as many containers as it may. One without its driver never does: what it
   * kept of an earlier attempt must not keep the driver from coming.
   */
  boolean isFull(QueuedAttempt<T> entry, long now) {
    try {
      return entry.attempt.containers() >= settings.maxContainers()
          && entry.attempt.isDriverAllocated();
    } catch (RuntimeException | LinkageError e) {
      undetermined(entry, e, now);
      return false;
    }
  }

  /** Whether the scheduler has tried to place its driver for so long that it may hold back nobody. */
  boolean hasBeenTriedInVain(QueuedAttempt<T> entry) {
    return settings.acceptedTimeout() > 0
        && entry.history.vain().millis() >= settings.acceptedTimeout();
  }

  /** Whether the scheduler passes over the entry, for its user's limit, and serves the next one. */
  boolean isPassedOver(QueuedAttempt<T> entry, long now) {
    try {
      return entry.attempt.isPassedOver();
    } catch (RuntimeException | LinkageError e) {
      undetermined(entry, e, now);
      return true;
    }
  }

  /** Whether both belong to the same user: what holds for the limit of one holds for the other's. */
  boolean isSameUser(QueuedAttempt<T> entry, QueuedAttempt<T> other) {
    try {
      return entry.attempt.user().equals(other.attempt.user());
    } catch (RuntimeException | LinkageError e) {
      return false;
    }
  }

  /** For how long the entry had waited when the scheduler was restarted, and since; 0 if it was not. */
  long millisSinceBeforeRestart(QueuedAttempt<T> entry, long now) {
    try {
      return entry.attempt.millisSinceBeforeRestart();
    } catch (RuntimeException | LinkageError e) {
      undetermined(entry, e, now);
      return 0;
    }
  }

  /** In how many milliseconds a time limit may end the entry's early stage, at the soonest. */
  long millisToLimit(QueuedAttempt<T> entry, long now) {
    long left = Transition.startingTimeLeft(
        entry.history, entry.settings, millisStarting(entry, now));
    return settings.idleTimeout() == 0
        ? left : Math.min(left, settings.idleTimeout() - entry.history.millisIdle(now));
  }

  /** For how long the entry has been starting, as far as that can be told. */
  long millisStarting(QueuedAttempt<T> entry, long now) {
    try {
      return entry.history.millisStarting(entry.attempt, now);
    } catch (RuntimeException | LinkageError e) {
      long seen = entry.history.millisSeenStarting(now);
      undetermined(entry, e, now);
      return seen;
    }
  }

  /** @param next null if nobody is offered any more */
  void offered(QueuedAttempt<T> next, String partition) {
    observer.offered(next == null ? null : next.item, partition);
  }

  void stalled(QueuedAttempt<T> entry) {
    observer.stalled(entry.item, entry.history.vain().millis());
  }

  void failed(Throwable failure) {
    observer.failed(null, failure);
  }

  private Transition due(QueuedAttempt<T> entry, int released, long now) {
    if (entry.history.state() == State.RUNNING) {
      return null;
    }
    try {
      return Transition.next(entry.history, entry.attempt, entry.settings, released, now);
    } catch (RuntimeException | LinkageError e) {
      undetermined(entry, e, now);
      return null;
    }
  }

  private void undetermined(QueuedAttempt<T> entry, Throwable failure, long now) {
    Transition due = Transition.whenUndetermined(entry.history);
    if (due != null && take(entry, due, false, now)) {
      observer.failed(entry.item, failure);
    }
    entry.settle(now);
  }

  /** Whether a transition that is due had come before anybody looked: an event of another time. */
  private boolean isDiscovered(QueuedAttempt<T> entry, Transition due, long now) {
    AttemptHistory history = entry.history;
    if (!history.isDriverDiscovered()) {
      return false;
    }
    switch (due) {
      case DRIVER_ALLOCATED:
        return true;
      case STARTING_TIMED_OUT:
        return millisStarting(entry, now) - history.millisInState(now)
            >= entry.settings.startingTimeout();
      case EXECUTORS_ALLOCATED:
        return recoveredExecutors(entry) >= entry.settings.minExecutors();
      default:
        return false;
    }
  }

  /** Of interest to those who count alone: not knowing it changes no state. */
  private int recoveredExecutors(QueuedAttempt<T> entry) {
    try {
      return entry.attempt.recoveredExecutors();
    } catch (RuntimeException | LinkageError e) {
      return 0;
    }
  }

  /** @param discovered whether it had come before anybody looked */
  private boolean take(QueuedAttempt<T> entry, Transition transition, boolean discovered, long now) {
    long millis = millisToTell(entry, transition, now);
    if (!entry.history.take(transition, now)) {
      return false;
    }
    if (discovered) {
      observer.discovered(entry.item, transition);
    } else {
      observer.moved(entry.item, transition, millis);
    }
    if (transition.from() == State.STARTING) {
      entry.history.setStartedFor(millis);
    } else if (transition == Transition.DRIVER_ALLOCATED) {
      tellLine(entry, discovered, now);
    }
    return true;
  }

  private void tellLine(QueuedAttempt<T> entry, boolean discovered, long now) {
    AdmissionLine<T> line = entry.line();
    if (discovered) {
      line.foundDriver(now - millisStarting(entry, now));
      return;
    }
    if (!entry.isExhausted() && line.isBeyondSlots()) {
      observer.startedBeyondSlots(entry.item);
    }
    line.driverAllocated(entry, now);
  }

  /** How long it has been in the state that it leaves: starting since before anybody looked, maybe. */
  private long millisToTell(QueuedAttempt<T> entry, Transition transition, long now) {
    if (transition.from() != State.STARTING) {
      return entry.history.millisInState(now);
    }
    // Whose facts cannot be had is not asked again.
    return transition.isUndetermined()
        ? entry.history.millisSeenStarting(now) : millisStarting(entry, now);
  }
}
