// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import io.github.dripfeed.core.admission.QueueSettings;
import java.util.Optional;

/** What the {@link RuleModel} knows of the applications that wait for their drivers in one partition. */
final class ModelledLine {

  private static final int STARTS_BETWEEN_TRIALS = 4;
  private static final int STARTS_AT_MOST = 8;
  private static final int TRIALS_SHARE = 16;
  static final long SHORTEST_TRIAL = 1_000;

  /** The time spent in vain: from each try to the next, if both belong to one period. */
  static final class InVain {
    long millis;
    private Object period;
    private long lastTry;

    void tried(Object current, long now) {
      if (period == current) {
        millis += now - lastTry;
      }
      period = current;
      lastTry = now;
    }

    void reset() {
      millis = 0;
      period = null;
    }
  }

  final InVain inVain = new InVain();
  /** The first application that is offered in its position. */
  RuleModel.App first;
  Object periodOfFirst = new Object();
  Object periodOfOffer = new Object();
  /** The number of allocated drivers. */
  int starts;
  /** The number of trials, and when the last one ends or ended. */
  int trials;
  Long trialEnds;
  int startsSinceTrial;
  /** Whether an executor or an application has ended since a trial became due by starts. */
  boolean releasedSince;
  /** Whether nothing was allocated since; and whether the next trial needs that. */
  boolean roomLeft;
  boolean needsRoom;
  /**
   * Whether all applications had to release a reservation, so that one of them may wait for a node again.
   */
  boolean everybodyTried;

  void newOrdering() {
    first = null;
    periodOfFirst = new Object();
  }

  void setFirst(RuleModel.App app) {
    if (first != app) {
      periodOfFirst = new Object();
    }
    if (app == null) {
      periodOfOffer = new Object();
    }
    first = app;
  }

  boolean isTrial(long now) {
    return trialEnds != null && now < trialEnds;
  }

  void firstIsLate(long now) {
    trialEnds = now;
    startsSinceTrial = 0;
    releasedSince = false;
    roomLeft = false;
    needsRoom = false;
  }

  /** An executor or an application has ended. */
  void released() {
    boolean due = startsSinceTrial >= STARTS_BETWEEN_TRIALS;
    releasedSince |= due;
    roomLeft |= due;
  }

  private boolean haveEnoughStarted() {
    return startsSinceTrial >= STARTS_AT_MOST
        || startsSinceTrial >= STARTS_BETWEEN_TRIALS && (needsRoom ? roomLeft : releasedSince);
  }

  /** @return what started the trial, if one starts */
  Optional<RuleModel.Situation> beginTrialIfDue(long acceptedTimeout, long now) {
    if (trialEnds == null) {
      firstIsLate(now);
    }
    long timeout = acceptedTimeout > 0 ? acceptedTimeout : QueueSettings.DEFAULTS.acceptedTimeout();
    long since = now - trialEnds;
    boolean enoughStarts = haveEnoughStarted();
    if (!enoughStarts && since < timeout) {
      return Optional.empty();
    }
    long longest = Math.max(1, timeout / TRIALS_SHARE);
    trialEnds = now + Math.min(longest, Math.max(SHORTEST_TRIAL, since / TRIALS_SHARE));
    needsRoom = enoughStarts && !needsRoom && !roomLeft;
    startsSinceTrial = needsRoom ? STARTS_BETWEEN_TRIALS : 0;
    releasedSince = false;
    roomLeft = false;
    trials++;
    return Optional.of(enoughStarts
        ? RuleModel.Situation.TRIAL_AFTER_STARTS : RuleModel.Situation.TRIAL_AFTER_TIME);
  }

  boolean isTrialDue(long acceptedTimeout, long now) {
    long timeout = acceptedTimeout > 0 ? acceptedTimeout : QueueSettings.DEFAULTS.acceptedTimeout();
    return !isTrial(now) && (haveEnoughStarted()
        || trialEnds != null && now - trialEnds >= timeout);
  }

  void exhaustedDriverAllocated() {
    starts++;
    everybodyTried = false;
  }

  /** A stalled application got its driver, or another application did. */
  void driverAllocated(boolean late, long timeThatGoesOn, long now) {
    inVain.reset();
    inVain.millis = timeThatGoesOn;
    starts++;
    everybodyTried = false;
    if (late) {
      trialEnds = now;
      startsSinceTrial = STARTS_AT_MOST;
      needsRoom = false;
    } else if (!isTrial(now)) {
      startsSinceTrial++;
    }
  }
}
