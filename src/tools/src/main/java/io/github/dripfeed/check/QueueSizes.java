// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** How much memory a queue, and a container in it, may have. */
final class QueueSizes {

  private static final Pattern DECIMAL = Pattern.compile("\\d+(\\.\\d+)?");
  private static final Pattern WEIGHT = Pattern.compile("\\d+(\\.\\d+)?w");

  private final SchedulerFiles files;
  private final double clusterMb;
  private final Map<String, Double> weights = new HashMap<>();

  /** @param clusterMb the memory of all nodes, or -1 if it is unknown */
  QueueSizes(SchedulerFiles files, double clusterMb) {
    this.files = files;
    this.clusterMb = clusterMb;
  }

  /** The guaranteed memory of the queue in MB, or -1 if it cannot be determined from the files. */
  double guaranteedMb(String path) {
    if (isTop(path)) {
      return path.isEmpty() ? -1 : clusterMb;
    }
    String above = SchedulerFiles.parentOf(path);
    double parent = guaranteedMb(above);
    double weight = weight(path);
    return parent >= 0 && weight > 0
        ? parent * weight / Math.max(weight, weights.computeIfAbsent(above, this::weightBelow))
        : share(capacity(path), parent);
  }

  /** The path is empty above what is not below the root. */
  private static boolean isTop(String path) {
    return path.isEmpty() || path.equals(SchedulerFiles.ROOT);
  }

  /** The memory of a capacity such as {@code 40} or {@code [memory=4096,vcores=4]}; -1 if it is unknown. */
  private static double share(String capacity, double parentMb) {
    if (capacity.startsWith("[")) {
      String memory = amount(capacity.substring(1).replace("]", ""), "memory");
      return memory != null && memory.matches("\\d+") ? Double.parseDouble(memory) : -1;
    }
    return parentMb < 0 || !DECIMAL.matcher(capacity).matches() ? -1
        : parentMb * Double.parseDouble(capacity) / 100;
  }

  /** The most memory that the queue may have, in MB, or -1 if it cannot be determined from the files. */
  double maximumMb(String path) {
    if (isTop(path)) {
      return path.isEmpty() ? -1 : clusterMb;
    }
    String maximum = files.own(path, "maximum-capacity");
    double parent = maximumMb(SchedulerFiles.parentOf(path));
    return maximum == null || maximum.startsWith("-") ? parent : share(maximum, parent);
  }

  private double weightBelow(String path) {
    return files.children(path).stream()
        .mapToDouble(child -> Math.max(0, weight(path + "." + child))).sum();
  }

  /** The weight, such as 2 in {@code 2w}; -1 if the capacity is none. */
  private double weight(String path) {
    String capacity = capacity(path);
    return WEIGHT.matcher(capacity).matches()
        ? Double.parseDouble(capacity.substring(0, capacity.length() - 1)) : -1;
  }

  private String capacity(String path) {
    String capacity = files.own(path, "capacity");
    return capacity == null ? "" : capacity;
  }

  /** The size of the smallest container, in MB. */
  int leastContainerMb() {
    String least = files.get(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB,
        YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_MB);
    return least.matches("[1-9]\\d{0,8}")
        ? Integer.parseInt(least) : YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_MB;
  }

  /** The largest container that the queue allows, in MB; null if only the cluster bounds it. */
  String largestContainerMb(String path) {
    for (String level = path; !level.isEmpty(); level = SchedulerFiles.parentOf(level)) {
      String amounts = files.own(level, "maximum-allocation");
      String memory = amounts == null || amounts.isEmpty() ? files.own(level, "maximum-allocation-mb")
          : amount(amounts, "memory-mb");
      if (memory != null) {
        return memory;
      }
    }
    return null;
  }

  /** The amount in a list such as {@code memory-mb=2048,vcores=2}; null if it is not in it. */
  private static String amount(String amounts, String type) {
    for (String part : amounts.split(",")) {
      String[] amount = part.trim().split("=");
      if (amount.length == 2 && amount[0].trim().equals(type)) {
        return amount[1].trim();
      }
    }
    return null;
  }
}
