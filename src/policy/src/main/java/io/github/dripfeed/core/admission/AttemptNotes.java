// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/**
 * Notes of other components on an attempt; they live as long as its {@link AttemptHistory}. Safe for use
 * by any thread.
 */
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

  /**
   * @param problems the problems, or null
   * @return whether these are the first problems of the attempt
   */
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

  /**
   * Whether the attempt was blocked at this look.
   *
   * @return for how long it has been blocked, in milliseconds
   */
  public synchronized long millisBlocked(boolean blocked, long now) {
    if (!blocked) {
      blockedSince = null;
      return 0;
    }
    if (blockedSince == null) {
      blockedSince = now;
    }
    return now - blockedSince;
  }

  /** For how long a request of the attempt has been pending at each look, in milliseconds. */
  public synchronized long millisPending(boolean pending, long now) {
    pendingSince = !pending ? null : pendingSince == null ? (Long) now : pendingSince;
    return pending ? now - pendingSince : 0;
  }
}
