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
 * Decides which attempts of a queue have stalled, and which lines are open. Two times count, each up to
 * {@code accepted-timeout}: the time that an attempt was tried in vain as the head ({@link
 * AttemptHistory#vain}), after which it has stalled, and the time that all heads of a line were tried in
 * vain ({@link LineMemory#vain}), after which the line is open. Both run only while the scheduler tries
 * ({@link VainTime}). The allocation of a driver resets the time of its line.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class LineClock<T> {

  private final QueueSettings settings;
  private final AttemptFacts<T> facts;
  private final AdmissionLanes<T> lanes;
  private final AdmissionListener<T> listener;

  LineClock(QueueSettings settings, AttemptFacts<T> facts, AdmissionLanes<T> lanes,
      AdmissionListener<T> listener) {
    this.settings = settings;
    this.facts = facts;
    this.lanes = lanes;
    this.listener = listener;
  }

  /**
   * Whether the line is open, which means that every accepted attempt is offered, because heads have held
   * the line in vain for {@code accepted-timeout}.
   */
  boolean isOpen(PartitionLanes<T> line) {
    long timeout = settings.acceptedTimeout();
    return timeout > 0 && line.memory().vain().millis() >= timeout;
  }

  /** Whether any attempt of the line is offered after all others. */
  boolean hasLast(PartitionLanes<T> line) {
    return !line.stalled.isEmpty() || isOpen(line);
  }

  /** The longest time between trials in milliseconds; a trial comes sooner if other attempts start. */
  long timeBetweenTrials() {
    long timeout = settings.acceptedTimeout();
    return timeout > 0 ? timeout : QueueSettings.DEFAULTS.acceptedTimeout();
  }

  /**
   * The scheduler tries to place the attempt's driver, or has reserved a node for it; this continues its
   * time in vain.
   */
  void tried(QueuedAttempt<T> attempt, long now) {
    PartitionLanes<T> line = lanes.of(attempt);
    LineMemory memory = line.memory();
    Object head = line.headPeriod();
    if (memory.vain().isCurrent(line.offerPeriod(), now) && attempt.history.vain().isCurrent(head, now)
        || facts.isPassedOver(attempt, now)) {
      return;
    }
    memory.countBefore(facts.millisSinceBeforeRestart(attempt, now), settings.acceptedTimeout(), now);
    memory.vain().tried(line.offerPeriod(), now);
    attempt.history.vain().tried(head, now);
    if (isOpen(line) && !attempt.isLate()) {
      moveToStalled(attempt, now);
    }
  }

  /**
   * The attempt stalls if it has been tried in vain for {@code accepted-timeout}.
   *
   * @return whether other attempts come before it now
   */
  boolean stall(QueuedAttempt<T> attempt, long now) {
    if (attempt.isLate() || settings.acceptedTimeout() == 0
        || attempt.history.vain().millis() < settings.acceptedTimeout()) {
      return attempt.isLate();
    }
    moveToStalled(attempt, now);
    return true;
  }

  /** A container of the attempt, or the attempt itself, has ended, and leaves room for a trial. */
  void released(QueuedAttempt<T> attempt) {
    lanes.of(attempt).memory().trials().released();
  }

  /** The attempt, which is past its wait, got a container. */
  void allocated(QueuedAttempt<T> attempt) {
    lanes.of(attempt).memory().trials().allocated();
  }

  /** The attempt's driver was allocated at that time, before this ordering observed it. */
  void foundDriver(QueuedAttempt<T> attempt, long at) {
    lanes.of(attempt).memory().foundDriver(at);
  }

  /**
   * The attempt's driver has just been allocated. Attempts that it overtook in an open line have stalled.
   */
  void driverAllocated(QueuedAttempt<T> attempt, long now) {
    PartitionLanes<T> line = lanes.of(attempt);
    boolean open = isOpen(line);
    if (open && !attempt.isLate()) {
      for (QueuedAttempt<T> overtaken : line.waiting.bySubmission().headMap(attempt.submitted).values()) {
        if (overtaken != attempt && facts.hasOutstandingRequest(overtaken, now)
            && !facts.isPassedOver(overtaken, now)) {
          moveToStalled(overtaken, now);
        }
      }
    }
    if (attempt.isExhausted()) {
      // It came after all others, so its driver says nothing about them.
      line.memory().exhaustedDriverAllocated();
      return;
    }
    long timeout = settings.acceptedTimeout();
    boolean stalled = attempt.history.isStalled();
    line.memory().driverAllocated(stalled, stalled && line.memory().trials().isOn(now),
        open ? timeout - timeout / Trials.SHARE : 0, now);
  }

  private void moveToStalled(QueuedAttempt<T> attempt, long now) {
    if (lanes.stall(attempt, now)) {
      listener.stalled(attempt.item, attempt.history.vain().millis());
    }
  }
}
