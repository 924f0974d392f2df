// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import io.github.dripfeed.config.PolicyProperty;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;

/** The queue under study, or the queues of users, and the scheduler's configuration around them. */
final class QueueSetup implements Serializable {

  private static final int SMALLEST_MB = 256;
  private static final String BATCH = "root.batch";
  private static final String TENANTS = "root.tenants";
  /** Of a queue: its order, and its limits on applications. */
  private static final Pattern REPLACED = Pattern.compile("ordering-policy(\\..*)?|"
      + SchedulerVariants.AM_PERCENT + "|" + SchedulerVariants.MAX_PARALLEL);
  private static final Pattern NOT_REPLAYED = Pattern.compile(
      "^" + Pattern.quote(CapacitySchedulerConfiguration.PREFIX) + "(queue-mappings|mapping-rule)"
          + "|\\.accessible-node-labels(\\.|$)|\\.default-node-label-expression$");
  private static final Pattern ORDER = Pattern.compile(
      Pattern.quote(CapacitySchedulerConfiguration.PREFIX) + "(root\\..+?)\\.ordering-policy(\\..*)?");
  private static final List<PolicyProperty> TIMEOUTS = List.of(PolicyProperty.STARTING_TIMEOUT,
      PolicyProperty.ACCEPTED_TIMEOUT, PolicyProperty.IDLE_TIMEOUT, PolicyProperty.TAKE_BACK_AFTER);

  private final HashMap<String, String> scheduler = new HashMap<>();
  private final String path;
  /** The users that have a queue below {@link #path}; empty if that is a leaf queue. */
  private final List<String> users;

  /**
   * @param scheduler its {@code capacity-scheduler.xml}, possibly with further properties
   * @param path of the queue, from {@code root}
   */
  QueueSetup(Configuration scheduler, String path) {
    this(scheduler, path, List.of());
  }

  private QueueSetup(Configuration scheduler, String path, List<String> users) {
    scheduler.forEach(set -> this.scheduler.put(set.getKey(), set.getValue()));
    this.path = path;
    this.users = users;
  }

  /** A queue that has the whole cluster, with YARN's defaults. */
  static QueueSetup wholeCluster() {
    CapacitySchedulerConfiguration scheduler =
        new CapacitySchedulerConfiguration(new Configuration(false), false);
    scheduler.set(CapacitySchedulerConfiguration.PREFIX + "root.queues", "batch");
    scheduler.set(CapacitySchedulerConfiguration.PREFIX + BATCH + ".capacity", "100");
    return new QueueSetup(scheduler, BATCH);
  }

  /**
   * The same queues with a limit on the size of containers.
   *
   * @param mb the largest container, in MB
   */
  QueueSetup withLargestContainer(int mb) {
    QueueSetup same = copy();
    same.scheduler.put(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, String.valueOf(mb));
    return same;
  }

  /** With access to the label of such nodes, and to their virtual cores if these count. */
  QueueSetup on(Workload.Nodes nodes) {
    QueueSetup same = copy();
    if (nodes.vcores() > 0) {
      same.scheduler.put(CapacitySchedulerConfiguration.RESOURCE_CALCULATOR_CLASS,
          DominantResourceCalculator.class.getName());
      same.scheduler.put(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES,
          String.valueOf(nodes.vcores()));
    }
    if (nodes.label().nodes() > 0) {
      for (String queue : new String[] {"root", path}) {
        String labels = CapacitySchedulerConfiguration.PREFIX + queue + ".accessible-node-labels";
        same.scheduler.put(labels, nodes.label().name());
        same.scheduler.put(labels + "." + nodes.label().name() + ".capacity", "100");
      }
    }
    return same;
  }

  private QueueSetup copy() {
    QueueSetup same = new QueueSetup(new Configuration(false), path, users);
    same.scheduler.putAll(scheduler);
    return same;
  }

  /** A queue for each user. They have equal shares of the cluster, and may use all of it. */
  static QueueSetup ofUsers(List<String> users) {
    CapacitySchedulerConfiguration scheduler =
        new CapacitySchedulerConfiguration(new Configuration(false), false);
    String tenants = CapacitySchedulerConfiguration.PREFIX + TENANTS;
    scheduler.set(CapacitySchedulerConfiguration.PREFIX + "root.queues", "tenants");
    scheduler.set(tenants + ".capacity", "100");
    scheduler.set(tenants + ".queues", String.join(",", users));
    for (String user : users) {
      scheduler.set(tenants + "." + user + ".capacity", String.valueOf(100.0 / users.size()));
      scheduler.set(tenants + "." + user + ".user-limit-factor", String.valueOf(users.size()));
    }
    return new QueueSetup(scheduler, TENANTS, users);
  }

  /**
   * The same on a large cluster, whose nodes have fewer heartbeats and may get more at each.
   *
   * @param applications that every queue takes, whatever its share
   */
  QueueSetup onLargeCluster(int applications, int heartbeatSeconds) {
    QueueSetup same = copy();
    same.scheduler.put(
        YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, String.valueOf(1000 * heartbeatSeconds));
    same.scheduler.put(CapacitySchedulerConfiguration.OFFSWITCH_PER_HEARTBEAT_LIMIT,
        String.valueOf(heartbeatSeconds));
    for (String leaf : leaves()) {
      same.scheduler.put(CapacitySchedulerConfiguration.PREFIX + leaf + ".maximum-applications",
          String.valueOf(applications));
    }
    return same;
  }

  /**
   * A queue of an existing scheduler configuration. Applications are submitted to this queue, so the rules
   * of the file that choose one are left out; so are node labels, which no node has here, and the order of
   * other leaf queues.
   *
   * @throws IOException if the file cannot be read or has no such leaf queue
   */
  static QueueSetup of(Path file, String path) throws IOException {
    // It logs what it throws.
    LogManager.getLogger(Configuration.class).setLevel(Level.OFF);
    CapacitySchedulerConfiguration scheduler =
        new CapacitySchedulerConfiguration(new Configuration(false), false);
    try (InputStream in = Files.newInputStream(file)) {
      scheduler.addResource(in, file.toString());
      Optional<String> missing = missing(scheduler, path);
      if (missing.isPresent()) {
        throw new IOException(file + " has no queue " + missing.get());
      }
      if (!children(scheduler, path).isEmpty() || createsQueues(scheduler, path)) {
        throw new IOException(
            path + " is a parent queue in " + file + "; allowed is a queue without queues below it");
      }
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": there is no such file", e);
    } catch (RuntimeException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
    QueueSetup setup = new QueueSetup(scheduler, path);
    setup.scheduler.keySet().removeIf(
        name -> NOT_REPLAYED.matcher(name).find() || isOrderOfOtherLeaf(scheduler, path, name));
    return setup;
  }

  /** Other queues stay empty; the classes of their orders may be in the jars of a ResourceManager alone. */
  private static boolean isOrderOfOtherLeaf(Configuration scheduler, String path, String name) {
    Matcher order = ORDER.matcher(name);
    return order.matches() && !order.group(1).equals(path) && children(scheduler, order.group(1)).isEmpty();
  }

  /** The first queue on the way that is not among the children of its parent. */
  private static Optional<String> missing(Configuration scheduler, String path) {
    String[] names = path.split("\\.", -1);
    String queue = names[0];
    if (names.length == 1) {
      return Optional.of(path);
    }
    for (int i = 1; i < names.length; i++) {
      String child = queue + "." + names[i];
      if (!children(scheduler, queue).contains(names[i])) {
        return Optional.of(child);
      }
      queue = child;
    }
    return Optional.empty();
  }

  private static List<String> children(Configuration scheduler, String queue) {
    return Arrays.asList(
        scheduler.getTrimmedStrings(CapacitySchedulerConfiguration.PREFIX + queue + ".queues"));
  }

  private static boolean createsQueues(Configuration scheduler, String queue) {
    return Stream.of(".auto-create-child-queue.enabled", ".auto-queue-creation-v2.enabled").anyMatch(
        name -> scheduler.getBoolean(CapacitySchedulerConfiguration.PREFIX + queue + name, false));
  }

  /** The path of the queue to which the user submits. */
  String pathOf(String user) {
    return users.isEmpty() ? path : path + "." + user;
  }

  private List<String> leaves() {
    return users.isEmpty() ? List.of(path) : users.stream().map(this::pathOf).toList();
  }

  /**
   * All properties. The variant's ordering and limits on applications replace the queue's own, also where
   * it has none; a variant without any leaves the queue as it is.
   */
  Configuration with(SchedulerVariant setting) {
    Configuration conf = new YarnConfiguration();
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, SMALLEST_MB);
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, Integer.MAX_VALUE / 2);
    conf.setInt(YarnConfiguration.MAX_CLUSTER_LEVEL_APPLICATION_PRIORITY, 10);
    scheduler.forEach((name, value) -> {
      if (setting.queue().isEmpty() || leaves().stream().noneMatch(leaf -> isReplaced(leaf, name))) {
        conf.set(name, value);
      }
    });
    leaves().forEach(leaf -> set(leaf, setting.queue(), conf));
    set(path, setting.parent(), conf);
    return conf;
  }

  private static boolean isReplaced(String queue, String name) {
    String prefix = CapacitySchedulerConfiguration.PREFIX + queue + ".";
    return name.startsWith(prefix) && REPLACED.matcher(name.substring(prefix.length())).matches();
  }

  /** The longest time limit of the queues, in milliseconds: what Dripfeed may wait for by itself. */
  long longestTimeoutMillis(Configuration properties) {
    return leaves().stream().flatMap(leaf -> TIMEOUTS.stream().map(timeout ->
        properties.getTimeDuration(CapacitySchedulerConfiguration.PREFIX + leaf + ".ordering-policy."
            + PolicyProperty.PREFIX + timeout.key(), timeout.defaultValue(), TimeUnit.MILLISECONDS)))
        .max(Comparator.naturalOrder()).orElseThrow();
  }

  private static void set(String queue, Map<String, String> properties, Configuration conf) {
    properties.forEach((name, value) ->
        conf.set(CapacitySchedulerConfiguration.PREFIX + queue + "." + name, value));
  }
}
