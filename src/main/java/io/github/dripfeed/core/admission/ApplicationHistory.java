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

import io.github.dripfeed.core.takeback.TakeBackMemory;

/**
 * What the attempts of one application have in common. It adds up the time that they have been starting,
 * so that an application whose driver fails repeatedly does not get a new time limit with each attempt. An
 * attempt that was taken back does not count: it could not help that others had the room. Safe for use by
 * any thread.
 */
public final class ApplicationHistory {

  private final TakeBackMemory takeBacks = new TakeBackMemory();
  private long before;
  private AttemptHistory latest;

  /** Adds an attempt of the application; adding the latest one again has no effect. */
  public synchronized void add(AttemptHistory attempt) {
    if (latest == attempt) {
      return;
    }
    if (latest != null && !latest.isTakenBack()) {
      before += latest.startedFor();
    }
    latest = attempt;
    attempt.setStartedBefore(before);
    attempt.setTakeBacks(takeBacks);
  }
}
