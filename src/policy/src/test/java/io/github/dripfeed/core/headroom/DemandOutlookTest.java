// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** How many applications share a queue, by what they are expected to want. */
class DemandOutlookTest implements DemandOutlook.Room {

  private static final Demand DRIVER = new Demand("", ResourceVector.of(1), 1);

  private final Map<String, ResourceVector> limits = new HashMap<>(Map.of("", ResourceVector.of(100)));
  private ResourceVector used = ResourceVector.of(0);
  private ResourceVector userLimit = ResourceVector.of(1000);
  private final DemandOutlook outlook = new DemandOutlook(this);

  @Override
  public ResourceVector limit(String partition) {
    return limits.get(partition);
  }

  @Override
  public ResourceVector used(String partition) {
    return used;
  }

  @Override
  public ResourceVector limitOf(String user, String partition) {
    return userLimit;
  }

  @Override
  public ResourceVector usedBy(String user, String partition) {
    return ResourceVector.zero(1);
  }

  private static List<Demand> executors(long size, long count) {
    return List.of(new Demand("", ResourceVector.of(size), count));
  }

  /** The number of applications of a line that start, each of which is expected to want so many. */
  private int admitted(int line, long size, long number) {
    int admitted = 0;
    while (admitted < line && outlook.hasRoom(DRIVER, executors(size, 1))) {
      outlook.claim("user", List.of(DRIVER));
      outlook.claim("user", executors(size, number));
      admitted++;
    }
    return admitted;
  }

  @Test
  void startsAreBoundedByWholeDemand() {
    assertThat(admitted(100, 2, 12)).as("of 25 each, for 125").isEqualTo(5);
  }

  @Test
  void applicationLargerThanTheQueueStartsInAnIdleQueue() {
    assertThat(admitted(100, 2, 1000)).isEqualTo(1);
  }

  @Test
  void usageAndClaimsOfOthersAreSubtracted() {
    used = ResourceVector.of(40);
    outlook.claim("user", executors(4, 10));
    assertThat(admitted(100, 2, 12)).as("45 of 125 are left").isEqualTo(2);
  }

  @Test
  void otherPartitionsAreSeparate() {
    limits.put("gpu", ResourceVector.of(10));
    outlook.claim("user", executors(1000, 1));
    Demand driver = new Demand("gpu", ResourceVector.of(1), 1);
    assertThat(outlook.hasRoom(DRIVER, executors(1, 1))).isFalse();
    assertThat(outlook.hasRoom(driver, List.of(new Demand("gpu", ResourceVector.of(9), 1)))).isTrue();
    assertThat(outlook.hasRoom(driver, executors(1, 1))).isFalse();
  }

  @Test
  void userClaimsNoMoreThanItsLimitAllows() {
    userLimit = ResourceVector.of(20);
    outlook.claim("greedy", executors(1, 1_000_000));
    assertThat(outlook.hasRoom(DRIVER, executors(99, 1))).isTrue();
    assertThat(outlook.hasRoom(DRIVER, executors(100, 1))).isFalse();
  }

  @Test
  void negativeCountsClaimNothing() {
    outlook.claim("user", executors(10, -5));
    assertThat(outlook.hasRoom(DRIVER, executors(124, 1))).isTrue();
    assertThat(outlook.hasRoom(DRIVER, executors(125, 1))).isFalse();
  }

  /** No application waits as long as all that start are expected to leave something of the queue unused. */
  @Property
  void queueIsNeverLeftIdle(@ForAll @IntRange(min = 1, max = 40) int line,
      @ForAll @IntRange(min = 1, max = 20) int size, @ForAll @IntRange(min = 1, max = 60) int number) {
    DemandOutlook fresh = new DemandOutlook(this);
    int admitted = 0;
    while (admitted < line && fresh.hasRoom(DRIVER, executors(size, 1))) {
      fresh.claim("user", List.of(DRIVER));
      fresh.claim("user", executors(size, number));
      admitted++;
    }
    assertThat(admitted == line || admitted * (1L + (long) size * number) > 125 - 1 - size).isTrue();
  }
}
