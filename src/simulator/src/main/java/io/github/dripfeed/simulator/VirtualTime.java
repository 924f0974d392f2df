// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import io.github.dripfeed.runtime.Clock;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.runtime.Monitor;

/**
 * A clock that only its owner advances, for all policies created while it is installed. There is no monitor
 * thread: {@link #runMonitor} runs the monitor instead. At most one exists in a process.
 */
public final class VirtualTime implements AutoCloseable {

  private final DripfeedRuntime before = DripfeedRuntime.current();
  private final Monitor monitor;
  private volatile long millis;

  /** Installs the clock, which starts at 0. */
  public VirtualTime() {
    Clock clock = new Clock() {
      @Override
      public long monotonicMillis() {
        return millis;
      }

      /** Only used for the age of drivers that started unobserved; there are none. */
      @Override
      public long wallMillis() {
        return System.currentTimeMillis();
      }
    };
    monitor = new Monitor(clock, run -> null);
    DripfeedRuntime.replace(DripfeedRuntime.of(clock, monitor));
  }

  /** Milliseconds since the start. */
  public long millis() {
    return millis;
  }

  public void setMillis(long millis) {
    this.millis = millis;
  }

  /** Runs the monitor for all state-aware queues whose turn it is. */
  public void runMonitor() {
    monitor.runDue();
  }

  /** How many internal errors of Dripfeed occurred without interrupting scheduling. */
  public long failures() {
    return DripfeedRuntime.current().metrics().failures();
  }

  @Override
  public void close() {
    DripfeedRuntime.replace(before);
  }
}
