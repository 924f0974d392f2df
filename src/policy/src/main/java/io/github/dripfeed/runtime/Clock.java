// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import java.util.concurrent.TimeUnit;

/** The source of time. Tests and simulations supply their own. */
public interface Clock {

  Clock SYSTEM = new Clock() {
    @Override
    public long monotonicMillis() {
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @Override
    public long wallMillis() {
      return System.currentTimeMillis();
    }
  };

  /** Milliseconds since some fixed moment; never goes backwards. Every duration is measured with it. */
  long monotonicMillis();

  /**
   * Milliseconds since the epoch, as in YARN's time stamps of containers and attempts. It may jump, so it
   * is read only to compute an age from such a time stamp.
   */
  long wallMillis();
}
