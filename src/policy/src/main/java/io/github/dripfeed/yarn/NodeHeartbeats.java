// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import io.github.dripfeed.core.admission.StartingGroup;
import org.apache.hadoop.conf.Configuration;

/** How often nodes report, as the ResourceManager tells them (docs/design.md#nodes-may-report-rarely). */
public final class NodeHeartbeats {

  /** YARN's names; not every version has constants for all of them. */
  private static final String INTERVAL = "yarn.resourcemanager.nodemanagers.heartbeat-interval-";

  private NodeHeartbeats() {
  }

  /**
   * The longest time between two heartbeats of a node, in milliseconds.
   *
   * @param conf the configuration of the ResourceManager; null if it is not known
   */
  public static long longestInterval(Configuration conf) {
    if (conf == null) {
      return StartingGroup.DEFAULT_HEARTBEAT;
    }
    long usual = conf.getLong(INTERVAL + "ms", StartingGroup.DEFAULT_HEARTBEAT);
    boolean isScaled = conf.getBoolean(INTERVAL + "scaling-enable", false);
    return isScaled
        ? Math.max(usual, conf.getLong(INTERVAL + "max-ms", StartingGroup.DEFAULT_HEARTBEAT)) : usual;
  }
}
