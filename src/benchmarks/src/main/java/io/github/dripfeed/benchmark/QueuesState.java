// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.fixture.Submission;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.simulator.VirtualResourceManager;
import io.github.dripfeed.simulator.VirtualTime;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** The real Capacity Scheduler with many queues in which nothing happens: an application runs in each. */
@org.openjdk.jmh.annotations.State(Scope.Benchmark)
public class QueuesState {

  private static final String PREFIX = "yarn.scheduler.capacity.root.";
  private static final int DRIVER_MEMORY = 1024;
  private static final long UNTIL_ALL_RUN = 600_000;
  /**
   * The default of monitor-interval, in milliseconds: what is shown of a queue is refreshed in every fifth.
   */
  private static final long BETWEEN_ROUNDS = 1000;

  @Param({"500", "2000"})
  public int queues;

  private VirtualTime time;
  private VirtualResourceManager rm;

  @Setup(Level.Trial)
  public void setUp() throws Exception {
    time = new VirtualTime();
    YarnConfiguration conf = new YarnConfiguration();
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < queues; i++) {
      names.append(i == 0 ? "" : ",").append('q').append(i);
      conf.set(PREFIX + "q" + i + ".capacity", String.valueOf(100.0 / queues));
      conf.set(PREFIX + "q" + i + ".maximum-capacity", "100");
      conf.set(PREFIX + "q" + i + ".maximum-am-resource-percent", "1.0");
      conf.set(PREFIX + "q" + i + ".ordering-policy", StateAwareOrderingPolicy.class.getName());
    }
    conf.set(PREFIX + "queues", names.toString());
    rm = new VirtualResourceManager(conf, attempt -> { }, event -> { });
    MockNM node = rm.registerNode("127.0.0.1:1234", 2 * queues * DRIVER_MEMORY);
    rm.drain();
    for (int i = 0; i < queues; i++) {
      new Submission("app" + i, "root.q" + i, DRIVER_MEMORY).submit(rm);
      rm.drain();
      rm.scheduler().handle(new NodeUpdateSchedulerEvent(
          rm.getRMContext().getRMNodes().get(node.getNodeId())));
      rm.drain();
    }
    time.setMillis(UNTIL_ALL_RUN);
    time.runMonitor();
    checkThatAllRun();
    System.gc();
  }

  /** A benchmark of something else than it says would go unnoticed. */
  private void checkThatAllRun() {
    for (int i = 0; i < queues; i++) {
      Map<State, Integer> counts =
          StateAwareQueue.of(Submission.queue(rm.scheduler(), "root.q" + i)).report().counts;
      if (counts.get(State.RUNNING) != 1) {
        throw new IllegalStateException("q" + i + ": " + counts);
      }
    }
    if (DripfeedRuntime.current().metrics().size() != queues) {
      throw new IllegalStateException("Shown are " + DripfeedRuntime.current().metrics().size());
    }
  }

  /** The monitor looks at all queues. */
  long round() {
    time.setMillis(time.millis() + BETWEEN_ROUNDS);
    time.runMonitor();
    return time.millis();
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    rm.stop();
    time.close();
  }
}
