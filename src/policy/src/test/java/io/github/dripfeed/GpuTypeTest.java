// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.GpuType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSAssignment;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GpuTypeTest {

  @AfterEach
  void forgetGpus() {
    GpuType.forget();
  }

  /** On a node whose label is shareable YARN goes on until what it assigns is equal to none. */
  @Test
  void schedulingOnANodeEndsWhateverTheTypes() {
    GpuType.use();
    assertNothingIsNone();
    GpuType.forget();
    assertNothingIsNone();
  }

  private static void assertNothingIsNone() {
    assertThat(CSAssignment.NULL_ASSIGNMENT.getResource()).isEqualTo(Resources.none());
  }
}
