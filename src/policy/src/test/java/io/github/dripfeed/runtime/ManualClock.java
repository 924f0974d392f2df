// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until the test advances it. */
public final class ManualClock implements Clock {

  private final AtomicLong passed = new AtomicLong();
  private final AtomicLong jumped = new AtomicLong();

  public void advance(Duration duration) {
    passed.addAndGet(duration.toMillis());
  }

  /** Sets the wall clock. No time passes. */
  public void jump(Duration ahead) {
    jumped.addAndGet(ahead.toMillis());
  }

  @Override
  public long monotonicMillis() {
    return passed.get();
  }

  /** YARN stamps containers with the real time, so this clock starts from it. */
  @Override
  public long wallMillis() {
    return System.currentTimeMillis() + passed.get() + jumped.get();
  }
}
