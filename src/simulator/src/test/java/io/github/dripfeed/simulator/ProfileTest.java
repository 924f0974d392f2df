// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProfileTest {

  /** Of processor time: enough for dozens of samples. */
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(1);

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
