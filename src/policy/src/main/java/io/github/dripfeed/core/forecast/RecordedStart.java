// SPDX-License-Identifier: Apache-2.0
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
