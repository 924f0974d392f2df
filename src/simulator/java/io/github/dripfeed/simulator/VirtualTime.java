/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import io.github.dripfeed.runtime.Clock;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.runtime.Monitor;

/**
 * Time that passes only when told to, for all policies made while it is in place. There is no monitor
 * thread then: {@link #look} looks instead of it. One at a time in a process.
 */
public final class VirtualTime implements AutoCloseable {

  private final DripfeedRuntime before = DripfeedRuntime.current();
  private final Monitor monitor;
  private volatile long millis;

  /** From now on policies live in this time, which starts at 0. */
  public VirtualTime() {
    Clock clock = new Clock() {
      @Override
      public long monotonicMillis() {
        return millis;
      }

      /** Only asked for the age of what nobody saw begin, and there is nothing such. */
      @Override
      public long wallMillis() {
        return System.currentTimeMillis();
      }
    };
    monitor = new Monitor(clock, run -> null);
    DripfeedRuntime.replace(DripfeedRuntime.of(clock, monitor));
  }

  /** Milliseconds since it began. */
  public long millis() {
    return millis;
  }

  public void setMillis(long millis) {
    this.millis = millis;
  }

  /** The monitor's look at all state-aware queues whose turn it is. */
  public void look() {
    monitor.look();
  }

  /** How often something of Dripfeed's went wrong, and scheduling went on. */
  public long failures() {
    return DripfeedRuntime.current().metrics().failures();
  }

  @Override
  public void close() {
    DripfeedRuntime.replace(before);
  }
}
