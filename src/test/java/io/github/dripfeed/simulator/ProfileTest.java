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

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProfileTest {

  /** Of processor time: enough for dozens of samples. */
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(2);

  private long result;

  @Test
  void timeInDripfeedIsToldFromOtherTime() throws Exception {
    assertThat(shareOf(this::ours)).isGreaterThan(0.3);
    assertThat(shareOf(this::others)).isLessThan(0.3);
  }

  private double shareOf(Runnable work) throws Exception {
    try (Profile profile = new Profile()) {
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start < BUSY_NANOS) {
        work.run();
      }
      return profile.dripfeedShare();
    }
  }

  private void ours() {
    ResourceVector sum = ResourceVector.zero(50);
    for (int i = 0; i < 10_000; i++) {
      sum = sum.plus(sum).times(i);
    }
    result += sum.hashCode();
  }

  private void others() {
    for (int i = 0; i < 100_000; i++) {
      result += String.valueOf(i).hashCode();
    }
  }
}
