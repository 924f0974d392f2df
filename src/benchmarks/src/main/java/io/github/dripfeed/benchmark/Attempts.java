// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.simulator.VirtualResourceManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.Records;

/**
 * Attempts of YARN's own class in a real ResourceManager's context, as the scheduler creates them, with the
 * containers of their state. Creating thousands takes seconds, since nothing schedules them.
 */
final class Attempts {

  private static final YarnConfiguration CONFIGURATION = new YarnConfiguration();
  private static final String QUEUE = "root.batch";
  private static final Resource SIZE = Resource.newInstance(1024, 1);
  private static final SchedulerRequestKey REQUEST =
      new SchedulerRequestKey(Priority.newInstance(1), 0, null);

  private final VirtualResourceManager rm;
  private final AbstractLeafQueue queue;
  private int made;

  /** An attempt that can end. */
  static final class Arrival extends FiCaSchedulerApp {

    private Arrival(ApplicationAttemptId id, AbstractLeafQueue queue, RMContext context) {
      super(id, "user", queue, queue.getAbstractUsersManager(), context, Priority.newInstance(0), false);
    }

    /** As in YARN's stop(), without its metrics, which would take longer than what is measured. */
    void end() {
      isStopped = true;
    }
  }

  Attempts(VirtualResourceManager rm) {
    this.rm = rm;
    this.queue = (AbstractLeafQueue) rm.scheduler().getQueue(QUEUE);
  }

  /** An attempt that waits for its driver. */
  FiCaSchedulerApp accepted() {
    FiCaSchedulerApp app = make();
    ask(app);
    return app;
  }

  /** An attempt that waits for its driver, and may end later. */
  Arrival arrival() {
    Arrival app = new Arrival(register(), queue, rm.getRMContext());
    ask(app);
    return app;
  }

  /** An attempt that has its driver and waits for executors. */
  FiCaSchedulerApp starting() {
    FiCaSchedulerApp app = make();
    allocate(app, 1);
    ask(app);
    return app;
  }

  /** An attempt with one or a few executors that wants more. */
  FiCaSchedulerApp running() {
    FiCaSchedulerApp app = make();
    allocate(app, 2 + made % 5);
    ask(app);
    return app;
  }

  private FiCaSchedulerApp make() {
    return new FiCaSchedulerApp(register(), "user", queue, queue.getAbstractUsersManager(),
        rm.getRMContext(), Priority.newInstance(0), false);
  }

  /** Makes the ResourceManager's part of one. */
  private ApplicationAttemptId register() {
    ApplicationId id = ApplicationId.newInstance(1, ++made);
    RMContext context = rm.getRMContext();
    ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
    submission.setApplicationId(id);
    submission.setPriority(Priority.newInstance(0));
    ApplicationAttemptId attemptId = ApplicationAttemptId.newInstance(id, 1);
    List<ResourceRequest> driver = Collections.singletonList(request());
    context.getRMApps().put(id, new RMAppImpl(id, context, CONFIGURATION, "app", "user", QUEUE,
        submission, rm.scheduler(), rm.getApplicationMasterService(), made, "SPARK",
        Collections.emptySet(), driver) {

      private final RMAppAttempt attempt = new RMAppAttemptImpl(attemptId, context, rm.scheduler(),
          rm.getApplicationMasterService(), submission, CONFIGURATION, driver, this);

      @Override
      public RMAppAttempt getCurrentAppAttempt() {
        return attempt;
      }

      @Override
      public RMAppAttempt getRMAppAttempt(ApplicationAttemptId other) {
        return attempt;
      }
    });
    return attemptId;
  }

  private static ResourceRequest request() {
    return ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, SIZE, 10);
  }

  private static void ask(FiCaSchedulerApp app) {
    List<ResourceRequest> requests = new ArrayList<>();
    requests.add(request());
    app.updateResourceRequests(requests);
  }

  private void allocate(FiCaSchedulerApp app, int containers) {
    for (int i = 1; i <= containers; i++) {
      RMContainer container = container(app, i);
      app.addRMContainer(container.getContainerId(), container);
      app.getAppAttemptResourceUsage().incUsed(SIZE);
      if (i == 1) {
        RMAppAttempt attempt =
            rm.getRMContext().getRMApps().get(app.getApplicationId()).getCurrentAppAttempt();
        ((RMAppAttemptImpl) attempt).setMasterContainer(container.getContainer());
      }
    }
  }

  /** A container of the attempt that the scheduler does not know. */
  RMContainer container(FiCaSchedulerApp app, long number) {
    NodeId node = NodeId.newInstance("127.0.0.1", 1234);
    ContainerId id = ContainerId.newContainerId(app.getApplicationAttemptId(), number);
    return new RMContainerImpl(Container.newInstance(id, node, "127.0.0.1:1", SIZE,
        Priority.newInstance(1), null), REQUEST, app.getApplicationAttemptId(), node, "user",
        rm.getRMContext());
  }
}
