// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import io.github.dripfeed.demo.Findings.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The same burst of Spark-like applications in a stock queue and in a state-aware queue. */
final class DeadlockScenario implements Scenario {

  /** Eight drivers of 512 MB fill a queue of 4 GB. */
  private static final Burst.Shape SHAPE = new Burst.Shape(8, 512, 5, 2, 512, 4);

  /** What the demos of single steps change is as everywhere. */
  private static final Map<String, String> RECOMMENDED = Map.of(
      DemoCluster.DRIPFED + "ordering-policy.state-aware.max-starting", "auto",
      DemoCluster.DRIPFED + "ordering-policy.state-aware.take-back", "on",
      DemoCluster.DRIPFED + "maximum-am-resource-percent", "1.0",
      YarnConfiguration.RM_AM_MAX_ATTEMPTS, "2");

  @Override
  public Findings run(Path folder, Screen screen) throws Exception {
    screen.say("A YARN cluster of " + DemoCluster.MEMORY_MB + " MB: half for a queue with stock"
        + " fifo,\nhalf for one with Dripfeed.");
    DemoCluster cluster = DemoCluster.start(DemoCluster.examples(), folder, 1, RECOMMENDED);
    BurstRun stock = new BurstRun("stock fifo", "stock");
    BurstRun dripfed = new BurstRun("Dripfeed, max-starting = auto", "dripfed");
    for (BurstRun half : List.of(stock, dripfed)) {
      screen.say("");
      screen.say(half.title() + ": " + SHAPE.applications() + " applications at once in "
          + half.queue() + ",\neach with a driver of " + SHAPE.driverMb() + " MB and "
          + SHAPE.executors() + " executors of " + SHAPE.executorMb() + " MB");
      half.run(cluster, SHAPE, screen);
    }
    return compare(stock, dripfed);
  }

  static Findings compare(BurstRun stock, BurstRun dripfed) {
    return compare("Once in a queue with stock ordering, once in a queue of the same size under Dripfeed.",
        stock, dripfed);
  }

  /** @param introduction what the two runs are */
  static Findings compare(
      String introduction, BurstRun stock, BurstRun dripfed, Expectation... more) {
    Outcome a = stock.outcome();
    Outcome b = dripfed.outcome();
    List<Expectation> claims =
        new ArrayList<>(Expectation.of(stock.title(), a, dripfed.title(), b));
    claims.addAll(List.of(more));
    return new Findings("The same burst, twice",
        introduction + " The time axis is the same in both.",
        List.of(stock, dripfed), List.of(
            row("applications succeeded", of(a.succeeded(), a), of(b.succeeded(), b)),
            row("drivers live at once, at most", "" + a.mostDriversAtOnce(),
                "" + b.mostDriversAtOnce()),
            row("starting at once, at most", "" + a.mostStarting(), "" + b.mostStarting()),
            row("executors allocated", "" + a.executors(), "" + b.executors()),
            row("first executor after", seconds(a.firstExecutorMillis()),
                seconds(b.firstExecutorMillis())),
            row("all finished after", seconds(a.makespanMillis()), seconds(b.makespanMillis()))),
        claims);
  }

  private static Row row(String what, String stock, String dripfed) {
    return new Row(what, List.of(stock, dripfed));
  }

  private static String of(int count, Outcome outcome) {
    return count + " of " + outcome.applications();
  }

  private static String seconds(OptionalLong millis) {
    return millis.isPresent() ? String.format("%.1f s", millis.getAsLong() / 1000.0) : "never";
  }
}
