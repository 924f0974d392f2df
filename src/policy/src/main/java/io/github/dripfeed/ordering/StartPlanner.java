// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.plan.PlanRound;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.snapshot.QueueSnapshot;
import io.github.dripfeed.takeback.TakeBackRound;
import io.github.dripfeed.yarn.QueueCompat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Makes the plans for all queues of one scheduler with {@code max-starting} = {@code auto}: one a second,
 * and sooner after a change. Starts that lead nowhere are taken back before, of all queues with {@code
 * take-back}.
 *
 * @param <S> the applications
 */
final class StartPlanner<S extends SchedulableEntity> implements Runnable {

  /** The shortest time between the end of a plan and the next plan, in milliseconds. */
  static final long PAUSE = 50;
  /** The pause is at least so many times as long as the last plan took. */
  private static final long PAUSES = 9;
  /** The shortest time between two rounds that take back drivers, in milliseconds. */
  private static final long TAKE_BACK_INTERVAL = 500;

  private final DripfeedRuntime runtime;
  private final Supplier<CapacityScheduler> scheduler;
  /** By partition. */
  private final Map<String, TakeBackRound.Memory> takeBacks = new HashMap<>();
  private Long takeBacksAt;
  private final AtomicBoolean requested = new AtomicBoolean();
  private volatile long earliest = Long.MIN_VALUE;

  /** @param scheduler null once it is gone: it must not be kept */
  StartPlanner(Supplier<CapacityScheduler> scheduler, DripfeedRuntime runtime) {
    this.scheduler = scheduler;
    this.runtime = runtime;
  }

  /** Asks for a plan as soon as possible. Safe for use by any thread. */
  void request() {
    request(earliest);
  }

  /** Asks for a plan for an application that has arrived: it requests its driver in a moment. */
  void requestSoon() {
    if (!requested.get()) {
      request(Math.max(earliest, runtime.clock().monotonicMillis() + PAUSE));
    }
  }

  private void request(long at) {
    if (!requested.get() && requested.compareAndSet(false, true)) {
      runtime.monitor().request(this, at);
    }
  }

  /** Makes a plan. Called by the monitor's thread. */
  @Override
  public void run() {
    requested.set(false);
    long before = runtime.clock().monotonicMillis();
    // The plan before ends by itself; then the next application starts when none is starting.
    contain(null, () -> plan(before));
    long after = runtime.clock().monotonicMillis();
    earliest = after + Math.max(PAUSE, PAUSES * (after - before));
  }

  private void plan(long now) {
    CapacityScheduler running = scheduler.get();
    if (running == null || running.isInState(Service.STATE.STOPPED)) {
      return;
    }
    ClusterSnapshot cluster = new ClusterSnapshot(running);
    List<QueueSnapshot<S>> queues = new ArrayList<>();
    QueueCompat.visitLeaves(running.getRootQueue(), leaf -> contain(leaf, () -> read(leaf, queues)));
    contain(running.getRootQueue(), () -> takeBack(cluster, queues, now));
    queues.removeIf(queue -> !queue.order.settings().isAuto());
    PlanRound<S> round =
        new PlanRound<>(cluster, runtime.queueMemory(running.getRootQueue()).demands(), now);
    for (QueueSnapshot<S> queue : queues) {
      contain(queue.yarnQueue, () -> round.add(queue, runtime.queueMemory(queue.yarnQueue)));
    }
    round.run();
  }

  /** The applications of a queue have the same class under every policy. */
  @SuppressWarnings("unchecked")
  private void read(CSQueue leaf, List<QueueSnapshot<S>> queues) {
    StateAwareQueue<S> queue = (StateAwareQueue<S>) StateAwareQueue.of(leaf);
    if (queue != null && queue.order().settings().isPlanned() && queue.order().size() > 0) {
      queues.add(new QueueSnapshot<>(queue, leaf));
    }
  }

  private void takeBack(ClusterSnapshot cluster, List<QueueSnapshot<S>> queues, long now) {
    if (takeBacksAt == null || now - takeBacksAt >= TAKE_BACK_INTERVAL) {
      takeBacksAt = now;
      new TakeBackRound(cluster, queues, takeBacks, runtime, now).run();
    }
  }

  /** Without a plan, the queue starts its next application when none is starting. */
  private void contain(CSQueue queue, Runnable job) {
    runtime.metrics().contain(queue,
        "the plan, or take-back, failed. Without a plan applications start one after the other", job);
  }
}
