// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.processes.SchedulerLog.Event;
import io.github.dripfeed.processes.SchedulerLog.Kind;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which heartbeats count as wasted. The queue has room for four containers. */
class BurstCourseTest {

  private static final int MEMORY = ProcessBurst.MEMORY;

  private final BurstCourse course = new BurstCourse(
      Set.of("application_1_2", "application_1_3"), "application_1_1", true, false);
  private long now;

  /** The first application has its driver and its first executor, and the next driver may come. */
  @BeforeEach
  void beginHandover() {
    heartbeat(4 * MEMORY);
    allocated("container_1_2_1_1");
    heartbeat(4 * MEMORY);
    allocated("container_1_2_1_2");
  }

  @Test
  void heartbeatThatPlacesNothingIsWasted() {
    heartbeat(MEMORY);
    heartbeat(MEMORY);
    allocated("container_1_3_1_1");
    heartbeat(MEMORY);
    assertThat(course.wastedHeartbeats()).isEqualTo(1);
    assertThat(course.handovers()).isEqualTo(1);
  }

  @Test
  void noneIsWastedWithoutRoomOnTheNode() {
    heartbeat(0);
    heartbeat(0);
    assertThat(course.wastedHeartbeats()).isZero();
  }

  /** The node of the next heartbeat reports it first. */
  @Test
  void whatEndsAfterAHeartbeatLeavesNoRoomForIt() {
    heartbeat(MEMORY);
    allocated("container_1_2_1_3");
    heartbeat(MEMORY);
    allocated("container_1_2_1_4");
    heartbeat(MEMORY);
    ended("container_1_2_1_4");
    heartbeat(MEMORY);
    allocated("container_1_3_1_1");
    heartbeat(MEMORY);
    assertThat(course.wastedHeartbeats()).isZero();
    assertThat(course.medianDelay()).isEqualTo(1);
  }

  private void heartbeat(int free) {
    course.add(new Event(now, Kind.HEARTBEAT, "node", free));
  }

  private void allocated(String container) {
    course.add(new Event(++now, Kind.ALLOCATED, container, MEMORY));
  }

  private void ended(String container) {
    course.add(new Event(++now, Kind.ENDED, container, 0));
  }
}
