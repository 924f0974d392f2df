// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * Decides from YARN's own data whether the promises of docs/robustness.md hold in the queue under test.
 * It knows the configuration, and nothing of the state of the policy.
 *
 * <p>{@link #observe} looks at the cluster after every event. Times are virtual seconds. Where the
 * promise depends on a second more or less, the application is not counted.
 */
final class AdmissionOracle {

  /** The bounds of docs/robustness.md#how-long-anybody-waits-for-another. */
  private static final int STARTS_BEFORE_A_TRIAL = 8;
  private static final int MARGIN = 3;

  /** The configuration that the promises depend on. */
  static final class Limits {
    int maxStarting;
    int startingTimeout;
    int acceptedTimeout;
    boolean byPriority;
    double userShare;
    double queueShare;
  }

  /** What is known of an application. */
  private static final class Life {
    final MockApp app;
    final String user;
    final String label;
    ApplicationAttemptId attempt;
    FiCaSchedulerApp now;
    int driverSize;
    int driverAt;
    int ranAt;
    boolean hasDriver;
    boolean isExempt;
    /** Its driver was allocated in another queue, or moved with it. */
    boolean isMoved;
    /** How long its earlier attempts were starting. */
    int startedBefore;
    int attempts;
    boolean waits;
    boolean waited;
    boolean isReserved;
    int overtaken;
    final Set<ApplicationId> olderOnes = new HashSet<>();

    Life(MockApp app, String user, String label, boolean isExempt) {
      this.app = app;
      this.user = user;
      this.label = label;
      this.isExempt = isExempt;
    }

    int priority() {
      return app.rmApp().getApplicationPriority().getPriority();
    }

    boolean isStarting() {
      return hasDriver && ranAt < 0 && !isExempt;
    }
  }

  private final MockCluster cluster;
  private final Limits limits;
  private final Map<ApplicationId, Life> lives = new TreeMap<>();
  private final Map<String, Integer> stuckFor = new HashMap<>();
  private final Set<String> startedNow = new HashSet<>();
  /** The second in which each container was allocated. */
  private final Map<RMContainer, Integer> allocated = new HashMap<>();
  private final List<String> broken = new ArrayList<>();
  private int second;
  private int restartedAt = Integer.MIN_VALUE;
  private int drivers;

  AdmissionOracle(MockCluster cluster, Limits limits) {
    this.cluster = cluster;
    this.limits = limits;
  }

  void submitted(MockApp app, String user, String label, boolean isExempt) throws Exception {
    lives.put(app.id(), new Life(app, user, label, isExempt));
    observe();
  }

  /** Moved away or back: the bounds of its place in line begin anew. */
  void moved(MockApp app) {
    Life life = lives.get(app.id());
    life.isMoved |= life.hasDriver;
    life.overtaken = 0;
    life.olderOnes.clear();
  }

  /**
   * The ResourceManager is about to restart. YARN stamps containers with the real time, from which
   * Dripfeed reads their age afterwards, so they get the time of the virtual second.
   */
  void restarting() throws IllegalAccessException {
    for (Life life : lives.values()) {
      if (life.now != null) {
        for (RMContainer container : life.now.getLiveContainers()) {
          if (container instanceof RMContainerImpl && allocated.containsKey(container)) {
            FieldUtils.writeField(container, "creationTime",
                System.currentTimeMillis() + allocated.get(container) * 1000L, true);
          }
        }
      }
    }
  }

  /** The sums of starting times are lost. */
  void restarted() {
    restartedAt = second;
    stuckFor.clear();
    for (Life life : lives.values()) {
      life.startedBefore = 0;
      life.overtaken = 0;
      life.olderOnes.clear();
    }
  }

  int drivers() {
    return drivers;
  }

  List<String> broken() {
    return broken;
  }

  /** Looks at every application, after each event. */
  void observe() throws Exception {
    List<Life> fresh = new ArrayList<>();
    for (Life life : new ArrayList<>(lives.values())) {
      if (look(life)) {
        fresh.add(life);
      }
    }
    for (Life started : fresh) {
      drivers++;
      startedNow.add(started.label);
      checkSlots(started);
      checkOvertaking(started);
    }
  }

  /** @return whether it got its driver in the queue since the last look */
  private boolean look(Life life) throws Exception {
    FiCaSchedulerApp current = life.app.rmApp() == null || life.app.rmApp().getCurrentAppAttempt() == null
        ? null : life.app.attempt();
    life.waited = life.waits;
    life.waits = false;
    life.isReserved = false;
    if (current == null || !current.getApplicationAttemptId().equals(life.attempt)) {
      endAttempt(life);
    }
    life.now = current;
    if (current == null) {
      if (life.app.rmApp() == null || life.app.rmApp().isAppInCompletedStates()) {
        lives.remove(life.app.id());
      }
      return false;
    }
    life.attempt = current.getApplicationAttemptId();
    boolean driver = false;
    boolean executor = false;
    for (RMContainer container : current.getLiveContainers()) {
      driver |= container.isAMContainer();
      executor |= !container.isAMContainer();
      allocated.computeIfAbsent(container, this::secondOf);
    }
    boolean isHere = isHere(life);
    boolean isNew = driver && !life.hasDriver;
    if (isNew) {
      life.hasDriver = true;
      life.driverAt = second;
      life.isMoved |= !isHere;
    }
    if (executor && life.ranAt < 0) {
      life.ranAt = second;
    }
    life.driverSize = driver ? 0 : pendingDriver(current);
    life.waits = !life.hasDriver && !executor && isHere && life.driverSize > 0 && !life.isExempt;
    life.isReserved = life.waits && !current.getReservedContainers().isEmpty();
    return isNew && isHere && !life.isExempt && life.waited;
  }

  private void endAttempt(Life life) {
    if (life.hasDriver) {
      int until = life.ranAt >= 0 ? life.ranAt : second;
      life.startedBefore += Math.min(until - life.driverAt, limits.startingTimeout);
    }
    if (life.attempt != null) {
      life.attempts++;
    }
    life.hasDriver = false;
    life.ranAt = -1;
  }

  private int secondOf(RMContainer container) {
    long recovered = (container.getCreationTime() - System.currentTimeMillis()) / 1000;
    return restartedAt >= 0 && recovered > 0 && recovered < second ? (int) recovered : second;
  }

  private static int pendingDriver(FiCaSchedulerApp attempt) {
    for (ResourceRequest request : attempt.getAppSchedulingInfo().getAllResourceRequests()) {
      if (request.getPriority().getPriority() == 0 && request.getNumContainers() > 0) {
        return (int) request.getCapability().getMemorySize();
      }
    }
    return 0;
  }

  private static boolean isHere(Life life) {
    return life.now != null && life.now.getQueueName().endsWith("drip");
  }

  private int margin(Life life) {
    return MARGIN + life.attempts;
  }

  /** Whether it certainly takes a slot of its line. */
  private boolean takesSlot(Life life) {
    return life.isStarting() && !life.isMoved && isHere(life) && isBelowUserLimit(life)
        && life.startedBefore + second - life.driverAt < limits.startingTimeout - margin(life);
  }

  /** Whether it may take a slot of its line. */
  private boolean mayTakeSlot(Life life) {
    return isHere(life) && life.hasDriver && life.now.getLiveContainers().size() <= 1
        && (!life.now.getReservedContainers().isEmpty() || !isAboveUserLimit(life))
        && (life.ranAt < 0 || life.ranAt <= restartedAt)
        && second - Math.max(restartedAt, life.driverAt) < limits.startingTimeout + MARGIN;
  }

  /** Whether its earlier attempts may have used up its starting time. */
  private boolean mayBeExhausted(Life life) {
    return life.startedBefore >= limits.startingTimeout - margin(life);
  }

  /** "The policy never lets more than max-starting applications start", and one for each priority above. */
  private void checkSlots(Life started) {
    if (!takesSlot(started)) {
      return;
    }
    List<String> taking = new ArrayList<>();
    boolean isAnyAsUrgent = false;
    for (Life life : lives.values()) {
      if (life.label.equals(started.label) && (takesSlot(life) || life.isReserved && !mayBeExhausted(life)
          && life.startedBefore == 0)) {
        taking.add(life.app.name() + (life.isReserved ? " (reserved)" : ""));
        isAnyAsUrgent |= life != started && (!limits.byPriority || life.priority() >= started.priority());
      }
    }
    if (taking.size() > limits.maxStarting && isAnyAsUrgent) {
      fail(started.app.name() + " started beside others, " + taking + " with " + limits.maxStarting
          + " slots. " + describe(started.label));
    }
  }

  /** "At most a handful of later applications start before a stalled one that can be placed." */
  private void checkOvertaking(Life started) {
    int size = (int) started.app.rmApp().getApplicationSubmissionContext().getResource()
        .getMemorySize();
    for (Life life : lives.values()) {
      if (life == started || !life.waits || !life.waited || !life.label.equals(started.label)
          || life.driverSize > size || !isBefore(life, started) || mayBeExhausted(life)
          || !life.user.equals(started.user) && !isBelowUserLimit(life)) {
        continue;
      }
      for (Life older : lives.values()) {
        if (older.waits && older.label.equals(life.label) && isBefore(older, life)) {
          life.olderOnes.add(older.app.id());
        }
      }
      life.overtaken++;
      int most = (STARTS_BEFORE_A_TRIAL + limits.maxStarting) * (life.olderOnes.size() + 1);
      if (life.overtaken > most) {
        fail(life.app.name() + " of " + life.driverSize / GB + " GB was overtaken by " + life.overtaken
            + " later ones, the last of them " + started.app.name() + " of " + size / GB + " GB, behind "
            + life.olderOnes.size() + " older ones");
        life.overtaken = 0;
      }
    }
  }

  private boolean isBefore(Life one, Life other) {
    int byPriority = limits.byPriority ? other.priority() - one.priority() : 0;
    return byPriority == 0 ? one.app.id().compareTo(other.app.id()) < 0 : byPriority < 0;
  }

  /** Everything that happens in this second has happened. */
  void endSecond() throws Exception {
    for (String label : List.of("", "gpu")) {
      checkLiveness(label);
    }
    startedNow.clear();
    second++;
  }

  /** While a driver could be placed, one of its line is, within the time that the line may be held. */
  private void checkLiveness(String label) throws Exception {
    int taken = 0;
    int waiting = 0;
    Life placeable = null;
    for (Life life : lives.values()) {
      if (life.label.equals(label)) {
        taken += mayTakeSlot(life) ? 1 : 0;
        waiting += life.waits ? 1 : 0;
        placeable = placeable == null && isPlaceable(life) ? life : placeable;
      }
    }
    boolean stuck =
        placeable != null && taken < limits.maxStarting && !startedNow.contains(label);
    int seconds = stuck ? stuckFor.merge(label, 1, Integer::sum) : 0;
    stuckFor.put(label, seconds);
    if (seconds > limits.acceptedTimeout + waiting + MARGIN) {
      fail(placeable.app.name() + " of " + placeable.driverSize / GB + " GB can be placed, " + taken
          + " of " + limits.maxStarting + " slots are taken, and none of " + waiting
          + " in the line got its driver for " + seconds + " s. " + describe(label));
      stuckFor.put(label, 0);
    }
  }

  private boolean isPlaceable(Life life) {
    return life.waits && life.waited && !mayBeExhausted(life) && isBelowUserLimit(life)
        && used(life.label, null) + life.driverSize + 2 * GB
            <= limits.queueShare * total(life.label)
        && nodes(life.label).stream().anyMatch(node -> node.getReservedContainer() == null
            && node.getUnallocatedResource().getMemorySize() >= life.driverSize);
  }

  private boolean isBelowUserLimit(Life life) {
    return used(life.label, life.user) + life.driverSize + GB <= limits.userShare * total(life.label);
  }

  private boolean isAboveUserLimit(Life life) {
    return used(life.label, life.user) > limits.userShare * total(life.label) + GB;
  }

  /** The memory that the queue uses in a partition, or one user of the queue. */
  private long used(String label, String user) {
    long sum = 0;
    for (Life life : lives.values()) {
      if (isHere(life) && (user == null || user.equals(life.user))) {
        sum += memory(life.now.getLiveContainers(), label)
            + memory(life.now.getReservedContainers(), label);
      }
    }
    return sum;
  }

  private long memory(Collection<RMContainer> containers, String label) {
    return containers.stream().filter(container -> container.getNodeLabelExpression() == null
        ? label.isEmpty() : container.getNodeLabelExpression().equals(label))
        .mapToLong(container -> Math.max(container.getAllocatedResource().getMemorySize(),
            container.getReservedResource() == null ? 0
                : container.getReservedResource().getMemorySize())).sum();
  }

  private long total(String label) {
    return nodes(label).stream().mapToLong(node -> node.getTotalResource().getMemorySize()).sum();
  }

  private List<SchedulerNode> nodes(String label) {
    List<SchedulerNode> nodes = new ArrayList<>();
    for (MockNM node : cluster.nodes()) {
      SchedulerNode found = cluster.scheduler().getSchedulerNode(node.getNodeId());
      if (found != null && found.getPartition().equals(label)) {
        nodes.add(found);
      }
    }
    return nodes;
  }

  /** The line and its nodes, for the message. */
  private String describe(String label) {
    List<String> all = new ArrayList<>();
    for (SchedulerNode node : nodes(label)) {
      all.add(node.getNodeID().getHost() + " free " + node.getUnallocatedResource().getMemorySize()
          + (node.getReservedContainer() == null ? "" : " reserved for "
              + node.getReservedContainer().getApplicationAttemptId()));
    }
    for (Life life : lives.values()) {
      if (isHere(life)) {
        all.add(life.app.name() + " " + life.app.id().getId() + " of " + life.user + " in '" + life.label
            + "' priority " + life.priority() + (life.waits ? " waits for " + life.driverSize
                : " holds " + life.now.getCurrentConsumption().getMemorySize())
            + " wants " + life.now.getAppAttemptResourceUsage().getPending(label).getMemorySize()
            + (life.isStarting() ? " starting since " + life.driverAt : ""));
      }
    }
    return String.join("\n    ", all);
  }

  private void fail(String what) {
    broken.add("second " + second + ": " + what);
  }
}
