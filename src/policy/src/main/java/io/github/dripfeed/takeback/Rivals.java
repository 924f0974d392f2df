// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.takeback;

import io.github.dripfeed.core.cluster.Container;
import io.github.dripfeed.core.cluster.PreemptionSearch;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.snapshot.AttemptSnapshot;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.ServingOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The requests of applications that do not block each other, and that come first on nodes of one partition:
 * they may get the room of a driver that is taken back.
 */
final class Rivals {

  private final ClusterSnapshot cluster;
  private final String partition;
  private final PreemptionSearch search;
  /** The attempts that block each other. */
  private final Set<Object> blocked;
  private final long now;
  /** By leaf queue, and by the partition for which they are. */
  private final Map<List<String>, Collection<Container>> byLeaf = new HashMap<>();

  Rivals(ClusterSnapshot cluster, String partition, PreemptionSearch search, Set<Object> blocked,
      long now) {
    this.cluster = cluster;
    this.partition = partition;
    this.search = search;
    this.blocked = blocked;
    this.now = now;
  }

  /**
   * Whether a request of a queue that YARN serves before this one gets the room. Requests of queues that
   * YARN serves later do not matter, unless they are for this partition and the gainer's is not: YARN lends
   * what those leave.
   *
   * @param losses the drivers that are taken back for it, one after the other
   */
  boolean getRoomOf(AttemptSnapshot<?> gainer, List<Container> losses) {
    String requested = gainer.requestedPartition();
    boolean[] found = new boolean[1];
    if (!requested.equals(partition)) {
      QueueCompat.visitLeaves(cluster.scheduler.getRootQueue(),
          leaf -> found[0] = found[0] || isAnyPlaceable(leaf, partition, losses));
    }
    return found[0] || new ServingOrder(cluster.scheduler).isAnyBefore(gainer.yarnQueue, partition,
        queue -> losses.isEmpty() || !losses.get(0).isBelow(cluster.limit(queue, partition))
            ? Resources.none() : cluster.types.resource(losses.get(0).size),
        (other, parent) -> isAnyPlaceable(other, requested, losses));
  }

  private boolean isAnyPlaceable(CSQueue leaf, String requested, List<Container> losses) {
    return byLeaf.computeIfAbsent(Arrays.asList(leaf.getQueuePath(), requested),
        key -> read(leaf, requested)).stream().anyMatch(request -> search.isPlaceable(request, losses));
  }

  /** One request of each size and user that waits for room. */
  private Collection<Container> read(CSQueue leaf, String requested) {
    Map<Object, Container> requests = new HashMap<>();
    Resource pending = leaf.getQueueResourceUsage().getPending(requested);
    if (pending.getMemorySize() <= 0 && pending.getVirtualCores() <= 0) {
      return requests.values();
    }
    StateAwareQueue<?> queue = StateAwareQueue.of(leaf);
    // Requests of held applications are not served.
    Iterator<?> offered = queue != null ? queue.order().assignmentIterator(null, () -> now)
        : ((OrderingPolicy<?>) QueueCompat.orderingPolicy(leaf)).getSchedulableEntities().iterator();
    while (offered.hasNext()) {
      SchedulerApplicationAttempt app = (SchedulerApplicationAttempt) offered.next();
      // Where applications are taken back nobody starts in parallel then.
      boolean isHeld = queue != null && queue.order().settings().isTakeBack()
          && app.isWaitingForAMContainer();
      if (isHeld || blocked.contains(app.getApplicationAttemptId())) {
        continue;
      }
      for (PendingRequest request : PendingRequest.all(app)) {
        if (request.partition().equals(requested)) {
          ResourceVector size = cluster.types.amounts(request.size());
          ResourceVector reserved = cluster.reserved(app, partition);
          requests.computeIfAbsent(Arrays.asList(app.getUser(), size, reserved),
              key -> new Container(app.getApplicationAttemptId(), size, null, reserved,
                  cluster.limits(leaf, app.getUser(), partition, requested)));
        }
      }
    }
    // A request that has room already waits for another reason.
    requests.values().removeIf(request -> search.isPlaceable(request, Collections.emptyList()));
    return requests.values();
  }
}
