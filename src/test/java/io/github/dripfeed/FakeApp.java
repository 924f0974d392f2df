/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * An attempt as a policy sees it, of YARN's own class, whose books a test writes. Far cheaper than a
 * ResourceManager, for runs of many thousand steps.
 */
final class FakeApp extends SchedulerApplicationAttempt {

  private static final YarnConfiguration CONFIGURATION = new YarnConfiguration();
  private static final SchedulerRequestKey REQUEST =
      new SchedulerRequestKey(Priority.newInstance(0), 0, null);

  private final RMApp rmApp;
  private final RMAppAttempt rmAttempt;
  private final Map<ContainerId, RMContainer> live = new ConcurrentHashMap<>();
  private final Deque<RMContainer> reserved = new ArrayDeque<>();
  private final Deque<RMContainer> executors = new ArrayDeque<>();
  private long allocated;
  private volatile boolean waiting = true;
  private volatile RuntimeException failure;
  private volatile Consumer<RMContainer> whenGivenBack = container -> { };

  private FakeApp(ApplicationAttemptId id, RMContext context, RMApp rmApp, RMAppAttempt rmAttempt) {
    super(id, "user", mock(Queue.class, withSettings().stubOnly()), null, context);
    this.rmApp = rmApp;
    this.rmAttempt = rmAttempt;
  }

  /**
   * An attempt of an application that the ResourceManager has not seen before.
   *
   * @param startTime of the attempt, in milliseconds since the epoch
   */
  static FakeApp of(int application, int attempt, String partition, int priority, long startTime) {
    ApplicationAttemptId id =
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, application), attempt);
    return of(id, mock(RMApp.class, withSettings().stubOnly()), partition, priority, startTime);
  }

  /** Another attempt of the same application. */
  FakeApp nextAttempt(int attempt, String partition, int priority, long startTime) {
    ApplicationAttemptId id = ApplicationAttemptId.newInstance(getApplicationId(), attempt);
    return of(id, rmApp, partition, priority, startTime);
  }

  private static FakeApp of(
      ApplicationAttemptId id, RMApp rmApp, String partition, int priority, long startTime) {
    RMAppAttempt rmAttempt = mock(RMAppAttempt.class, withSettings().stubOnly());
    when(rmAttempt.getStartTime()).thenReturn(startTime);
    when(rmApp.getRMAppAttempt(id)).thenReturn(rmAttempt);
    when(rmApp.getCurrentAppAttempt()).thenReturn(rmAttempt);
    ConcurrentMap<ApplicationId, RMApp> apps = new ConcurrentHashMap<>();
    RMContext context = mock(RMContext.class, withSettings().stubOnly());
    when(context.getYarnConfiguration()).thenReturn(CONFIGURATION);
    when(context.getRMApps()).thenReturn(apps);
    FakeApp app = new FakeApp(id, context, rmApp, rmAttempt);
    Dispatcher dispatcher = mock(Dispatcher.class, withSettings().stubOnly());
    when(dispatcher.getEventHandler()).thenReturn(app::handle);
    when(context.getDispatcher()).thenReturn(dispatcher);
    // Only now: YARN's constructor would ask the application for more than it has here.
    apps.put(id.getApplicationId(), rmApp);
    app.setAppAMNodePartitionName(partition);
    app.setPriority(Priority.newInstance(priority));
    return app;
  }

  /** The same attempt before a restart has used up some container ids. */
  void countContainersFrom(FakeApp earlier) {
    allocated = earlier.allocated;
  }

  /** The driver's request arrives, or is gone. */
  void setAsking(boolean asking) {
    if (asking) {
      getSchedulerKeys().add(REQUEST);
    } else {
      getSchedulerKeys().remove(REQUEST);
    }
  }

  /** In YARN's order: first the live container, then the request. */
  RMContainer allocateDriver(long creationTime) {
    RMContainer driver = newContainer(RMContainerState.ALLOCATED, creationTime);
    goLive(driver);
    setAsking(false);
    return driver;
  }

  void goLive(RMContainer container) {
    live.put(container.getContainerId(), container);
  }

  /** The attempt learns of its driver; from then on it does not wait for it. */
  void acquire(ContainerId driver) {
    Container master = mock(Container.class, withSettings().stubOnly());
    when(master.getId()).thenReturn(driver);
    when(rmAttempt.getMasterContainer()).thenReturn(master);
    waiting = false;
  }

  RMContainer allocateExecutor(long creationTime) {
    RMContainer executor = newContainer(RMContainerState.ALLOCATED, creationTime);
    addExecutor(executor);
    return executor;
  }

  void addExecutor(RMContainer executor) {
    goLive(executor);
    executors.push(executor);
  }

  RMContainer releaseExecutor() {
    RMContainer executor = executors.pop();
    live.remove(executor.getContainerId());
    return executor;
  }

  RMContainer reserve() {
    RMContainer container = newContainer(RMContainerState.RESERVED, 0);
    reserved.push(container);
    return container;
  }

  RMContainer unreserve() {
    return reserved.pop();
  }

  /** What to do when the policy gives back a reservation, which is gone by then. */
  void whenGivenBack(Consumer<RMContainer> listener) {
    whenGivenBack = listener;
  }

  /** What the scheduler does of what a policy may ask of it. */
  private void handle(Event<?> event) {
    if (event.getType() != SchedulerEventType.KILL_RESERVED_CONTAINER) {
      throw new IllegalArgumentException("unknown to the fake: " + event);
    }
    RMContainer container = ((ContainerPreemptEvent) event).getContainer();
    if (reserved.remove(container)) {
      whenGivenBack.accept(container);
    }
  }

  /** Oldest first. */
  Collection<RMContainer> executors() {
    return List.copyOf(executors);
  }

  /** From now on the books cannot be read. */
  void breakWith(RuntimeException exception) {
    failure = exception;
  }

  private RMContainer newContainer(RMContainerState state, long creationTime) {
    ContainerId id = ContainerId.newContainerId(getApplicationAttemptId(), ++allocated);
    RMContainer container = mock(RMContainer.class, withSettings().stubOnly());
    when(container.getContainerId()).thenReturn(id);
    when(container.getState()).thenReturn(state);
    when(container.getCreationTime()).thenReturn(creationTime);
    return container;
  }

  @Override
  public boolean isWaitingForAMContainer() {
    return waiting;
  }

  @Override
  public boolean getUnmanagedAM() {
    return false;
  }

  @Override
  public List<RMContainer> getReservedContainers() {
    return List.copyOf(reserved);
  }

  @Override
  public Map<ContainerId, RMContainer> getLiveContainersMap() {
    if (failure != null) {
      throw failure;
    }
    return live;
  }
}
