// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.plan;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.plan.Demand;
import io.github.dripfeed.core.plan.DemandHistory;
import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.snapshot.AttemptSnapshot;
import io.github.dripfeed.snapshot.QueueSnapshot;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.PendingRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/**
 * What applications of one queue request in one round, and what they are expected to request, as far as
 * they and others have shown it.
 */
final class QueueDemands {

  private final ClusterReader cluster;
  private final CountedResources types;
  private final Map<?, ? extends SchedulerApplication<?>> anywhere;
  private final Map<?, RMApp> known;
  private final QueueMemory memory;
  /** What all queues together know, for a queue that knows nothing yet. */
  private final DemandHistory common;
  private final int maxContainers;
  private final long now;
  private final Map<List<String>, List<Demand>> expected = new HashMap<>();
  private final Map<String, ResourceVector> soon = new HashMap<>();

  QueueDemands(QueueSnapshot<?> queue, ClusterReader cluster, QueueMemory memory, DemandHistory common,
      long now) {
    this.cluster = cluster;
    this.types = cluster.types;
    this.anywhere = cluster.scheduler.getSchedulerApplications();
    this.known = cluster.scheduler.getRMContext().getRMApps();
    this.memory = memory;
    this.common = common;
    this.maxContainers = queue.order.settings().maxContainers();
    this.now = now;
  }

  private DemandHistory history(String driverPartition) {
    return memory.demands().isAnyKnown(driverPartition) ? memory.demands() : common;
  }

  /** What usually comes free in the partition while a driver starts up. */
  ResourceVector soon(String partition) {
    return soon.computeIfAbsent(partition,
        p -> memory.releases().soon(p, history(p).startUp(), types.count(), now));
  }

  /** One that is running without executors and requests has shown that it wants none. */
  boolean isSilent(AttemptSnapshot<?> read) {
    return read.state != State.ACCEPTED && read.executors == 0 && read.requests.isEmpty()
        && (read.state == State.RUNNING
        || read.view.millisInState(now)
            > history(read.partition).silentAfter(typeOf(read.app)));
  }

  void learn(AttemptSnapshot<?> read) {
    DemandHistory history = memory.demands();
    // An exempt one is another kind of application than those that wait.
    if (read.facts.isExempt() || !read.facts.isDriverAllocated()
        || history.isForgotten(read.application())) {
      return;
    }
    List<Demand> wanted = new ArrayList<>();
    String type = typeOf(read.app);
    long number = read.executors;
    for (PendingRequest request : read.requests) {
      wanted.add(new Demand(request.partition(), types.amounts(request.size()), request.count()));
      number += request.count();
    }
    if (number == 0) {
      history.startsUp(read.application(), read.partition, type);
      common.startsUp(read.application(), read.partition, type);
      return;
    }
    // Most of the time it wants no more than before, and its containers need not be visited.
    if (read.executors > 0 && number > history.most(read.application(), read.partition)) {
      read.app.getLiveContainersMap().forEach((id, container) -> {
        if (read.facts.isExecutor(container)) {
          wanted.add(new Demand(cluster.partitionOf(container.getAllocatedNode()),
              types.amounts(container.getAllocatedResource()), 1));
        }
      });
    }
    long startUp = read.isStarting() && read.executors == 0 && !read.view.isDriverDiscovered()
        ? read.view.millisInState(now) : -1;
    history.wants(read.application(), read.partition, type, startUp, wanted, number, now);
    common.wants(read.application(), read.partition, type, startUp, wanted, number, now);
  }

  /** Forgets the applications that are neither in this queue nor in another one. */
  void forgetOthers(Object queue) {
    memory.demands().retain(id -> {
      SchedulerApplication<?> application = anywhere.get(id);
      return application != null && application.getQueue() == queue;
    }, anywhere::containsKey);
  }

  /** The type of the application, empty if YARN has none. */
  private String typeOf(SchedulerApplicationAttempt app) {
    RMApp application = known.get(app.getApplicationId());
    return application == null || application.getApplicationType() == null
        ? "" : application.getApplicationType();
  }

  /** Whether nothing is known yet of executors. */
  boolean isCold(AttemptSnapshot<?> read) {
    return !history(read.partition).isAnyKnown(read.partition);
  }

  /** The executors that an application is expected to want, of those of its type. */
  List<Demand> expected(AttemptSnapshot<?> read) {
    List<Demand> usual = expected.computeIfAbsent(Arrays.asList(read.partition, typeOf(read.app)),
        key -> history(read.partition).expected(read.partition, key.get(1), types.count()));
    long most = maxContainers == 0 ? Long.MAX_VALUE : maxContainers - 1;
    List<Demand> all = new ArrayList<>();
    for (Demand demand : usual) {
      // What the application has requested itself, before its driver was lost, says more than others do.
      ResourceVector own =
          memory.demands().ownSize(read.application(), read.partition, demand.partition(), types.count());
      all.add(demand.atMost(most).withSize(
          cluster.possible(demand.partition(), own == null ? demand.size() : own)));
    }
    return all;
  }

  /** What a started application is expected to want beyond what it has and requests. */
  List<Demand> remaining(AttemptSnapshot<?> read) {
    return memory.demands().remaining(read.application(), read.partition, () -> expected(read), now);
  }

  /**
   * Its pending requests that some node could hold, up to {@code max-containers}; once it has its driver,
   * no more than have room on the only nodes that they name.
   */
  List<Demand> requested(AttemptSnapshot<?> read) {
    long limit = maxContainers == 0 ? Long.MAX_VALUE
        : Math.max(0, maxContainers - read.app.getLiveContainersMap().size());
    List<Demand> demands = new ArrayList<>();
    for (PendingRequest request : read.requests) {
      ResourceVector size = types.amounts(request.size());
      if (read.state == State.ACCEPTED) {
        demands.add(new Demand(request.partition(), size, request.count()).atMost(limit));
      } else if (cluster.isPossible(request.partition(), size)) {
        demands.add(
            new Demand(request.partition(), size, cluster.placeable(request, size)).atMost(limit));
      }
    }
    return demands;
  }

  /** The first executors out of all that an application is expected to want. */
  static List<Demand> firstStage(List<Demand> all, int count) {
    Demand most = null;
    for (Demand demand : all) {
      most = most == null || demand.count() > most.count() ? demand : most;
    }
    return most == null || count <= 0 ? Collections.emptyList()
        : Collections.singletonList(most.withCount(count));
  }

  /** The first ones of what it requests. */
  static List<Demand> first(List<Demand> demands, int count) {
    List<Demand> first = new ArrayList<>();
    long left = count;
    for (Demand demand : demands) {
      if (left > 0 && demand.count() > 0) {
        first.add(demand.atMost(left));
        left -= Math.min(left, demand.count());
      }
    }
    return first;
  }

  static List<Demand> without(List<Demand> all, List<Demand> taken) {
    List<Demand> rest = new ArrayList<>();
    for (Demand demand : all) {
      long count = demand.count();
      for (Demand each : taken) {
        count -= each.partition().equals(demand.partition()) ? each.count() : 0;
      }
      if (count > 0) {
        rest.add(demand.withCount(count));
      }
    }
    return rest;
  }
}
