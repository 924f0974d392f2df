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
