/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what happens in other threads or in the garbage collector; never for time to pass. */
public final class Eventually {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Eventually() {
  }

  public static void is(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + LIMIT + ": " + what);
      }
      Thread.sleep(10);
    }
  }
}
