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

import io.github.dripfeed.core.State;
import java.io.IOException;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockMemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;

/**
 * A ResourceManager with the real Capacity Scheduler whose nodes, application masters and time are
 * driven by hand. Queue {@code root.drip} is the one under test, {@code root.other} is stock fifo.
 *
 * <p>A node may be given many containers in one heartbeat, so that whatever is offered is taken.
 */
final class MockCluster implements AutoCloseable {

  static final String DRIP = "root.drip";
  static final String OTHER = "root.other";
  static final int GB = 1024;

  private final ManualClock clock = new ManualClock();
  private final Monitor monitor;
  private final Shared before = Shared.current();
  private final Map<String, String> settings;
  private MockRM rm;
  private final List<MockNM> nodes = new ArrayList<>();
  private int submitted;
  private int hosts;
  private final UUID id = UUID.randomUUID();
  private int restarts;

  private MockCluster(Map<String, String> settings, boolean withMonitorThread) {
    this(settings, withMonitorThread ? null : run -> null);
  }

  /** @param threads make that of the monitor; null for those that it makes itself */
  private MockCluster(Map<String, String> settings, ThreadFactory threads) {
    monitor = threads == null ? new Monitor(clock) : new Monitor(clock, threads);
    Shared.replace(new Shared(clock, monitor));
    this.settings = settings;
    try {
      rm = new MockRM(configuration());
      rm.start();
    } catch (RuntimeException | Error e) {
      Shared.replace(before);
      throw e;
    }
  }

  /** A cluster with one node whose queue under test is ordered by {@link StateAwareOrderingPolicy}. */
  static MockCluster ofOneNode(int memory, String... stateAware) throws Exception {
    MockCluster cluster = of(StateAwareOrderingPolicy.class, stateAware);
    cluster.addNode(memory);
    return cluster;
  }

  /**
   * A cluster without nodes.
   *
   * @param stateAware names below {@code state-aware.} and their values in turn
   */
  static MockCluster of(Class<?> policy, String... stateAware) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(queueKey("ordering-policy"), policy.getName());
    for (int i = 0; i < stateAware.length; i += 2) {
      settings.put(stateAwareKey(stateAware[i]), stateAware[i + 1]);
    }
    return new MockCluster(settings, false);
  }

  /**
   * A cluster without nodes.
   *
   * @param properties whole names and their values in turn
   */
  static MockCluster configured(Class<?> policy, String... properties) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(queueKey("ordering-policy"), policy.getName());
    for (int i = 0; i < properties.length; i += 2) {
      settings.put(properties[i], properties[i + 1]);
    }
    return new MockCluster(settings, false);
  }

  /** A cluster without nodes on one of the example files. */
  static MockCluster ofExample(String file) {
    Configuration example = new Configuration(false);
    example.addResource(new Path("conf-examples", file));
    Map<String, String> settings = new LinkedHashMap<>();
    example.forEach(set -> settings.put(set.getKey(), set.getValue()));
    if (settings.isEmpty()) {
      throw new IllegalArgumentException("conf-examples has no " + file);
    }
    return new MockCluster(settings, false);
  }

  /** A cluster without nodes in which the monitor's thread looks too. */
  static MockCluster withMonitorThread(Class<?> policy) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(queueKey("ordering-policy"), policy.getName());
    return new MockCluster(settings, true);
  }

  /** A cluster without nodes in which the monitor's thread looks too, if it can be made. */
  static MockCluster withMonitorThread(Class<?> policy, ThreadFactory threads) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(queueKey("ordering-policy"), policy.getName());
    return new MockCluster(settings, threads);
  }

  static String queueKey(String name) {
    return CapacitySchedulerConfiguration.PREFIX + DRIP + "." + name;
  }

  static String stateAwareKey(String name) {
    return queueKey("ordering-policy.state-aware." + name);
  }

  private YarnConfiguration configuration() {
    CapacitySchedulerConfiguration scheduler = new CapacitySchedulerConfiguration();
    scheduler.set(CapacitySchedulerConfiguration.PREFIX + "root.queues", "drip,other");
    for (String queue : new String[] {DRIP, OTHER}) {
      String prefix = CapacitySchedulerConfiguration.PREFIX + queue + ".";
      scheduler.set(prefix + "capacity", queue.equals(DRIP) ? "90" : "10");
      scheduler.set(prefix + "maximum-capacity", "100");
      scheduler.set(prefix + "user-limit-factor", "100");
      // As we recommend it for the queue under test: YARN keeps no application from the policy (fact 14).
      scheduler.set(prefix + "maximum-am-resource-percent", queue.equals(DRIP) ? "100" : "1");
    }
    scheduler.set(CapacitySchedulerConfiguration.OFFSWITCH_PER_HEARTBEAT_LIMIT, "100");
    YarnConfiguration conf = new YarnConfiguration(scheduler);
    conf.setClass(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 512);
    conf.setInt(YarnConfiguration.RM_AM_MAX_ATTEMPTS, 3);
    conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    conf.setBoolean(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_ENABLED, true);
    conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
    conf.setClass(YarnConfiguration.RM_STORE, MemoryRMStateStore.class, RMStateStore.class);
    conf.setInt(YarnConfiguration.MAX_CLUSTER_LEVEL_APPLICATION_PRIORITY, 10);
    // Of its own: those of two ResourceManagers side by side write over each other (fact 17).
    conf.set(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
        Paths.get("target", "node-attributes", id + "-" + restarts).toUri().toString());
    settings.forEach(conf::set);
    return conf;
  }

  /**
   * The ResourceManager is gone, and another one starts on its state store; no node is back yet.
   *
   * @return what the nodes will report, each when it is back
   */
  Map<MockNM, List<NMContainerStatus>> restart() throws Exception {
    Map<MockNM, List<NMContainerStatus>> reports = new LinkedHashMap<>();
    for (MockNM node : nodes) {
      List<NMContainerStatus> report = new ArrayList<>();
      for (RMContainer live : scheduler().getNode(node.getNodeId()).getCopiedListOfRunningContainers()) {
        report.add(NMContainerStatus.newInstance(live.getContainerId(), 0, ContainerState.RUNNING,
            live.getAllocatedResource(), "", ContainerExitStatus.INVALID,
            live.getAllocatedPriority(), live.getCreationTime()));
      }
      reports.put(node, report);
    }
    MockRM before = rm;
    restarts++;
    rm = new MockRM(configuration(), storeWithStateOf(before.getRMStateStore()));
    rm.start();
    before.stop();
    rm.drainEvents();
    return reports;
  }

  /** A store that has been stopped with its ResourceManager cannot be started again. */
  private MockMemoryRMStateStore storeWithStateOf(RMStateStore before) throws Exception {
    MockMemoryRMStateStore store = new MockMemoryRMStateStore();
    store.init(configuration());
    for (String field : new String[] {"state", "epoch", "appSubCtxtCopy"}) {
      FieldUtils.writeField(store, field, FieldUtils.readField(before, field, true), true);
    }
    // Memory shares what a ResourceManager clears in applications that have ended.
    Map<?, ?> submissions = (Map<?, ?>) FieldUtils.readField(store, "appSubCtxtCopy", true);
    for (Object submission : submissions.values()) {
      if (((ApplicationSubmissionContext) submission).getAMContainerSpec() == null) {
        ((ApplicationSubmissionContext) submission).setAMContainerSpec(
            ContainerLaunchContext.newInstance(null, null, null, null, null, null));
      }
    }
    return store;
  }

  /** Every node finds the new ResourceManager. */
  void comeBack(Map<MockNM, List<NMContainerStatus>> reports) throws Exception {
    for (Map.Entry<MockNM, List<NMContainerStatus>> report : reports.entrySet()) {
      comeBack(report.getKey(), report.getValue());
    }
  }

  /** A node finds the new ResourceManager and reports its containers. */
  void comeBack(MockNM node, List<NMContainerStatus> report) throws Exception {
    node.setResourceTrackerService(rm.getResourceTrackerService());
    List<ApplicationId> running = report.stream()
        .map(status -> status.getContainerId().getApplicationAttemptId().getApplicationId())
        .distinct().collect(Collectors.toList());
    node.registerNode(report, running);
    rm.drainEvents();
  }

  MockNM addNode(int memory) throws Exception {
    // Host names that are no addresses break the tokens of application masters (fact 17).
    hosts++;
    MockNM node =
        rm.registerNode("127.0." + hosts / 250 + "." + (hosts % 250 + 1) + ":1234", memory, 100);
    nodes.add(node);
    rm.drainEvents();
    return node;
  }

  /** From now on the node belongs to another partition. */
  void label(MockNM node, String label) throws Exception {
    RMNodeLabelsManager labels = rm.getRMContext().getNodeLabelManager();
    labels.replaceLabelsOnNode(Map.of(node.getNodeId(), label.isEmpty() ? Set.of() : Set.of(label)));
    rm.drainEvents();
  }

  void loseNode(MockNM node) throws Exception {
    nodes.remove(node);
    rm.sendNodeLost(node);
    rm.drainEvents();
  }

  /** The nodes are not of this ResourceManager any more. */
  void forgetNodes() {
    nodes.clear();
  }

  /** A running application of the other queue: a driver and executors of 1 GB. */
  MockApp fill(int executors) throws Exception {
    MockApp filler = submit(submission(GB).withQueue(OTHER));
    heartbeat();
    filler.register().ask(executors, GB);
    heartbeat();
    filler.heartbeat();
    return filler;
  }

  /**
   * Adds nodes of 4 GB of which 1 GB is free: a larger driver can be reserved there.
   *
   * @return the running application of the other queue that has the rest, an executor of 3 GB on each
   */
  MockApp addFilledNodes(int count) throws Exception {
    addNode(GB);
    MockApp filler = fill(0);
    for (int i = 0; i < count; i++) {
      addNode(4 * GB);
    }
    filler.ask(count, 3 * GB);
    heartbeat();
    filler.heartbeat();
    if (filler.executors().size() != count) {
      throw new IllegalStateException("Executors: " + filler.executors());
    }
    addUselessNodes(8 * count);
    return filler;
  }

  /** Room in the queue, without which nothing is reserved, on silent nodes that no driver fits. */
  void addUselessNodes(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      nodes.remove(addNode(GB / 2));
    }
  }

  /** An application with a driver of 1 GB. */
  MockApp submit() throws Exception {
    return submit(1 * GB, 0);
  }

  MockApp submit(int driverMemory, int priority) throws Exception {
    return submit(submission(driverMemory).withPriority(priority));
  }

  List<MockApp> submitMany(int count, int driverMemory, String user) throws Exception {
    List<MockApp> apps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      apps.add(submit(submission(driverMemory).withUser(user)));
    }
    return apps;
  }

  Submission submission(int driverMemory) {
    return new Submission("App" + ++submitted, DRIP, driverMemory).withMaxAttempts(3);
  }

  MockApp submit(Submission submission) throws Exception {
    RMApp app = submission.submit(rm);
    rm.waitForState(app.getApplicationId(), RMAppState.ACCEPTED);
    Eventually.is("it has asked for its driver", () -> {
      rm.drainEvents();
      RMAppAttempt attempt = app.getCurrentAppAttempt();
      return attempt != null && attempt.getAppAttemptState() != RMAppAttemptState.NEW
          && attempt.getAppAttemptState() != RMAppAttemptState.SUBMITTED;
    });
    return new MockApp(this, app.getApplicationId(), submission.name());
  }

  /** One heartbeat of every node, with all that follows from it. */
  void heartbeat() throws Exception {
    for (MockNM node : nodes) {
      heartbeat(node);
    }
  }

  void heartbeat(MockNM node) throws Exception {
    node.nodeHeartbeat(true);
    rm.drainEvents();
  }

  /** Time goes by, and nobody looks. */
  void pass(Duration duration) {
    clock.advance(duration);
  }

  /** Somebody sets the wall clock of the ResourceManager's host; no time passes. */
  void jumpWallClock(Duration ahead) {
    clock.jump(ahead);
  }

  /** The monitor looks once. */
  void look() {
    monitor.look();
  }

  /** A second passes, and the monitor looks at its next turn. */
  void lookAgain() {
    pass(Duration.ofSeconds(1));
    look();
  }

  /** So many seconds, in each of which all nodes send heartbeats and the monitor looks. */
  void live(int seconds) throws Exception {
    for (int second = 0; second < seconds; second++) {
      heartbeat();
      lookAgain();
      rm.drainEvents();
    }
  }

  int watched() {
    return monitor.size();
  }

  /** Refreshes the queues with the named property changed; null removes it. */
  void refresh(String key, String value) throws IOException {
    if (value == null) {
      settings.remove(key);
    } else {
      settings.put(key, value);
    }
    refresh();
  }

  /** The same with several properties changed. */
  void refresh(Map<String, String> changed) throws IOException {
    settings.putAll(changed);
    refresh();
  }

  /** What {@code yarn rmadmin -refreshQueues} does in the scheduler. */
  void refresh() throws IOException {
    scheduler().reinitialize(configuration(), rm.getRMContext());
  }

  /** The names of the applications that the queue offers now, in order. */
  List<String> offered() {
    return offeredIn(DRIP);
  }

  /** The same in another queue than the one under test. */
  List<String> offeredIn(String queue) {
    return names(policy(queue)
        .getAssignmentIterator(IteratorSelector.EMPTY_ITERATOR_SELECTOR));
  }

  List<String> inPreemptionOrder() {
    return names(policy().getPreemptionIterator());
  }

  private List<String> names(Iterator<FiCaSchedulerApp> offered) {
    List<String> names = new ArrayList<>();
    while (offered.hasNext()) {
      names.add(rm.getRMContext().getRMApps().get(offered.next().getApplicationId()).getName());
    }
    return names;
  }

  OrderingPolicy<FiCaSchedulerApp> policy() {
    return policy(DRIP);
  }

  @SuppressWarnings("unchecked")
  OrderingPolicy<FiCaSchedulerApp> policy(String queue) {
    return (OrderingPolicy<FiCaSchedulerApp>) LeafQueues.orderingPolicy(queue(queue));
  }

  CSQueue queue(String path) {
    return LeafQueues.find(scheduler(), path);
  }

  State stateOf(FiCaSchedulerApp attempt) {
    return Shared.current().histories().of(attempt, clock.monotonicMillis()).state();
  }

  /** Whether earlier attempts of the attempt's application have used up its time in starting. */
  @SuppressWarnings("unchecked")
  boolean isTimeUsedUp(FiCaSchedulerApp attempt) {
    Object ordering = StateAwareOrdering.of(LeafQueues.orderingPolicy(attempt.getQueue()));
    return ((StateAwareOrdering<FiCaSchedulerApp>) ordering).order().isTimeUsedUp(attempt);
  }

  int remembered() {
    return Shared.current().histories().size();
  }

  CapacityScheduler scheduler() {
    return (CapacityScheduler) rm.getResourceScheduler();
  }

  MockRM rm() {
    return rm;
  }

  MockNM nodeOn(String host) {
    return nodes.stream().filter(node -> node.getNodeId().getHost().equals(host)).findFirst().get();
  }

  List<MockNM> nodes() {
    return List.copyOf(nodes);
  }

  MockNM node(int index) {
    return nodes.get(index);
  }

  @Override
  public void close() {
    rm.stop();
    Shared.replace(before);
  }
}
