// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import io.github.dripfeed.core.headroom.HeadroomLedger;
import io.github.dripfeed.headroom.HeadroomRound;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.runtime.DripfeedRuntime;
import java.lang.ref.WeakReference;
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
 * Plans, for all queues of one scheduler with {@code max-starting=auto}, which applications may start
 * beside others: about once a second, and at once if somebody waits and something has changed.
 *
 * <p>It holds queues and their common ledger weakly: a queue that was replaced is gone with its policy, and
 * nothing here references the scheduler.
 */
final class HeadroomPlanner<S extends SchedulableEntity> implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(HeadroomPlanner.class);

  /** The shortest time between the end of a plan and the next plan, in milliseconds. */
  static final long PAUSE = 50;
  /** The pause is at least so many times as long as the last plan took. */
  private static final long PAUSES = 9;

  private final DripfeedRuntime runtime;
  private final Map<StateAwareQueue<S>, Boolean> members = new WeakHashMap<>();
  private final AtomicBoolean requested = new AtomicBoolean();
  private WeakReference<HeadroomLedger> ledger = new WeakReference<>(null);
  private volatile long earliest = Long.MIN_VALUE;
  private boolean failed;

  HeadroomPlanner(DripfeedRuntime runtime) {
    this.runtime = runtime;
  }

  /** Adds a queue; its claims are in one ledger with those of the others from now on. */
  void add(StateAwareQueue<S> member) {
    synchronized (members) {
      members.put(member, true);
      HeadroomLedger shared = ledger.get();
      if (shared == null) {
        shared = new HeadroomLedger();
        ledger = new WeakReference<>(shared);
      }
      member.order().account().join(shared);
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
    HeadroomLedger shared;
    List<StateAwareQueue<S>> all;
    synchronized (members) {
      shared = ledger.get();
      all = new ArrayList<>(members.keySet());
    }
    if (shared == null) {
      return;
    }
    try {
      plan(all, shared, before);
    } catch (RuntimeException | LinkageError e) {
      shared.cancel();
      runtime.metrics().countFailure();
      logOnce(e);
    }
    long after = runtime.clock().monotonicMillis();
    earliest = after + Math.max(PAUSE, PAUSES * (after - before));
  }

  private void plan(List<StateAwareQueue<S>> all, HeadroomLedger shared, long now) {
    HeadroomRound<S> round = null;
    for (StateAwareQueue<S> member : all) {
      CSQueue queue = member == null ? null : member.queue();
      CapacityScheduler scheduler = queue == null ? null : member.scheduler();
      if (scheduler != null) {
        round = round == null ? new HeadroomRound<>(scheduler, shared, now) : round;
        try {
          round.add(queue, member.order(), runtime.demandHistory(queue));
        } catch (RuntimeException | LinkageError e) {
          // Without a plan, the queue starts its next application when a slot is free.
          runtime.metrics().countFailureIn(queue);
          logOnce(e);
        }
      }
    }
    if (round == null) {
      shared.cancel();
    } else {
      round.run();
    }
  }

  private void logOnce(Throwable e) {
    if (!failed) {
      failed = true;
      LOG.error("Headroom cannot be computed; applications start when a slot is free. Logged once", e);
    }
  }
}
