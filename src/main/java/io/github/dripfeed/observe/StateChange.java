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

/** From which state to which, and why. Immutable. */
public final class StateChange {

  private final String from;
  private final String to;
  private final String reason;
  private final long millis;

  /**
   * @param reason the second half of a sentence
   * @param millis the time in the state that it leaves; -1 if it is unknown
   */
  StateChange(String from, String to, String reason, long millis) {
    this.from = from;
    this.to = to;
    this.reason = reason;
    this.millis = millis;
  }

  public String from() {
    return from;
  }

  public String to() {
    return to;
  }

  /** The second half of a sentence. */
  public String reason() {
    return reason;
  }

  /** The time in the state that it leaves, in milliseconds; -1 if it is unknown. */
  public long millis() {
    return millis;
  }
}
