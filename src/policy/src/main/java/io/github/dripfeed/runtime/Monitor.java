// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that periodically visits all state-aware queues of this process
 * (docs/design.md#the-monitor). It starts with the first application and ends when no scheduler of such a
 * queue runs, and nothing that is shown of one is left to remove.
 *
 * <p>YARN drops a replaced policy without closing it. So each round finds the queues anew, and nothing is
 * held. The ordering is correct without the monitor: it applies the same time limits in every walk.
 */
public final class Monitor {

  private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);

  /** The time of a turn that does not come. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The longest time between two rounds, in milliseconds. */
  private static final long INTERVAL = 1000;

  private final Clock clock;
  private final ThreadFactory threads;
  /** Work that was requested, and when it is to be done. */
  private final Map<Runnable, Long> requested = new LinkedHashMap<>();
  private long next = NEVER;
  private Thread thread;
  private boolean startFailed;
  private volatile LongUnaryOperator visit = now -> NEVER;
  private volatile Runnable endRound = () -> { };
  private volatile BooleanSupplier isOver = () -> true;
  private volatile Runnable onFailure = () -> { };

  public Monitor(Clock clock) {
    this(clock, Monitor::daemon);
  }

  /**
   * @param threads creates the thread; if it returns null, only explicit calls of {@link #runDue} visit
   *     anything
   */
  public Monitor(Clock clock, ThreadFactory threads) {
    this.clock = clock;
    this.threads = threads;
  }

  /**
   * Sets what it does in each round.
   *
   * @param queues visits the queues whose turn it is at a time, and returns the next turn of any; {@link
   *     #NEVER} if none has an application
   * @param end comes after all visits and the requested work
   * @param over whether there is nothing to do until it is woken; asked while a lock is held
   */
  void visit(LongUnaryOperator queues, Runnable end, BooleanSupplier over) {
    visit = queues;
    endRound = end;
    isOver = over;
  }

  /** Sets what is told of every failure of a round. */
  void onFailure(Runnable told) {
    onFailure = told;
  }

  /** A queue has a new application: the thread runs from now on, even if it has died. */
  public synchronized void wake() {
    next = next == NEVER ? clock.monotonicMillis() : next;
    if (thread == null || !thread.isAlive()) {
      startThread();
    }
  }

  /**
   * Requests work for several queues. It is done once, after the visits of the first round at or after that
   * time, even if no visit is due then.
   *
   * @param at on the clock that never goes backwards
   */
  public synchronized void request(Runnable work, long at) {
    requested.merge(work, at, Math::min);
    notifyAll();
  }

  /**
   * Does a round if it is due, and the requested work.
   *
   * @return the milliseconds until the next turn
   */
  public long runDue() {
    long now = clock.monotonicMillis();
    boolean isDue = takeTurn(now);
    if (isDue) {
      run(() -> turnAt(visit.applyAsLong(now)));
    }
    requestedAt(now).forEach(this::run);
    if (isDue) {
      run(endRound);
    }
    return untilNextTurn();
  }

  private synchronized boolean takeTurn(long now) {
    if (next > now) {
      return false;
    }
    next = nextTurn(now, INTERVAL);
    return true;
  }

  private synchronized void turnAt(long time) {
    next = Math.min(next, time);
  }

  /** The next multiple of the interval, so that queues with the same interval are visited together. */
  public static long nextTurn(long now, long interval) {
    long next = now - Math.floorMod(now, interval) + interval;
    return next < now ? NEVER : next;
  }

  private synchronized List<Runnable> requestedAt(long now) {
    List<Runnable> work = new ArrayList<>();
    requested.forEach((one, at) -> {
      if (at <= now) {
        work.add(one);
      }
    });
    requested.keySet().removeAll(work);
    return work;
  }

  private void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("Work of the monitor failed; it is tried again in a later round", e);
      onFailure.run();
    }
  }

  private void startThread() {
    try {
      thread = threads.newThread(this::run);
      if (thread != null) {
        thread.start();
      }
      startFailed = false;
    } catch (RuntimeException | Error e) {
      thread = null;
      if (!startFailed) {
        startFailed = true;
        LOG.error("The monitor thread cannot start. Ordering works without it, and the next application"
            + " tries again. Repeated failures are not logged", e);
        onFailure.run();
      }
    }
  }

  private void run() {
    while (true) {
      try {
        runDue();
        if (isOver()) {
          return;
        }
      } catch (InterruptedException e) {
        // Dripfeed never interrupts this thread, and a daemon does not delay a shutdown: the queues need
        // it.
        LOG.warn("The monitor was interrupted and continues");
      } catch (RuntimeException | Error e) {
        LOG.error("The monitor continues after a failure", e);
        onFailure.run();
      }
    }
  }

  /** Waits for the next turn. Returns true if nothing is left to do, which is decided under the lock. */
  private synchronized boolean isOver() throws InterruptedException {
    if (isOver.getAsBoolean()) {
      next = NEVER;
      thread = null;
      return true;
    }
    wait(Math.max(1, untilNextTurn()));
    return false;
  }

  private synchronized long untilNextTurn() {
    long first = Math.min(next, requested.values().stream().min(Long::compare).orElse(NEVER));
    long now = clock.monotonicMillis();
    // What is requested at once may be requested for the beginning of time: no difference is safe then.
    return first <= now ? 0 : first - now;
  }

  private static Thread daemon(Runnable run) {
    Thread thread = new Thread(run, "dripfeed-monitor");
    thread.setDaemon(true);
    return thread;
  }
}
