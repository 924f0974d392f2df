// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** How much memory a queue, and a container in it, may have, in MB; not a number if it is unknown. */
final class QueueSizes {

  private static final Pattern MEMORY = Pattern.compile("[\\[,]\\s*memory\\s*=([^=,\\]]+)");

  /** The size of the smallest container. */
  final int leastContainerMb;
  private final SchedulerFiles files;
  private final double clusterMb;
  private final Map<String, Double> weights = new HashMap<>();

  /** @param clusterMb the memory of all nodes */
  QueueSizes(SchedulerFiles files, double clusterMb) {
    this.files = files;
    this.clusterMb = clusterMb;
    leastContainerMb = (int) Math.max(1, SchedulerFiles.number(
        files.get(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB),
        YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_MB));
  }

  /** The guaranteed memory of the queue. */
  double guaranteedMb(String path) {
    if (!path.contains(".")) {
      return ofRoot(path);
    }
    String above = SchedulerFiles.parentOf(path);
    double weight = weight(path);
    return weight > 0 ? guaranteedMb(above) * weight
            / Math.max(weight, weights.computeIfAbsent(above, this::weightBelow))
        : share(capacity(path), guaranteedMb(above));
  }

  /** The most memory that the queue may have. */
  private double maximumMb(String path) {
    if (!path.contains(".")) {
      return ofRoot(path);
    }
    String maximum = files.own(path, "maximum-capacity");
    double parent = maximumMb(SchedulerFiles.parentOf(path));
    return maximum == null || maximum.startsWith("-") ? parent : share(maximum, parent);
  }

  private double ofRoot(String path) {
    return path.equals(SchedulerFiles.ROOT) ? clusterMb : Double.NaN;
  }

  /** The memory of a capacity such as {@code 40} or {@code [memory=4096,vcores=4]}. */
  private static double share(String capacity, double parentMb) {
    Matcher memory = MEMORY.matcher(capacity);
    return !capacity.startsWith("[") ? parentMb * SchedulerFiles.number(capacity, Double.NaN) / 100
        : memory.find() ? SchedulerFiles.number(memory.group(1).trim(), Double.NaN) : Double.NaN;
  }

  private double weightBelow(String path) {
    return files.children(path).stream()
        .mapToDouble(child -> Math.max(0, weight(path + "." + child))).sum();
  }

  /** The weight, such as 2 in {@code 2w}; -1 if the capacity is none. */
  private double weight(String path) {
    String capacity = capacity(path);
    return capacity.endsWith("w")
        ? SchedulerFiles.number(capacity.substring(0, capacity.length() - 1), -1) : -1;
  }

  private String capacity(String path) {
    return Objects.toString(files.own(path, "capacity"), "");
  }

  /**
   * Why a limit on drivers of 1.0 allows too few: fewer than YARN's default of all that the queue, or one
   * user, may have, since YARN takes it of the guarantee, or of the user's part of that. Empty if they are
   * enough, or the sizes are unknown.
   */
  String fewDrivers(String path) {
    double most = maximumMb(path);
    double guaranteed = guaranteedMb(path);
    double factor = SchedulerFiles.number(files.get(path, "user-limit-factor"), 1);
    double percent = SchedulerFiles.number(files.get(path, "minimum-user-limit-percent"), 100);
    String few = SchedulerFiles.isTemplate(path)
        ? "YARN counts from the guaranteed capacity, which may be small in a queue that YARN creates"
        : few("the guaranteed capacity", guaranteed, "the maximum capacity", most);
    return !few.isEmpty() || factor < 0 ? few : few("a user's part of the guaranteed capacity",
        percent / 100 * factor * guaranteed, "what a user may have", Math.min(factor * guaranteed, most));
  }

  private String few(String part, double ofMb, String all, double mostMb) {
    // One always starts, and YARN rounds up.
    long few = Math.max(1, (long) Math.ceil(ofMb / leastContainerMb));
    long enough = (long) Math.ceil(CheckCommand.YARNS_AM_LIMIT * mostMb / leastContainerMb);
    return !(ofMb >= 0) || few >= enough ? "" : "1.0 allows " + few + " AMs of the smallest size ("
        + leastContainerMb + " MB), because YARN counts from " + part + ". 0.1 of " + all + " would be "
        + enough;
  }
}
