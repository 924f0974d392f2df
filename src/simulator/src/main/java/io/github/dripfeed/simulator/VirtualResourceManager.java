// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import io.github.dripfeed.StateAwareFairOrderingPolicy;
import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.fixture.CertificateAuthority;
import java.net.URI;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.client.api.AppAdminClient;
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
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.security.NMTokenSecretManagerInRM;
import org.apache.hadoop.yarn.server.resourcemanager.security.RMContainerTokenSecretManager;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;

/**
 * Hadoop's ResourceManager with its Capacity Scheduler, without what needs other machines and other
 * threads: after each call the caller calls {@link #drain}, which processes everything that follows.
 */
public final class VirtualResourceManager extends MockRM {

  /**
   * Looks for the clients of application types once. YARN goes through more than a thousand properties for
   * them at the end of each application, which is up to a twentieth of the time of a simulation.
   */
  private static final class RememberedClients extends YarnConfiguration {

    private Map<String, String> clients;

    RememberedClients(Configuration properties) {
      super(properties);
    }

    @Override
    public Map<String, String> getPropsWithPrefix(String prefix) {
      if (!prefix.equals(AppAdminClient.YARN_APP_ADMIN_CLIENT_PREFIX)) {
        return super.getPropsWithPrefix(prefix);
      }
      if (clients == null) {
        clients = Collections.unmodifiableMap(super.getPropsWithPrefix(prefix));
      }
      return clients;
    }
  }

  /**
   * Measures no intervals between heartbeats: they are of real time, and YARN keeps a sorted sample of
   * them, which is a thirtieth of the time of a simulation.
   */
  static final class Scheduler extends CapacityScheduler {
    @Override
    public void handle(SchedulerEvent event) {
      if (event.getType() == SchedulerEventType.NODE_UPDATE) {
        nodeUpdate(((NodeUpdateSchedulerEvent) event).getRMNode());
      } else {
        super.handle(event);
      }
    }
  }

  /** The liveness monitors use real time, and nodes never tell them that they live: 24 days. */
  private static final int EXPIRY_MILLIS = Integer.MAX_VALUE;
  /** YARN wants more than three times the expiry between two keys of tokens. */
  private static final int NEXT_KEY_SECONDS = 4 * (EXPIRY_MILLIS / 1000);

  private static final String ORDERING = ".ordering-policy";
  private static final String PARALLEL = "." + SchedulerVariants.MAX_PARALLEL;
  /** Of leaf queues, and of their parents. */
  private static final Set<String> BY_ID = Set.of("fifo", StateAwareOrderingPolicy.class.getName(),
      StateAwareFairOrderingPolicy.class.getName(), "utilization", "priority-utilization");

  private static final long CLUSTER_TIMESTAMP = 1_000_000_000_000L;
  private static final String ATTRIBUTES = "dripfeed-node-attributes-";

  // The constructor of the superclass creates it.
  private ManualDispatcher pump;
  /** The scheduler has had this time of day, or an earlier one, when it created the last attempt. */
  private long lastAttemptAt;
  private boolean creatingAttempt;
  private final boolean startTimesMatter;
  private final Consumer<RMAppAttempt> launcher;
  private final Consumer<Event<?>> observer;

  /**
   * Starts without nodes.
   *
   * @param properties of the ResourceManager and its scheduler
   * @param launcher gets each attempt whose driver YARN has allocated
   * @param observer gets all events before they are handled
   */
  public VirtualResourceManager(Configuration properties, Consumer<RMAppAttempt> launcher,
      Consumer<Event<?>> observer) {
    super(complete(properties));
    this.startTimesMatter = startTimesMatter(properties);
    this.launcher = launcher;
    this.observer = observer;
    // The superclass logs everything, for the tests that it is made for.
    LogManager.getRootLogger().setLevel(Level.WARN);
    CertificateAuthority.giveTo(getRMContext());
    start();
    // The start sets it to the time of day. Ids contain it, and they determine the order in YARN's hash
    // maps. YARN also treats a recently started cluster specially; this one started long ago.
    setClusterTimeStamp(CLUSTER_TIMESTAMP);
    drain();
  }

  private static YarnConfiguration complete(Configuration properties) {
    YarnConfiguration conf = new RememberedClients(properties);
    conf.setClass(YarnConfiguration.RM_SCHEDULER, Scheduler.class, ResourceScheduler.class);
    for (String expiry : new String[] {YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS,
        YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS,
        YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS}) {
      conf.setInt(expiry, EXPIRY_MILLIS);
    }
    for (String interval : new String[] {YarnConfiguration.RM_AMRM_TOKEN_MASTER_KEY_ROLLING_INTERVAL_SECS,
        YarnConfiguration.RM_NMTOKEN_MASTER_KEY_ROLLING_INTERVAL_SECS,
        YarnConfiguration.RM_CONTAINER_TOKEN_MASTER_KEY_ROLLING_INTERVAL_SECS}) {
      conf.setInt(interval, NEXT_KEY_SECONDS);
    }
    conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, false);
    // Its threads would allocate in real time.
    conf.setBoolean(CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_ENABLE, false);
    // A thread would sort the nodes each second of real time, and until it has, there seem to be none.
    conf.setBoolean(CapacitySchedulerConfiguration.MULTI_NODE_PLACEMENT_ENABLED, false);
    // A directory of its own: two ResourceManagers that share one overwrite each other's files.
    conf.set(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR, Paths.get(
        System.getProperty("java.io.tmpdir"), ATTRIBUTES + UUID.randomUUID()).toUri().toString());
    return conf;
  }

  /** Processes everything that follows from the calls so far. */
  public void drain() {
    pump.drain();
  }

  @Override
  public void drainEvents() {
    drain();
  }

  @Override
  protected void serviceStop() throws Exception {
    super.serviceStop();
    FileUtils.deleteQuietly(Paths.get(
        URI.create(getConfig().get(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR))).toFile());
  }

  public CapacityScheduler scheduler() {
    return (CapacityScheduler) getResourceScheduler();
  }

  @Override
  protected Dispatcher createDispatcher() {
    pump = new ManualDispatcher(event -> {
      if (creatingAttempt) {
        creatingAttempt = false;
        lastAttemptAt = System.currentTimeMillis();
      }
      if (startTimesMatter && event.getType() == SchedulerEventType.APP_ATTEMPT_ADDED) {
        awaitTick();
        creatingAttempt = true;
      }
      observer.accept(event);
    });
    return pump;
  }

  /**
   * Whether the scheduler may order applications by the time of day at which it created their attempts: the
   * fair policy does, before it looks at their ids, and limits on parallel applications do, where they are
   * of several queues or of users. The other policies of YARN, and Dripfeed's, do not.
   */
  static boolean startTimesMatter(Configuration properties) {
    for (Map.Entry<String, String> each : properties) {
      String name = each.getKey();
      if (name.startsWith(CapacitySchedulerConfiguration.PREFIX)
          && (name.endsWith(ORDERING) && !BY_ID.contains(each.getValue())
              || name.endsWith(PARALLEL) && !isOfLeaf(name, properties))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfLeaf(String limit, Configuration properties) {
    return limit.startsWith(CapacitySchedulerConfiguration.PREFIX + "root.")
        && properties.get(limit.substring(0, limit.length() - PARALLEL.length()) + ".queues") == null;
  }

  /** So no two attempts may have the same: what happens then must not depend on the machine's speed. */
  private void awaitTick() {
    while (System.currentTimeMillis() <= lastAttemptAt) {
      Thread.onSpinWait();
    }
  }

  /** The superclass never stops it, and so it keeps a stopped ResourceManager in memory. */
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
        // Direct calls replace its port.
      }
    };
  }

  @Override
  protected ApplicationMasterLauncher createAMLauncher() {
    return new ApplicationMasterLauncher(getRMContext()) {
      @Override
      protected void serviceStart() {
        // The simulation starts the drivers.
      }

      @Override
      protected void serviceStop() {
        // It was not started.
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

  /** The effect of a launch on the ResourceManager. */
  private void launched(RMAppAttempt attempt) {
    ApplicationAttemptId id = attempt.getAppAttemptId();
    ((RMAppAttemptImpl) attempt)
        .setAMRMToken(rmContext.getAMRMTokenSecretManager().createAndGetAMRMToken(id));
    rmContext.getDispatcher().getEventHandler().handle(
        new RMAppAttemptEvent(id, RMAppAttemptEventType.LAUNCHED, System.currentTimeMillis()));
  }
}
