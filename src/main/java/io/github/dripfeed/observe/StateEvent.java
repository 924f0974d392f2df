/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.observe;

/** One change of the state of an attempt. Immutable. */
public final class StateEvent {

  /** The state before an attempt was observed. */
  public static final String NEW = "NEW";
  /** The state after an attempt has ended. */
  public static final String ENDED = "ENDED";

  private final long sequence;
  private final long time;
  private final AttemptLabel attempt;
  private final StateChange change;

  /** @param time in milliseconds since 1970 */
  StateEvent(long sequence, long time, AttemptLabel attempt, StateChange change) {
    this.sequence = sequence;
    this.time = time;
    this.attempt = attempt;
    this.change = change;
  }

  /** Its number; the events of one process are numbered from 1 on, without gaps. */
  public long sequence() {
    return sequence;
  }

  /** In milliseconds since 1970. */
  public long time() {
    return time;
  }

  public AttemptLabel attempt() {
    return attempt;
  }

  public StateChange change() {
    return change;
  }
}
