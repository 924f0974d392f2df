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
