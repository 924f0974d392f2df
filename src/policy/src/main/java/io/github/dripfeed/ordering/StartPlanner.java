// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.plan.PlanRound;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the plans for all queues of one scheduler with {@code max-starting} = {@code auto}: one a second,
 * and sooner after a change. It holds queues weakly: a queue that was replaced is gone with its policy.
 *
 * @param <S> the applications
 */
final class StartPlanner<S extends SchedulableEntity> implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(StartPlanner.class);

  /** The shortest time between the end of a plan and the next plan, in milliseconds. */
  static final long PAUSE = 50;
  /** The pause is at least so many times as long as the last plan took. */
  private static final long PAUSES = 9;

  private final DripfeedRuntime runtime;
  private final Map<StateAwareQueue<S>, Boolean> members = new WeakHashMap<>();
  private final AtomicBoolean requested = new AtomicBoolean();
  private volatile long earliest = Long.MIN_VALUE;
  private boolean failed;

  StartPlanner(DripfeedRuntime runtime) {
    this.runtime = runtime;
  }

  /** Adds a queue. */
  void add(StateAwareQueue<S> member) {
    synchronized (members) {
      members.put(member, true);
    }
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
    try {
      plan(before);
    } catch (RuntimeException | LinkageError e) {
      // The plan before ends by itself; then the next application starts when none is starting.
      runtime.metrics().countFailure();
      logOnce(e);
    }
    long after = runtime.clock().monotonicMillis();
    earliest = after + Math.max(PAUSE, PAUSES * (after - before));
  }

  private void plan(long now) {
    List<StateAwareQueue<S>> all;
    synchronized (members) {
      all = new ArrayList<>(members.keySet());
    }
    PlanRound<S> round = null;
    for (StateAwareQueue<S> member : all) {
      CSQueue queue = member == null ? null : member.queue();
      CapacityScheduler scheduler = queue == null ? null : member.scheduler();
      if (scheduler != null) {
        round = round == null ? new PlanRound<>(
            scheduler, runtime.queueMemory(scheduler.getRootQueue()).demands(), now) : round;
        try {
          QueueMemory memory = runtime.queueMemory(queue);
          round.add(queue, member.order(), member.isFair(), member.isNarrow(), member.reclaims(), memory);
        } catch (RuntimeException | LinkageError e) {
          // Without a plan, the queue starts its next application when none is starting.
          runtime.metrics().countFailureIn(queue);
          logOnce(e);
        }
      }
    }
    if (round != null) {
      round.run();
    }
  }

  private void logOnce(Throwable e) {
    if (!failed) {
      failed = true;
      LOG.error("No plan can be made; applications start one after the other. Logged once", e);
    }
  }
}
