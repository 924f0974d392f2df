// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The part of one queue in a {@link StartPlan}. The caller adds the applications of the queue in the order
 * in which YARN serves them. Used by one thread.
 *
 * @param <T> what stands for an application attempt
 */
public final class QueuePlan<T> {

  /** An application in its position. */
  private static final class Step<T> {
    T item;
    State state;
    String user;
    List<Demand> demands;
    String line;
    /** For a waiting application: read when it is considered. */
    Supplier<StartNeeds> supplier;
    StartNeeds needs;
    /** For an application with a driver: what it requests, and is expected to request later. */
    List<Demand> expected = Collections.emptyList();
    /** For a running application with demand: what it holds, by partition. */
    Map<String, ResourceVector> held = Collections.emptyMap();
    /** What running applications with demand hold that come after it. */
    Map<String, ResourceVector> behind;
    /** For a running application: the number of containers of the current demand that were considered. */
    long considered;
    int current;
  }

  /** What is left to a queue. */
  public static final class Headroom {
    private final Function<String, PartitionHeadroom> partitions;
    private final DemandOutlook.Room room;

    /**
     * @param partitions returns the headroom of the queue in a partition by its name; always the same
     *     object for the same name
     * @param room the limits and the usage of the queue and its users
     */
    public Headroom(Function<String, PartitionHeadroom> partitions, DemandOutlook.Room room) {
      this.partitions = partitions;
      this.room = room;
    }
  }

  private enum State { RUNNING, STARTING, WAITING }

  private final Object owner;
  private final String name;
  private final int slots;
  private final Function<String, PartitionHeadroom> partitions;
  private final List<ClaimTotal> levels;
  private final List<Step<T>> steps = new ArrayList<>();
  /** What its applications are expected to come to want. */
  private final DemandOutlook outlook;
  private final Map<String, ResourceSum> borrowed = new HashMap<>();
  private final Map<T, HeadroomClaim> claims = new HashMap<>();
  private final Map<String, Wait> shortages = new HashMap<>();
  private final Map<String, String> shortLevels = new HashMap<>();
  /** The waiting applications that were considered, by line. */
  private final Map<String, Integer> considered = new HashMap<>();
  private long claimed;
  private int startingBefore;
  private int starting;
  private int next;
  private int waiting;

  /**
   * @param owner identifies the queue
   * @param name its name, for messages
   * @param slots the number of applications that may start in any case
   * @param headroom what is left to the queue
   * @param levels the totals of claims on the queue and its ancestors
   */
  public QueuePlan(Object owner, String name, int slots, Headroom headroom, List<ClaimTotal> levels) {
    this.owner = owner;
    this.name = name;
    this.slots = slots;
    this.partitions = headroom.partitions;
    this.outlook = new DemandOutlook(headroom.room);
    this.levels = levels;
  }

  Object owner() {
    return owner;
  }

  String name() {
    return name;
  }

  // The applications, in order.

  /**
   * Adds a running application.
   *
   * @param demands all that it requests
   * @param expected what it requests, and is expected to request later
   * @param held what it holds and will release, by partition, if it requests more; else empty
   */
  public void runs(
      String user, List<Demand> demands, List<Demand> expected, Map<String, ResourceVector> held) {
    if (!demands.isEmpty() || !expected.isEmpty()) {
      Step<T> step = step(State.RUNNING, user, demands);
      step.expected = expected;
      step.held = held;
    }
  }

  /**
   * Adds a starting application.
   *
   * @param missing the executors that it lacks to be running, of the requested or expected size
   * @param expected what it requests, and is expected to request later
   */
  public void starts(T item, String user, List<Demand> missing, List<Demand> expected) {
    Step<T> step = step(State.STARTING, user, missing);
    step.item = item;
    step.expected = expected;
    starting++;
  }

  /**
   * Adds a waiting application. Applications of one line are added in their order.
   *
   * @param line the partition of its line
   * @param needs returns what it needs to start; null if it requests no driver now
   */
  public void waits(T item, String line, String user, Supplier<StartNeeds> needs) {
    Step<T> step = step(State.WAITING, user, Collections.<Demand>emptyList());
    step.item = item;
    step.line = line;
    step.supplier = needs;
    waiting++;
  }

  private Step<T> step(State state, String user, List<Demand> demands) {
    Step<T> step = new Step<>();
    step.state = state;
    step.user = user;
    step.demands = demands;
    steps.add(step);
    startingBefore += state == State.STARTING ? 1 : 0;
    return step;
  }

  // The plan.

  /** Starting applications come first: they hold resources already. */
  void begin() {
    Map<String, ResourceVector> behind = Collections.emptyMap();
    for (int i = steps.size() - 1; i >= 0; i--) {
      steps.get(i).behind = behind;
      if (!steps.get(i).held.isEmpty()) {
        Map<String, ResourceVector> more = new HashMap<>(behind);
        steps.get(i).held.forEach((partition, held) -> more.merge(partition, held, ResourceVector::plus));
        behind = more;
      }
    }
    for (Step<T> step : steps) {
      if (step.state == State.STARTING) {
        outlook.claim(step.user, step.expected);
        assignStarting(step);
      }
    }
  }

  private void assignStarting(Step<T> step) {
    Map<String, ResourceVector> assigned = new HashMap<>();
    for (Demand demand : step.demands) {
      PartitionHeadroom headroom = partitions.apply(demand.partition());
      if (demand.count() <= 0 || !headroom.isPossible(demand.size())) {
        continue;
      }
      headroom.begin(step.user);
      Wait shortage = headroom.assign(step.user, demand.size(), demand.count());
      if (shortage != null && shortage != Wait.HEADROOM_USER) {
        Demand rest = demand.atMost(demand.count() - headroom.assigned());
        if (!borrow(step, Collections.singletonList(rest))) {
          headroom.exhaust();
        }
      }
      if (headroom.assigned() > 0) {
        assigned.merge(demand.partition(), demand.size().times(headroom.assigned()), ResourceVector::plus);
      }
    }
    claim(step.item, HeadroomClaim.ofStarting(step.item, levels, assigned), assigned.values());
  }

  private void claim(T item, HeadroomClaim claim, Collection<? extends ResourceAmounts> amounts) {
    claims.put(item, claim);
    for (ResourceAmounts each : amounts) {
      claimed += each.get(0);
    }
  }

  boolean hasNext() {
    return next < steps.size();
  }

  boolean hasWaiting() {
    return waiting > 0;
  }

  /** Its usage, with what was assigned so far, in proportion to its guaranteed capacity. */
  double usedOfGuaranteed() {
    Step<T> step = steps.get(next);
    String partition = step.line != null ? step.line
        : step.demands.isEmpty() ? "" : step.demands.get(0).partition();
    return partitions.apply(partition).usedOfGuaranteed();
  }

  /**
   * Considers the next application, or a part of its demand.
   *
   * @param parts the number of parts into which a large demand is divided, so that queues take turns
   */
  void proceed(int parts) {
    Step<T> step = steps.get(next);
    if (step.state == State.WAITING) {
      waiting--;
      assignWaiting(step);
      next++;
    } else if (step.state == State.STARTING || !assignRunning(step, parts)) {
      next++;
    }
  }

  /** @return whether a part of its demand has still to be considered */
  private boolean assignRunning(Step<T> step, int parts) {
    if (step.current == 0 && step.considered == 0) {
      outlook.claim(step.user, step.expected);
    }
    if (step.demands.isEmpty()) {
      return false;
    }
    Demand demand = step.demands.get(step.current);
    PartitionHeadroom headroom = partitions.apply(demand.partition());
    boolean over = true;
    // Demand that can never be met, or that only the user's limit blocks, holds back no other application.
    if (demand.count() > 0 && headroom.isPossible(demand.size())) {
      headroom.begin(step.user);
      long part = Math.min(demand.count() - step.considered, Math.max(1, demand.count() / parts));
      Wait shortage = headroom.assign(step.user, demand.size(), part);
      if (shortage != null && shortage != Wait.HEADROOM_USER) {
        headroom.exhaust();
      }
      step.considered += part;
      over = shortage != null || step.considered >= demand.count();
    }
    if (over) {
      step.current++;
      step.considered = 0;
    }
    return step.current < step.demands.size();
  }

  private void assignWaiting(Step<T> step) {
    if (isShort(step.line)) {
      return;
    }
    step.needs = step.supplier.get();
    if (step.needs == null) {
      return;
    }
    step.demands = step.needs.firstStage;
    Demand driver = step.needs.driver;
    boolean slot = considered.merge(step.line, 1, Integer::sum) + startingBefore <= slots;
    PartitionHeadroom headroom = partitions.apply(driver.partition());
    Wait shortage = outlook.hasRoom(driver, step.demands) ? assign(step) : Wait.HEADROOM_EXPECTED;
    boolean assigned = shortage != Wait.HEADROOM_EXPECTED && shortage != Wait.HEADROOM_DEMAND;
    int executors = 0;
    for (Demand demand : step.demands) {
      executors = Math.max(executors, (int) demand.count());
    }
    boolean borrows = false;
    if (shortage == Wait.HEADROOM_QUEUE || shortage == Wait.HEADROOM_NODES
        || shortage == Wait.HEADROOM_EXPECTED) {
      if (assigned) {
        undo(step);
        assigned = false;
      }
      borrows = borrow(step, together(step));
      shortage = borrows ? null : shortage;
    }
    boolean reserved = step.needs.keepsReserve || headroom.isKeptBesideAll();
    boolean userReserve = !reserved || headroom.keepsUserReserve(step.user, driver.size(), executors);
    boolean reserve = userReserve && (!reserved || headroom.keepsReserve(driver.size()));
    if (shortage == null && !reserve) {
      shortage = userReserve ? Wait.HEADROOM_RESERVE : Wait.HEADROOM_USER;
    }
    if (shortage == null) {
      addDriver(step, headroom);
      starting++;
      start(step, borrows);
      return;
    }
    if (assigned) {
      undo(step);
    }
    if (shortage == Wait.HEADROOM_USER) {
      // YARN, too, passes over a user at its limit.
      shortages.putIfAbsent(step.line, shortage);
      claims.put(step.item, HeadroomClaim.passedOver(step.item));
      return;
    }
    shortages.put(step.line, shortage);
    if (shortage == Wait.HEADROOM_QUEUE) {
      shortLevels.put(step.line, headroom.shortLevel());
    }
    if (slot && reserve) {
      addDriver(step, headroom);
      claims.put(step.item, HeadroomClaim.ofSlot(step.item));
    }
  }

  private void addDriver(Step<T> step, PartitionHeadroom headroom) {
    headroom.addDriver(step.user, step.needs.driver.size());
    if (step.needs.keepsReserve) {
      headroom.keepBesideAll();
    }
  }

  private void start(Step<T> step, boolean borrows) {
    Demand driver = step.needs.driver;
    outlook.claim(step.user, Collections.singletonList(driver));
    outlook.claim(step.user, step.needs.expected);
    Map<String, ResourceVector> amounts = new HashMap<>();
    if (!borrows) {
      for (Demand demand : step.demands) {
        amounts.merge(demand.partition(), demand.size().times(demand.count()), ResourceVector::plus);
      }
      claimed += driver.size().get(0);
    }
    claim(step.item, HeadroomClaim.toStart(step.item, levels, driver.partition(),
        borrows ? null : driver.size(), amounts), amounts.values());
  }

  private Wait assign(Step<T> step) {
    List<Demand> all = together(step);
    for (Demand demand : all) {
      PartitionHeadroom headroom = partitions.apply(demand.partition());
      if (headroom.isExhausted()) {
        return Wait.HEADROOM_DEMAND;
      }
    }
    all.forEach(demand -> partitions.apply(demand.partition()).begin(step.user));
    for (Demand demand : all) {
      Wait shortage =
          partitions.apply(demand.partition()).assign(step.user, demand.size(), demand.count());
      if (shortage != null) {
        return shortage;
      }
    }
    return null;
  }

  private void undo(Step<T> step) {
    for (Demand demand : together(step)) {
      partitions.apply(demand.partition()).undo();
    }
  }

  private List<Demand> together(Step<T> step) {
    List<Demand> all = new ArrayList<>(step.demands);
    all.add(0, step.needs.driver.atMost(1));
    return all;
  }

  /**
   * A running application that requests more and comes later gets nothing of what it releases while an
   * earlier one requests it. So the earlier one may count on what the later one holds.
   */
  private boolean borrow(Step<T> step, List<Demand> demands) {
    Map<String, ResourceSum> after = new HashMap<>();
    for (Demand demand : demands) {
      ResourceVector there = step.behind.get(demand.partition());
      if (there == null || !partitions.apply(demand.partition()).isPossible(demand.size())) {
        return false;
      }
      ResourceSum sum = after.computeIfAbsent(demand.partition(), p -> borrowed.containsKey(p)
          ? new ResourceSum(borrowed.get(p)) : new ResourceSum(there.types()));
      sum.add(demand.size(), demand.count());
      if (!sum.fitsIn(there)) {
        return false;
      }
    }
    borrowed.putAll(after);
    return true;
  }

  boolean isShort(String line) {
    Wait shortage = shortages.get(line);
    return shortage != null && shortage != Wait.HEADROOM_USER;
  }

  /** Whether more applications are starting, or may start, than there are slots. */
  boolean isCrowded() {
    return starting > slots;
  }

  /** What its applications claim, of the first resource type. */
  long claimed() {
    return claimed;
  }

  /** The claims of all starting applications, and of all that may start. */
  public Map<T, HeadroomClaim> claims() {
    return claims;
  }

  /** The shortage of the first application that may not start, by line. */
  public Map<String, Wait> shortages() {
    return shortages;
  }

  /** The level that has too little headroom for the line; null if that is not the reason. */
  String shortLevel(String line) {
    return shortLevels.get(line);
  }
}
