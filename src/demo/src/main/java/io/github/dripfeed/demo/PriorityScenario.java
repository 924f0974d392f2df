// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import io.github.dripfeed.demo.Findings.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An application uses the whole queue when an urgent one arrives, which reclaims what it needs. */
final class PriorityScenario implements Scenario {

  private static final int CONTAINER_MB = 256;
  private static final int CONTAINERS = 32;
  private static final int URGENT_EXECUTORS = 7;
  private static final Burst.Shape LONG =
      new Burst.Shape(1, CONTAINER_MB, 0, CONTAINERS - 1, CONTAINER_MB, 75);
  private static final Burst.Shape URGENT =
      new Burst.Shape(1, CONTAINER_MB, 0, URGENT_EXECUTORS, CONTAINER_MB, 8);
  private static final Duration LIMIT = Duration.ofSeconds(170);

  @Override
  public Findings run(Path folder, Screen screen) throws Exception {
    screen.say("A YARN cluster with room for " + CONTAINERS + " containers, all in one queue,\n"
        + "served by priority, with reclaim.");
    DemoCluster cluster = DemoCluster.start(DemoCluster.examples(), "priority",
        CONTAINERS * CONTAINER_MB, folder, Map.of());
    try (SteppedRun course = new SteppedRun("priority", "batch", cluster, screen)) {
      return run(course, screen);
    }
  }

  private Findings run(SteppedRun course, Screen screen) throws Exception {
    screen.say("");
    screen.say("App1 arrives with priority 0 and takes all; its executors work for "
        + LONG.workSeconds() + " s");
    course.submit("App1", 0, LONG);
    boolean full = course.runUntilHeld(List.of(CONTAINERS), Duration.ZERO, LIMIT);
    screen.say("");
    screen.say("App2 arrives with priority 5 and asks for " + URGENT_EXECUTORS + " executors");
    long from = System.nanoTime();
    course.submit("App2", 5, URGENT);
    int needed = URGENT_EXECUTORS + 1;
    boolean served = course.runUntilHeld(List.of(CONTAINERS - needed, needed), Duration.ZERO, LIMIT);
    long seconds = Duration.ofNanos(System.nanoTime() - from).toSeconds();
    boolean over = course.runToTheEnd(LIMIT);
    long taken = course.endedBefore(0, Duration.ofSeconds(LONG.workSeconds() - 2));
    boolean good = full && served && over && course.allSucceeded();
    course.end(good, good ? "The urgent application got what it asked for, and both succeeded."
        : "Not all went as it should have.");
    return new Findings("An urgent application gets its resources",
        "App1 has the whole queue, with executors that work for long, when App2 arrives.",
        List.of(course),
        List.of(new Row("App2 had all that it asked for after", List.of(seconds + " s")),
            new Row("containers taken from App1", List.of("" + taken))),
        List.of(
            new Expectation("App1 held the whole queue when App2 arrived", full),
            new Expectation("App2 got its AM and all its executors while App1 went on", served),
            new Expectation("exactly what App2 needed was taken from App1", taken == needed),
            new Expectation("no AM was preempted", course.drivers().equals(List.of(1L, 1L))),
            new Expectation("both succeeded", over && course.allSucceeded())));
  }
}
