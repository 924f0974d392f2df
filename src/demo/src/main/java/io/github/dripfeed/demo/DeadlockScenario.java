// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.demo.Findings.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * The same burst of Spark-like applications in a stock queue, in one that starts one application at a time,
 * and in one that starts as many as it has room for.
 */
final class DeadlockScenario implements Scenario {

  /** Eight drivers of 512 MB fill a queue of 4 GB. */
  private static final Burst.Shape SHAPE = new Burst.Shape(8, 512, 5, 2, 512, 4);
  /** Four queues of 4 GB, of which three are used. */
  private static final String MEMORY_MB = "16384";

  @Override
  public Findings run(Path folder, Screen screen) throws Exception {
    screen.say("Three queues of the same size: stock fifo with an AM limit of 1.0, Dripfeed with\none"
        + " application starting at a time, and Dripfeed with max-starting = auto.");
    DemoCluster cluster = DemoCluster.start(DemoCluster.examples(), folder, 1, queues());
    BurstRun[] runs = {new BurstRun("stock fifo", "stock"), new BurstRun("one at a time", "single"),
        new BurstRun("auto", "dripfed")};
    for (BurstRun run : runs) {
      screen.say("");
      screen.say(run.title() + ": " + SHAPE.applications() + " applications at once in "
          + run.queue() + ",\neach with an AM of " + SHAPE.driverMb() + " MB and "
          + SHAPE.executors() + " executors of " + SHAPE.executorMb() + " MB");
      run.run(cluster, SHAPE, screen);
    }
    return compare("In a queue with stock ordering and an AM limit of 1.0, in one under Dripfeed that"
        + " starts one application at a time, and in one with max-starting = auto.", List.of(), runs);
  }

  private static Map<String, String> queues() {
    Map<String, String> properties = new HashMap<>();
    properties.put(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, MEMORY_MB);
    // With one attempt no application could be taken back.
    properties.put(YarnConfiguration.RM_AM_MAX_ATTEMPTS, "2");
    set("queues", "stock,single,dripfed,spare", properties);
    for (String queue : List.of("stock", "single", "dripfed", "spare")) {
      set(queue + ".capacity", "25", properties);
      set(queue + ".maximum-capacity", "25", properties);
      set(queue + ".maximum-am-resource-percent", "1.0", properties);
    }
    set("single.ordering-policy", StateAwareOrderingPolicy.class.getName(), properties);
    set("dripfed.ordering-policy.state-aware.max-starting", "auto", properties);
    set("dripfed.ordering-policy.state-aware.take-back", "on", properties);
    return properties;
  }

  private static void set(String name, String value, Map<String, String> properties) {
    properties.put(CapacitySchedulerConfiguration.PREFIX + "root." + name, value);
  }

  /**
   * Expects a deadlock of the first run, and of the others that they end.
   *
   * @param introduction what the runs are
   */
  static Findings compare(String introduction, List<Expectation> more, BurstRun... runs) {
    List<Expectation> claims = new ArrayList<>(Expectation.of(List.of(runs)));
    claims.addAll(more);
    return new Findings("The same burst", introduction + " The time axis is the same in all.",
        List.of(runs), List.of(
            row("applications succeeded", runs, run -> of(run.succeeded(), run)),
            row("AMs live at once, at most", runs, run -> "" + run.mostDriversAtOnce()),
            row("starting at once, at most", runs, run -> "" + run.mostStarting()),
            row("executors allocated", runs, run -> "" + run.executors()),
            row("first executor after", runs, run -> seconds(run.firstExecutorMillis())),
            row("all finished after", runs, run -> seconds(run.makespanMillis()))),
        claims);
  }

  private static Row row(String what, BurstRun[] runs, Function<Outcome, String> figure) {
    return new Row(what, Stream.of(runs).map(BurstRun::outcome).map(figure).toList());
  }

  private static String of(int count, Outcome outcome) {
    return count + " of " + outcome.applications();
  }

  private static String seconds(OptionalLong millis) {
    return millis.isPresent() ? String.format("%.1f s", millis.getAsLong() / 1000.0) : "never";
  }
}
