/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
    AttemptHistory known = attempts.get(attempt);
    return known == null ? attempts.of(attempt, () -> new AttemptHistory(now)) : known;
  }

  /** The history of the application, which adds up the time that its attempts spent starting. */
  public ApplicationHistory ofApplication(Object application) {
    return applications.of(application, ApplicationHistory::new);
  }

  /** The number of attempts. */
  public int size() {
    return attempts.size();
  }
}
