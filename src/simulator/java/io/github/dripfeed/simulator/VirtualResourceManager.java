/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import java.nio.file.Paths;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceTrackerService;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEvent;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEventType;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.ApplicationMasterLauncher;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.security.NMTokenSecretManagerInRM;
import org.apache.hadoop.yarn.server.resourcemanager.security.RMContainerTokenSecretManager;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;

/**
 * Hadoop's ResourceManager with its Capacity Scheduler, all of it but for what needs other machines and
 * other threads: whoever calls it calls {@link #drain} then, and all that follows has happened.
 */
public final class VirtualResourceManager extends MockRM {

  /** Longer than any simulation takes in real time, which the liveness monitors go by. */
  private static final int HOURS_MILLIS = 6 * 60 * 60 * 1000;

  private static final long CLUSTER_TIMESTAMP = 1_000_000_000_000L;

  // The superclass makes it from within its constructor.
  private ManualDispatcher pump;
  private long lastAttemptAt;
  private final Consumer<RMAppAttempt> launcher;
  private final Consumer<Event<?>> observer;

  /**
   * Starts, without any node.
   *
   * @param properties of the ResourceManager and its scheduler
   * @param launcher is told of each attempt whose driver has been allocated
   * @param observer is shown all events, before they are handled
   */
  public VirtualResourceManager(Configuration properties, Consumer<RMAppAttempt> launcher,
      Consumer<Event<?>> observer) {
    super(complete(properties));
    this.launcher = launcher;
    this.observer = observer;
    // The superclass lets everything be logged, for the tests that it is made for.
    LogManager.getRootLogger().setLevel(Level.WARN);
    start();
    // Starting sets it to the time of day. Ids are made of it, and what YARN keeps in hash maps by id
    // comes in their order. YARN also has grace for what started seconds ago; this one is of long ago.
    setClusterTimeStamp(CLUSTER_TIMESTAMP);
    drain();
  }

  private static YarnConfiguration complete(Configuration properties) {
    YarnConfiguration conf = new YarnConfiguration(properties);
    conf.setClass(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    for (String expiry : new String[] {YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS,
        YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS,
        YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS}) {
      conf.setInt(expiry, HOURS_MILLIS);
    }
    conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, false);
    // Of its own: those of two ResourceManagers side by side write over each other.
    conf.set(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
        Paths.get("target", "node-attributes", UUID.randomUUID().toString()).toUri().toString());
    return conf;
  }

  /** Lets all happen that follows from what was done. */
  public void drain() {
    pump.drain();
  }

  @Override
  public void drainEvents() {
    drain();
  }

  public CapacityScheduler scheduler() {
    return (CapacityScheduler) getResourceScheduler();
  }

  @Override
  protected Dispatcher createDispatcher() {
    pump = new ManualDispatcher(event -> {
      if (event.getType() == SchedulerEventType.APP_ATTEMPT_ADDED) {
        awaitTick();
      }
      observer.accept(event);
    });
    return pump;
  }

  /**
   * The scheduler takes the time of day when it makes an attempt, and stock policies order by it first
   * and by id where it is the same: so it must not depend on the machine's speed whether it is.
   */
  private void awaitTick() {
    long now = System.currentTimeMillis();
    while (now <= lastAttemptAt) {
      Thread.onSpinWait();
      now = System.currentTimeMillis();
    }
    lastAttemptAt = now;
  }

  /** The superclass never stops it, and with it keeps all of a stopped ResourceManager in memory. */
  @Override
  protected ResourceTrackerService createResourceTrackerService() {
    RMContainerTokenSecretManager containerTokens = getRMContext().getContainerTokenSecretManager();
    NMTokenSecretManagerInRM nodeTokens = getRMContext().getNMTokenSecretManager();
    containerTokens.rollMasterKey();
    nodeTokens.rollMasterKey();
    return new ResourceTrackerService(
        getRMContext(), nodesListManager, nmLivelinessMonitor, containerTokens, nodeTokens) {
      @Override
      protected void serviceStart() {
        // It is called, and serves no port.
      }
    };
  }

  @Override
  protected ApplicationMasterLauncher createAMLauncher() {
    return new ApplicationMasterLauncher(getRMContext()) {
      @Override
      protected void serviceStart() {
        // Drivers are started by the simulation.
      }

      @Override
      protected void serviceStop() {
        // As it was not started.
      }

      @Override
      public void handle(AMLauncherEvent event) {
        if (event.getType() == AMLauncherEventType.LAUNCH) {
          launched(event.getAppAttempt());
          launcher.accept(event.getAppAttempt());
        }
      }
    };
  }

  /** What launching an attempt does in the ResourceManager itself. */
  private void launched(RMAppAttempt attempt) {
    ApplicationAttemptId id = attempt.getAppAttemptId();
    ((RMAppAttemptImpl) attempt)
        .setAMRMToken(rmContext.getAMRMTokenSecretManager().createAndGetAMRMToken(id));
    rmContext.getDispatcher().getEventHandler().handle(
        new RMAppAttemptEvent(id, RMAppAttemptEventType.LAUNCHED, System.currentTimeMillis()));
  }
}
