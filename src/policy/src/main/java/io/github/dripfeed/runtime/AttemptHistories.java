// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import io.github.dripfeed.core.admission.ApplicationHistory;
import io.github.dripfeed.core.admission.AttemptHistory;

/**
 * The histories of all application attempts in this process and of their applications. A history lives as
 * long as YARN holds its attempt or application. Safe for use by any thread.
 */
public final class AttemptHistories {

  private final WeakIdentityMap<AttemptHistory> attempts = new WeakIdentityMap<>();
  private final WeakIdentityMap<ApplicationHistory> applications = new WeakIdentityMap<>();

  /** The history of the attempt; creates one that starts now if there is none. */
  public AttemptHistory of(Object attempt, long now) {
    return attempts.of(attempt, () -> new AttemptHistory(now));
  }

  /** The history of the application, which adds up the time that its attempts spent starting. */
  public ApplicationHistory ofApplication(Object application) {
    return applications.of(application, ApplicationHistory::new);
  }

  /** The number of attempts. */
  int size() {
    return attempts.size();
  }
}
