// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One queue in a {@link StartPlan}. The caller adds the applications in the order of the queue. Used by one
 * thread.
 *
 * @param <T> what stands for an application attempt
 */
public final class PlanQueue<T> {

  /** An application in its place. */
  private static final class Step<T> {
    final T item;
    final String user;
    /** For a started application: what it requests, and is expected to request. */
    final List<Demand> claims;
    /** For an accepted application. */
    final String line;
    Supplier<Needs> supplier;
    Needs needs;
    Map<String, ResourceVector> amounts;

    Step(T item, String user, List<Demand> claims, String line, Supplier<Needs> supplier) {
      this.item = item;
      this.user = user;
      this.claims = claims;
      this.line = line;
      this.supplier = supplier;
    }

    /** Null for an application that requests no driver now. */
    Needs needs() {
      if (supplier != null) {
        needs = supplier.get();
        supplier = null;
        if (needs != null) {
          amounts = new HashMap<>();
          amounts.put(needs.driver.partition(), needs.driver.size());
          needs.firstStage.forEach(each -> amounts.merge(
              each.partition(), each.size().times(each.count()), ResourceVector::plus));
        }
      }
      return needs;
    }
  }

  private final String name;
  private final Function<String, PlanPartition> partitions;
  private final BiFunction<String, String, Account> users;
  private final List<Step<T>> steps = new ArrayList<>();
  private final Set<T> starts = new LinkedHashSet<>();
  private final Map<String, WaitReason> reasons = new HashMap<>();
  /** The lines of which nobody may start any more. */
  private final Set<String> ended = new HashSet<>();
  private final Set<String> withoutSlot = new HashSet<>();
  /** The lines and levels in which an application is starting, or was let start so that room is made. */
  private final Set<Object> begun = new HashSet<>();
  private boolean fair;
  private boolean preempted;
  private boolean roomIsMade;
  private int next;
  private int accepted;

  /**
   * @param name the path of the queue, for messages
   * @param partitions returns a partition by its name, always the same object
   * @param users returns what a user may take in a partition, always the same object
   */
  public PlanQueue(String name, Function<String, PlanPartition> partitions,
      BiFunction<String, String, Account> users) {
    this.name = name;
    this.partitions = partitions;
    this.users = users;
  }

  /**
   * Adds an application that has its driver.
   *
   * @param lacking its first executors that it lacks, requests or is expected to request, and could get
   * @param claims what it requests, and is expected to request, beyond those
   */
  public void started(T item, String user, List<Demand> lacking, List<Demand> claims) {
    for (Demand demand : lacking) {
      partitions.apply(demand.partition())
          .claim(users.apply(user, demand.partition()), demand.size(), demand.count(), true);
    }
    if (!claims.isEmpty()) {
      steps.add(new Step<>(item, user, claims, null, null));
      claims.forEach(demand -> partitions.apply(demand.partition())
          .claimLater(demand.size(), Math.max(0, demand.count())));
    }
  }

  /**
   * YARN serves a new driver before what others request, so that room for all drivers is no reason to start
   * all of them.
   */
  public void setFair() {
    fair = true;
  }

  /**
   * Others make room for applications of the queue.
   *
   * @param between whether YARN preempts other queues while this one uses less than its guarantee
   * @param within whether containers are taken from its own applications
   */
  public void setRoomMade(boolean between, boolean within) {
    preempted = between;
    roomIsMade = between || within;
  }

  /** An application is starting in the line, at this level: no room has to be made for another one. */
  public void isStarting(String line, Object level) {
    begun.add(line);
    begun.add(level);
  }

  /** A driver of the user in the partition cannot be taken back. */
  public void keepReserve(String partition, String user) {
    partitions.apply(partition).keepReserve(users.apply(user, partition));
  }

  /**
   * Adds an application that waits for its driver.
   *
   * @param line the partition of its driver
   * @param needs returns what it needs to start; null if it requests no driver now
   */
  public void accepted(T item, String line, String user, Supplier<Needs> needs) {
    steps.add(new Step<>(item, user, Collections.emptyList(), line, needs));
    accepted++;
  }

  /** The applications that may start. */
  public Set<T> starts() {
    return starts;
  }

  /** Why the first application of each line that may not start waits. */
  public Map<String, WaitReason> reasons() {
    return reasons;
  }

  /** The lines in which not even one at a time starts without a pass. */
  public Set<String> withoutSlot() {
    return withoutSlot;
  }

  // The plan.

  boolean hasNext() {
    return next < steps.size() && accepted > 0;
  }

  /** What the queue uses of what it is guaranteed where its next application wants something. */
  double usedOfGuaranteed() {
    Step<T> step = steps.get(next);
    return partitions.apply(step.line != null ? step.line : step.claims.get(0).partition())
        .usedOfGuaranteed();
  }

  /** Takes drivers and first executors of all accepted applications from what is free now. */
  boolean fitsNow() {
    for (Step<T> step : steps) {
      if (step.line == null || isNothingLeft(step) || step.needs() == null || isUserShort(step)) {
        continue;
      }
      for (Map.Entry<String, ResourceVector> need : step.amounts.entrySet()) {
        PlanPartition partition = partitions.apply(need.getKey());
        if (step.needs.isGuess || partition.shortAccount(need.getValue(), true) != null) {
          return false;
        }
        partition.takeNow(need.getValue());
      }
    }
    return true;
  }

  /** Whether the user of an application that waits has nothing left for any driver. */
  private boolean isNothingLeft(Step<T> step) {
    return users.apply(step.user, step.line).left().get(0) <= 0;
  }

  private boolean isUserShort(Step<T> step) {
    return step.amounts.entrySet().stream().anyMatch(need ->
        !users.apply(step.user, need.getKey()).covers(need.getValue(), false));
  }

  /**
   * Considers the next application, or takes what it claims.
   *
   * @param all whether all accepted applications fit into what is free now
   */
  void proceed(boolean all) {
    Step<T> step = steps.get(next++);
    if (step.line == null) {
      claim(step);
      return;
    }
    accepted--;
    // Of a user with nothing left the first one says why, and room may be made for each.
    boolean hopeless = !roomIsMade && reasons.containsKey(step.line) && isNothingLeft(step);
    if (!ended.contains(step.line) && !hopeless && step.needs() != null) {
      consider(step, all && !fair);
    }
  }

  private void claim(Step<T> step) {
    for (Demand demand : step.claims) {
      long count = Math.max(0, demand.count());
      PlanPartition partition = partitions.apply(demand.partition());
      partition.claim(users.apply(step.user, demand.partition()), demand.size(), count, false);
      partition.claimLater(demand.size(), -count);
    }
  }

  private void consider(Step<T> step, boolean all) {
    Needs needs = step.needs;
    PlanPartition home = partitions.apply(step.line);
    WaitReason reason = null;
    boolean passesOver = false;
    for (Map.Entry<String, ResourceVector> need : step.amounts.entrySet()) {
      String at = need.getKey();
      ResourceVector amounts = need.getValue();
      ResourceVector driver =
          at.equals(step.line) ? needs.driver.size() : ResourceVector.zero(amounts.types());
      Account user = users.apply(step.user, at);
      Account account = all ? null : partitions.apply(at).shortAccount(amounts, false);
      if (account != null) {
        reason = WaitReason.of(account, name, driver, amounts);
        passesOver = !at.equals(step.line) || user.free().isNegative()
            || PlanPartition.isOnlyRare(amounts, account.left());
        break;
      }
      if (!user.covers(amounts, false)) {
        Account shortToo = partitions.apply(at).shortAccount(amounts, false);
        reason = shortToo == null ? WaitReason.ofUser(user, driver, amounts)
            : WaitReason.of(shortToo, name, driver, amounts);
        passesOver = true;
        break;
      }
    }
    if (reason == null && !all && (needs.isGuess || !isLaterCovered(step))) {
      Account beyond = home.beyondPart(needs.driver.size());
      reason = beyond == null ? null : WaitReason.ofPart(beyond, name, needs.driver.size());
    }
    if (reason != null && reason.isForRoom() && isRoomMadeFor(step)) {
      reason = null;
    }
    if (reason == null && !home.keepsReserve(
        users.apply(step.user, step.line), needs.driver.size(), needs.keepsReserve)) {
      reason = new WaitReason(Wait.PLAN_RESERVE);
    }
    if (reason == null) {
      start(step);
    } else {
      reasons.putIfAbsent(step.line, reason);
      if (!passesOver) {
        ended.add(step.line);
        if (isSlotClosed(step)) {
          withoutSlot.add(step.line);
        }
      }
    }
  }

  /**
   * Whether others whose task it is can make room, once they are asked for it: YARN's preemption between
   * queues for one application of each line, what preempts within the queue for one of each level.
   */
  private boolean isRoomMadeFor(Step<T> step) {
    PlanPartition home = partitions.apply(step.line);
    // YARN passes over one whose user is above its limit, and goes on to the next.
    return preempted && !users.apply(step.user, step.line).free().isNegative()
        && home.isPreemptedFor(step.amounts.get(step.line), step.needs.driver.size())
        && begun.add(step.line) || step.needs.urgent() != null && begun.add(step.needs.urgent());
  }

  /** Whether what started applications claim that come later has room, too. */
  private boolean isLaterCovered(Step<T> step) {
    return step.amounts.entrySet().stream()
        .allMatch(need -> partitions.apply(need.getKey()).coversBesideLater(need.getValue()));
  }

  /**
   * Whether one more driver would take what others of the partition wait for, beyond the part of drivers.
   * Where something is preempted for it, it does not.
   */
  private boolean isSlotClosed(Step<T> step) {
    return fair && step.needs.urgent() == null && step.amounts.size() == 1 && !isLaterCovered(step)
        && partitions.apply(step.line).isFull(step.amounts.get(step.line), step.needs.driver.size());
  }

  private void start(Step<T> step) {
    step.amounts.forEach((at, amounts) ->
        partitions.apply(at).grant(users.apply(step.user, at), amounts));
    PlanPartition home = partitions.apply(step.line);
    home.grantDriver(users.apply(step.user, step.line), step.needs.driver.size());
    if (step.needs.keepsReserve) {
      keepReserve(step.line, step.user);
    }
    for (Demand demand : step.needs.further) {
      partitions.apply(demand.partition())
          .claim(users.apply(step.user, demand.partition()), demand.size(),
              Math.max(0, demand.count()), false);
    }
    starts.add(step.item);
  }
}
