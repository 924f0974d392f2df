/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.forecast;

/**
 * One start as it happened: when the attempt was accepted, when it took its starting slot, and when it gave
 * it back. Immutable; milliseconds on one clock.
 */
public final class RecordedStart {

  private final long accepted;
  private final long started;
  private final long ended;

  /**
   * @param ended when it was running, or over
   * @throws IllegalArgumentException if the times are not in this order
   */
  public RecordedStart(long accepted, long started, long ended) {
    if (accepted > started || started > ended) {
      throw new IllegalArgumentException(
          "out of order: accepted=" + accepted + ", started=" + started + ", ended=" + ended);
    }
    this.accepted = accepted;
    this.started = started;
    this.ended = ended;
  }

  long accepted() {
    return accepted;
  }

  long started() {
    return started;
  }

  /** How long it waited for its slot. */
  public long waited() {
    return started - accepted;
  }

  /** How long it held its slot. */
  public long held() {
    return ended - started;
  }
}
