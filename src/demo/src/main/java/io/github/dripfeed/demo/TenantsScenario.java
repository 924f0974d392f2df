// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import io.github.dripfeed.StateAwareOrderingPolicy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * The same burst over the queues of eight users, one application in each: once each queue counts its own
 * starting applications, and once the queues form a group.
 */
final class TenantsScenario implements Scenario {

  /** Eight drivers of 512 MB fill a parent queue of 4 GB. */
  private static final Burst.Shape SHAPE = new Burst.Shape(8, 512, 5, 2, 512, 4);
  private static final String ALONE = "root.alone";
  private static final String GROUP = "root.group";

  @Override
  public Findings run(Path folder, Screen screen) throws Exception {
    screen.say("A YARN cluster of " + DemoCluster.MEMORY_MB + " MB, and twice " + SHAPE.applications()
        + " queues with Dripfeed, which\nshare half of it each: once without and once with a"
        + " starting-group.");
    DemoCluster cluster = DemoCluster.start(DemoCluster.examples(), folder, 1, queues());
    BurstRun alone = new BurstRun("each alone", ALONE, leaves(ALONE));
    BurstRun group = new BurstRun("a group", GROUP, leaves(GROUP));
    for (BurstRun half : List.of(alone, group)) {
      screen.say("");
      screen.say(half.title() + ": " + SHAPE.applications() + " applications at once, one in each queue"
          + " below " + half.queue() + ",\neach with an AM of " + SHAPE.driverMb() + " MB and "
          + SHAPE.executors() + " executors of " + SHAPE.executorMb() + " MB");
      half.run(cluster, SHAPE, screen);
    }
    return DeadlockScenario.compare("Over eight queues, one application in each. Once each queue starts an"
        + " application at a time, once the queues name the same starting-group.", List.of(
            new Expectation(group.title() + ": never more than one application was starting",
                group.outcome().applications() > 0 && group.outcome().mostStarting() == 1)), alone, group);
  }

  private static List<String> leaves(String parent) {
    return IntStream.rangeClosed(1, SHAPE.applications()).mapToObj(user -> parent + ".u" + user).toList();
  }

  private static Map<String, String> queues() {
    Map<String, String> properties = new HashMap<>();
    set("root", "queues", "alone,group", properties);
    for (String parent : List.of(ALONE, GROUP)) {
      set(parent, "capacity", "50", properties);
      set(parent, "maximum-capacity", "50", properties);
      set(parent, "queues", String.join(",",
          leaves(parent).stream().map(leaf -> leaf.substring(parent.length() + 1)).toList()), properties);
      for (String leaf : leaves(parent)) {
        set(leaf, "capacity", String.valueOf(100.0 / SHAPE.applications()), properties);
        set(leaf, "user-limit-factor", "100", properties);
        set(leaf, "maximum-am-resource-percent", "100", properties);
        set(leaf, "ordering-policy", StateAwareOrderingPolicy.class.getName(), properties);
        if (parent.equals(GROUP)) {
          set(leaf, "ordering-policy.state-aware.starting-group", "tenants", properties);
        }
      }
    }
    return properties;
  }

  private static void set(String queue, String name, String value, Map<String, String> properties) {
    properties.put(CapacitySchedulerConfiguration.PREFIX + queue + "." + name, value);
  }
}
