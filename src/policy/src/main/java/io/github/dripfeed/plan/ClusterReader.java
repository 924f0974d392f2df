// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.plan;

import io.github.dripfeed.core.plan.Account;
import io.github.dripfeed.core.plan.Demand;
import io.github.dripfeed.core.plan.Reserve;
import io.github.dripfeed.core.plan.SafetyReserve;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueHeadroom;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** What the nodes and the levels of the queue hierarchy leave for one plan. Used by one thread. */
final class ClusterReader {

  /** What would be free once all applications with executors have ended, and what at best. */
  private static final class Later {
    final ResourceSum progress;
    final ResourceSum stuck;

    Later(int types) {
      this.progress = new ResourceSum(types);
      this.stuck = new ResourceSum(types);
    }
  }

  private final ClusterSnapshot cluster;
  final CapacityScheduler scheduler;
  final CountedResources types;
  private final BiFunction<CSQueue, String, ResourceVector> soon;
  private final BiFunction<CSQueue, String, Collection<Demand>> largest;
  private final Map<String, Account> nodeAccounts = new HashMap<>();
  /** Null until it is asked for. */
  private List<Account> lent;
  private final Map<CSQueue, Map<String, Account>> levels = new IdentityHashMap<>();
  /** By node, and by level and partition. */
  private Map<Object, Later> later;

  /**
   * @param soon what usually comes free of a level of the hierarchy in a partition
   * @param largest the executors for which room is kept below a level
   */
  ClusterReader(ClusterSnapshot cluster, BiFunction<CSQueue, String, ResourceVector> soon,
      BiFunction<CSQueue, String, Collection<Demand>> largest) {
    this.cluster = cluster;
    this.scheduler = cluster.scheduler;
    this.types = cluster.types;
    this.soon = soon;
    this.largest = largest;
  }

  /** The partition of the node; the default partition if the node is gone. */
  String partitionOf(NodeId node) {
    String known = cluster.partitionOf(node);
    return known == null ? "" : known;
  }

  /** The size, or what the largest node of the partition has of it if no node has all of it. */
  ResourceVector possible(String partition, ResourceVector size) {
    ClusterSnapshot.Partition known = cluster.partition(partition);
    return known.isPossible(size) ? size : known.sizes.stream().map(size::componentwiseMin)
        .max((one, other) -> Long.compare(one.get(0), other.get(0))).orElse(size);
  }

  /** Whether an empty node could hold a container of this size. */
  boolean isPossible(String partition, ResourceVector size) {
    return cluster.partition(partition).isPossible(size);
  }

  /** How many of the containers have room now, as far as the request names the only nodes for them. */
  long placeable(PendingRequest request, ResourceVector size) {
    if (!request.isStrict()) {
      return request.count();
    }
    long count = 0;
    for (String partition : cluster.serving(request.partition())) {
      for (FiCaSchedulerNode node : cluster.partition(partition).nodes) {
        if (node.getReservedContainer() == null && request.names(node)) {
          count += size.countIn(types.amounts(node.getUnallocatedResource()));
        }
      }
    }
    return Math.min(count, request.count());
  }

  /** What the queue, its parents and the nodes of the partition leave. */
  List<Account> accounts(CSQueue queue, String partition) {
    List<Account> all = new ArrayList<>();
    CSQueue root = queue;
    for (CSQueue level = queue; level != null; level = level.getParent()) {
      CSQueue here = level;
      root = level;
      all.add(levels.computeIfAbsent(level, l -> new HashMap<>()).computeIfAbsent(partition,
          p -> new Account(here.getQueuePath(), new QueueHeadroom(here, types).freeOfItsOwn(p),
              soon.apply(here, p), new Reserve(() -> reserve(here, p, false)))
              .of(types.amounts(new QueueHeadroom(here, types).maximum(p)))));
    }
    all.add(nodes(partition, root));
    return all;
  }

  private Account nodes(String partition, CSQueue root) {
    return nodeAccounts.computeIfAbsent(partition, p -> {
      ClusterSnapshot.Partition known = cluster.partition(p);
      return new Account(null, known.free.toVector(), soon.apply(root, p),
          new Reserve(() -> reserve(root, p, true))).of(known.whole.toVector());
    });
  }

  /** What nodes leave that YARN lends to requests for this partition. */
  List<Account> shareable(String partition) {
    if (!partition.isEmpty()) {
      return Collections.emptyList();
    }
    if (lent == null) {
      lent = new ArrayList<>();
      for (String other : cluster.serving(partition)) {
        if (!other.isEmpty()) {
          lent.add(nodes(other, scheduler.getRootQueue()));
        }
      }
    }
    return lent;
  }

  /** The reserve below the limit of a level, or on the nodes, before any driver is added to it. */
  private List<SafetyReserve> reserve(CSQueue level, String partition, boolean ofNodes) {
    if (later == null) {
      later = new HashMap<>();
      scheduler.getSchedulerApplications().values().forEach(this::readLater);
    }
    List<SafetyReserve> all = new ArrayList<>();
    for (Demand demand : largest.apply(level, partition)) {
      if (ofNodes) {
        SafetyReserve reserve = new SafetyReserve(demand.size());
        for (FiCaSchedulerNode node : cluster.partition(partition).nodes) {
          Later there = later(node.getNodeID());
          ResourceVector progress = types.amounts(node.getUnallocatedResource()).plus(there.progress);
          reserve.addNode(progress);
          reserve.addBest(progress.plus(there.stuck));
        }
        reserve.need((int) demand.count());
        all.add(reserve);
      } else {
        QueueHeadroom headroom = new QueueHeadroom(level, types);
        ResourceVector kept = demand.size().times(demand.count());
        if (kept.fitsIn(types.amounts(headroom.maximum(partition)))) {
          all.add(SafetyReserve.ofLimit(headroom.freeOfItsOwn(partition)
              .plus(later(Arrays.asList(level.getQueuePath(), partition)).progress), kept));
        }
      }
    }
    return all;
  }

  private Later later(Object where) {
    return later.computeIfAbsent(where, w -> new Later(types.count()));
  }

  /** Applications with executors make progress and end; drivers without may have to wait for others. */
  private void readLater(SchedulerApplication<FiCaSchedulerApp> application) {
    FiCaSchedulerApp app = application.getCurrentAppAttempt();
    if (app == null) {
      return;
    }
    boolean progress = app.getLiveContainersMap().values().stream().filter(YarnAttempt::isDriverOrExecutor)
        .count() > (app.getUnmanagedAM() ? 0 : 1);
    for (RMContainer container : app.getLiveContainersMap().values()) {
      if (container.getExecutionType() != ExecutionType.OPPORTUNISTIC) {
        ResourceVector size = types.amounts(container.getAllocatedResource());
        addLater(container.getAllocatedNode(), size, progress);
        String partition = partitionOf(container.getAllocatedNode());
        for (Queue level = app.getQueue(); level != null; level = ((CSQueue) level).getParent()) {
          addLater(Arrays.asList(((CSQueue) level).getQueuePath(), partition), size, progress);
        }
      }
    }
  }

  private void addLater(Object where, ResourceVector size, boolean progress) {
    Later there = later(where);
    (progress ? there.progress : there.stuck).add(size);
  }
}
