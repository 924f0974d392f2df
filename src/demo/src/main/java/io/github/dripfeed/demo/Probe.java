// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppReport;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Reads the facts of a burst from the ResourceManager. */
public final class Probe {

  private final ResourceManager resourceManager;
  private final String queue;
  private final List<ApplicationId> applications;

  public Probe(ResourceManager resourceManager, String queue, List<ApplicationId> applications) {
    this.resourceManager = resourceManager;
    this.queue = queue;
    this.applications = applications;
  }

  Sample sample() {
    CapacityScheduler scheduler = (CapacityScheduler) resourceManager.getResourceScheduler();
    CSQueue leaf = scheduler.getQueue(queue);
    List<Sample.App> apps = new ArrayList<>();
    for (ApplicationId id : applications) {
      apps.add(app(scheduler, resourceManager.getRMContext().getRMApps().get(id)));
    }
    return new Sample(System.currentTimeMillis(), apps,
        leaf.getQueueResourceUsage().getUsed().getMemorySize(),
        leaf.getEffectiveMaxCapacity("").getMemorySize(),
        leaf.getQueueResourceUsage().getPending().getMemorySize());
  }

  private static Sample.App app(CapacityScheduler scheduler, RMApp app) {
    List<Sample.Live> live = new ArrayList<>();
    if (app.getCurrentAppAttempt() != null) {
      SchedulerAppReport report =
          scheduler.getSchedulerAppInfo(app.getCurrentAppAttempt().getAppAttemptId());
      if (report != null) {
        for (RMContainer container : report.getLiveContainers()) {
          // The first container of an attempt is its driver.
          live.add(new Sample.Live(container.getContainerId().toString(),
              container.isAMContainer() || numberOf(container) == 1,
              container.getCreationTime()));
        }
      }
    }
    return new Sample.App(app.getName(), app.getState(),
        app.getFinalApplicationStatus() == FinalApplicationStatus.SUCCEEDED,
        app.getSubmitTime(), app.getFinishTime(), live);
  }

  private static long numberOf(RMContainer container) {
    return container.getContainerId().getContainerId() & ContainerId.CONTAINER_ID_BITMASK;
  }
}
