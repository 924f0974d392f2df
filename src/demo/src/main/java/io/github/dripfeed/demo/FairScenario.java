// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import io.github.dripfeed.demo.Findings.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Three applications with the priorities 0, 1 and 3, each of which wants more than the whole queue. They
 * arrive one after the other and reclaim their shares from each other.
 */
final class FairScenario implements Scenario {

  private static final int CONTAINER_MB = 256;
  private static final int CONTAINERS = 21;
  private static final Burst.Shape GREEDY =
      new Burst.Shape(1, CONTAINER_MB, 0, 2 * CONTAINERS, CONTAINER_MB, 3600);
  private static final Duration STABLE = Duration.ofSeconds(5);
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int[] PRIORITIES = {0, 1, 3};
  private static final List<String> WHO =
      List.of("priority 0 holds", "priorities 0 and 1 hold", "priorities 0, 1 and 3 hold");
  private static final List<List<Integer>> SHARES =
      List.of(List.of(21), List.of(7, 14), List.of(3, 6, 12));

  @Override
  public Findings run(Path folder, Screen screen) throws Exception {
    screen.say("A YARN cluster with room for " + CONTAINERS + " containers, all in one queue,\n"
        + "shared fairly by weight, with reclaim. Each application wants twice that much.");
    DemoCluster cluster = DemoCluster.start(DemoCluster.examples(), "fair",
        CONTAINERS * CONTAINER_MB, folder, Map.of());
    try (SteppedRun course = new SteppedRun("fair shares", "batch", cluster, screen)) {
      return run(course, screen);
    }
  }

  private Findings run(SteppedRun course, Screen screen) throws Exception {
    List<Row> rows = new ArrayList<>();
    List<Expectation> claims = new ArrayList<>();
    for (int i = 0; i < PRIORITIES.length; i++) {
      String name = "App" + (i + 1);
      screen.say("");
      screen.say(name + " arrives with priority " + PRIORITIES[i] + ", which is weight "
          + (PRIORITIES[i] + 1));
      long from = System.nanoTime();
      course.submit(name, PRIORITIES[i], GREEDY);
      boolean reached = course.runUntilHeld(SHARES.get(i), STABLE, LIMIT);
      Duration took = Duration.ofNanos(System.nanoTime() - from).minus(STABLE);
      rows.add(new Row("containers with " + (i + 1) + " application" + (i == 0 ? "" : "s")
          + ", after " + Math.max(0, took.toSeconds()) + " s", List.of(course.heldInWords())));
      claims.add(new Expectation(
          WHO.get(i) + " " + SHARES.get(i) + " containers, and go on so", reached));
    }
    screen.say("");
    screen.say("App3 is killed");
    course.kill(2);
    claims.add(new Expectation("what it held goes to the others: [7, 14]",
        course.runUntilHeld(List.of(7, 14, 0), STABLE, LIMIT)));
    claims.add(new Expectation("no AM was preempted", course.drivers().equals(List.of(1L, 1L, 1L))));
    boolean good = claims.stream().allMatch(Expectation::observed);
    course.end(good, good ? "Every application came to its share, and kept it."
        : "Not every application came to its share.");
    return new Findings("Three applications share a queue as 1:2:4",
        "They arrive one after the other; each asks for more than there is.", List.of(course), rows,
        claims);
  }
}
