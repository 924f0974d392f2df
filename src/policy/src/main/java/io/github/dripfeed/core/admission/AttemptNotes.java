// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/** Notes of other components on an attempt, as long as its history lives. Safe for use by any thread. */
public final class AttemptNotes {

  private volatile String warning;
  private boolean warned;
  private volatile String summary;
  private Long blockedSince;
  private Long pendingSince;

  /** The problems of the application's tags, for its user to read; null if there is none. */
  public String warning() {
    return warning;
  }

  /** @return whether these are the first problems of the attempt; null is none */
  public synchronized boolean setWarning(String problems) {
    boolean first = problems != null && !warned;
    warned |= first;
    warning = problems;
    return first;
  }

  /**
   * The last diagnostics text of the kind that many applications share; null if there was none, or if
   * another text has replaced it.
   */
  public String summary() {
    return summary;
  }

  public void setSummary(String text) {
    summary = text;
  }

  /** For how long the attempt has been blocked at each look, in milliseconds. */
  public synchronized long millisBlocked(boolean blocked, long now) {
    blockedSince = since(blockedSince, blocked, now);
    return blocked ? now - blockedSince : 0;
  }

  /** For how long a request of the attempt has been pending at each look, in milliseconds. */
  public synchronized long millisPending(boolean pending, long now) {
    pendingSince = since(pendingSince, pending, now);
    return pending ? now - pendingSince : 0;
  }

  private static Long since(Long before, boolean holds, long now) {
    return !holds ? null : before == null ? (Long) now : before;
  }
}
