// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;

/**
 * The state of a queue's burst in the ResourceManager at one moment.
 *
 * @param atMillis since the epoch
 * @param usedMb the memory that the queue's containers hold
 * @param capacityMb the maximum memory of the queue
 * @param askedMb the memory of the outstanding requests of the queue
 */
record Sample(long atMillis, List<App> apps, long usedMb, long capacityMb, long askedMb) {

  /** One application. */
  record App(String name, RMAppState state, boolean succeeded, long submittedAt, long finishedAt,
      List<Live> live) {
  }

  /** A live container. */
  record Live(String id, boolean driver, long createdAt) {
  }
}
