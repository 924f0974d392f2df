// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.snapshot;

import io.github.dripfeed.core.cluster.Limit;
import io.github.dripfeed.core.cluster.Node;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * The nodes of a scheduler, and what its limits leave; each is read once, some at first use. Used by one
 * thread.
 */
public final class ClusterSnapshot {

  /** The nodes of one partition on which containers may be placed. */
  public static final class Partition {

    public final List<FiCaSchedulerNode> nodes = new ArrayList<>();
    /** What the nodes have in total; few differ. */
    public final Set<ResourceVector> sizes = new HashSet<>();
    public final ResourceSum whole;
    /** What is not allocated on nodes that are not reserved. */
    public final ResourceSum free;
    private final Map<NodeId, Node> open = new HashMap<>();

    private Partition(int types) {
      this.whole = new ResourceSum(types);
      this.free = new ResourceSum(types);
    }

    /** Whether an empty node could hold a container of this size. */
    public boolean isPossible(ResourceVector size) {
      return sizes.stream().anyMatch(size::fitsIn);
    }
  }

  public final CapacityScheduler scheduler;
  public final CountedResources types;
  private final Map<NodeId, String> partitionOf = new HashMap<>();
  private final Map<String, Partition> partitions = new HashMap<>();
  private final Map<String, Set<String>> serving = new HashMap<>();
  private final Map<List<String>, Limit> limits = new HashMap<>();

  public ClusterSnapshot(CapacityScheduler scheduler) {
    this.scheduler = scheduler;
    this.types = new CountedResources(scheduler.getResourceCalculator());
    for (FiCaSchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
      partitionOf.put(node.getNodeID(), node.getPartition());
      if (PendingRequest.isSchedulable(node)) {
        Partition partition =
            partitions.computeIfAbsent(node.getPartition(), p -> new Partition(types.count()));
        partition.nodes.add(node);
        ResourceVector size = types.amounts(node.getTotalResource());
        partition.sizes.add(size);
        partition.whole.add(size);
        if (node.getReservedContainer() == null) {
          partition.free.add(types.amounts(node.getUnallocatedResource()));
        }
      }
    }
  }

  /** The names of the partitions that have nodes on which containers may be placed. */
  public Set<String> partitions() {
    return partitions.keySet();
  }

  /**
   * The partitions on whose nodes YARN places requests for this one: itself, and for requests without a
   * label each that has nodes and is not exclusive.
   */
  public Set<String> serving(String requested) {
    return serving.computeIfAbsent(requested, r -> {
      Set<String> all = new TreeSet<>(Collections.singleton(r));
      if (r.isEmpty()) {
        partitions.keySet().stream()
            .filter(name -> PendingRequest.isShareable(name, scheduler.getRMContext())).forEach(all::add);
      }
      return all;
    });
  }

  /** The partition; one without nodes if there is none of this name. */
  public Partition partition(String name) {
    Partition known = partitions.get(name);
    return known == null ? new Partition(types.count()) : known;
  }

  /** The name of the partition of a node; null if the node is gone. */
  public String partitionOf(NodeId node) {
    return partitionOf.get(node);
  }

  /** The nodes of the partition, by id, for a search; always the same objects. */
  public Map<NodeId, Node> nodes(String partition) {
    Partition known = partition(partition);
    if (known.open.isEmpty()) {
      for (FiCaSchedulerNode node : known.nodes) {
        RMContainer reserved = node.getReservedContainer();
        known.open.put(node.getNodeID(), new Node(types.amounts(node.getUnallocatedResource()),
            reserved == null ? null : reserved.getApplicationAttemptId()));
      }
    }
    return Collections.unmodifiableMap(known.open);
  }

  /** What is reserved for the application on nodes of the partition. */
  public ResourceVector reserved(SchedulerApplicationAttempt app, String partition) {
    ResourceSum sum = new ResourceSum(types.count());
    for (RMContainer container : app.getReservedContainers()) {
      if (nodes(partition).containsKey(container.getReservedNode())) {
        sum.add(types.amounts(container.getReservedResource()));
      }
    }
    return sum.toVector();
  }

  /**
   * What limits a request of the application on nodes of the partition: if it is for this partition, its
   * queue, the parents, and its user. YARN lends nodes without limits.
   */
  public List<Limit> limits(CSQueue leaf, String user, String partition, String requested) {
    return requested.equals(partition) ? limits(leaf, user, partition) : Collections.emptyList();
  }

  /** What limits containers of the application in the partition: its queue, the parents, and its user. */
  public List<Limit> limits(CSQueue leaf, String user, String partition) {
    List<Limit> all = new ArrayList<>();
    for (CSQueue level = leaf; level != null; level = level.getParent()) {
      all.add(limit(level, partition));
    }
    all.add(userLimit(leaf, user, partition));
    return all;
  }

  private Limit userLimit(CSQueue leaf, String user, String partition) {
    return limits.computeIfAbsent(Arrays.asList(partition, leaf.getQueuePath(), user), key -> Limit.ofUser(
        new QueueHeadroom(leaf, types).isAboveUserLimit(user, scheduler, partition)));
  }

  /** Whether YARN passes over applications of the user: the same answer for all of them. */
  public boolean isAboveUserLimit(CSQueue leaf, String user, String partition) {
    ResourceVector none = ResourceVector.zero(types.count());
    return !userLimit(leaf, user, partition).admits(none, none);
  }

  /** The limit of the queue alone in the partition; always the same object. */
  public Limit limit(CSQueue queue, String partition) {
    return limits.computeIfAbsent(Arrays.asList(partition, queue.getQueuePath()),
        key -> Limit.ofQueue(new QueueHeadroom(queue, types).freeOfItsOwn(partition)));
  }
}
