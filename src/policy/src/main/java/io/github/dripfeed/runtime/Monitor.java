// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that periodically visits all state-aware queues of this process
 * (docs/design.md#the-monitor). It starts with the first application and ends when nothing is left to
 * watch, and nothing that is shown of a queue is left to remove.
 *
 * <p>YARN drops a replaced policy without closing it. So the monitor holds each watched object weakly,
 * and watches it only as long as it reports that it is still in use. The ordering is correct without the
 * monitor: it applies the same time limits in every walk.
 *
 * <p>Watched objects with the same interval are visited in the same round, whenever they were added. The
 * time of a round is proportional to their number.
 */
public final class Monitor {

  /** An object that the monitor visits periodically. */
  public interface Watched {

    /**
     * Does the work that is due. Called by the monitor's thread only.
     *
     * @return whether to visit this object again; if not, it calls {@link Monitor#watch} again when it
     *     needs to
     */
    boolean tick();

    /** Called after a failure of {@link #tick}, which is logged and does not end the visits. */
    default void failed() {
      // Nobody needs to know.
    }

    /** The time between two visits, in milliseconds. */
    long intervalMillis();
  }

  private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);

  /** The time between two rounds in which nothing is watched, in milliseconds. */
  private static final long IDLE = 1000;

  private final Clock clock;
  private final ThreadFactory threads;
  private final Map<Watched, Turn> turns = new WeakHashMap<>();
  /** Work that was requested, and when it is to be done. */
  private final Map<Runnable, Long> requested = new LinkedHashMap<>();
  private long watchedSoFar;
  private Thread thread;
  private boolean startFailed;
  private volatile BooleanSupplier afterRound = () -> false;
  private volatile boolean hasMore;
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
   * Sets the task that the same thread runs once after each round.
   *
   * @param chore returns whether it has more to do in {@link #IDLE}, even if nothing is watched then
   */
  void afterEachRound(BooleanSupplier chore) {
    afterRound = chore;
  }

  /** Sets what is told of every failure that concerns no one watched object. */
  void onFailure(Runnable told) {
    onFailure = told;
  }

  /** Watches {@code watched} from now on, and visits it soon. */
  public synchronized void watch(Watched watched) {
    // A new turn: the old one may be ending at this moment, and must not end this one as well.
    turns.put(watched, new Turn(clock.monotonicMillis(), watchedSoFar++));
    notifyAll();
    keepGoing();
  }

  /** Starts a thread if none is running and there is something to watch. */
  public synchronized void keepGoing() {
    if ((thread == null || !thread.isAlive()) && !turns.isEmpty()) {
      startThread();
    }
  }

  /**
   * Requests work for several watched objects. It is done once, after the visits of the first round at or
   * after that time; a round begins at that time even if no visit is due.
   *
   * @param at on the clock that never goes backwards
   */
  public synchronized void request(Runnable work, long at) {
    requested.merge(work, at, Math::min);
    notifyAll();
  }

  /**
   * Visits every watched object whose turn it is, and does the requested work.
   *
   * @return the milliseconds until the next turn, or -1 if nothing is left to do
   */
  public long runDue() {
    long now = clock.monotonicMillis();
    List<Map.Entry<Watched, Turn>> due = due(now);
    for (Map.Entry<Watched, Turn> turn : due) {
      if (visit(turn.getKey())) {
        turn.getValue().next = nextTurn(now, turn.getKey().intervalMillis());
      } else {
        drop(turn.getKey(), turn.getValue());
      }
    }
    requestedAt(now).forEach(this::run);
    if (!due.isEmpty() || hasMore && size() == 0) {
      run(() -> hasMore = afterRound.getAsBoolean());
    }
    return untilNextTurn();
  }

  /** The next multiple of the interval, so that objects with the same interval are visited together. */
  private static long nextTurn(long now, long interval) {
    long next = now - Math.floorMod(now, interval) + interval;
    return next < now ? Long.MAX_VALUE : next;
  }

  /**
   * The number of watched objects. The map's own size also counts objects that are collected already and
   * whose references wait to be removed.
   */
  public synchronized int size() {
    int size = 0;
    for (Watched live : turns.keySet()) {
      size += live == null ? 0 : 1;
    }
    return size;
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

  private boolean visit(Watched watched) {
    try {
      return watched.tick();
    } catch (RuntimeException | Error e) {
      LOG.error("A monitor round of {} failed; it is tried again in its next turn", watched, e);
      watched.failed();
      return true;
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

  /**
   * Waits for the next turn. Returns true if nothing is left to watch, which is decided under the lock of
   * watch().
   */
  private synchronized boolean isOver() throws InterruptedException {
    long wait = untilNextTurn();
    if (wait < 0) {
      thread = null;
      return true;
    }
    wait(Math.max(1, wait));
    return false;
  }

  private synchronized List<Map.Entry<Watched, Turn>> due(long now) {
    List<Map.Entry<Watched, Turn>> due = new ArrayList<>(turns.size());
    for (Map.Entry<Watched, Turn> turn : turns.entrySet()) {
      if (turn.getValue().next <= now) {
        due.add(new SimpleImmutableEntry<>(turn));
      }
    }
    // The map's order differs from process to process; the same events must lead to the same decisions.
    due.sort(Comparator.comparingLong(turn -> turn.getValue().number));
    return due;
  }

  private synchronized long untilNextTurn() {
    long next = Long.MAX_VALUE;
    boolean isAny = false;
    for (Turn turn : turns.values()) {
      isAny = true;
      next = Math.min(next, turn.next);
    }
    for (long at : requested.values()) {
      next = Math.min(next, at);
    }
    long now = clock.monotonicMillis();
    // What is requested at once may be requested for the beginning of time: no difference is safe then.
    return !isAny ? hasMore ? IDLE : -1 : next <= now ? 0 : next - now;
  }

  private synchronized void drop(Watched watched, Turn turn) {
    turns.remove(watched, turn);
  }

  private static Thread daemon(Runnable run) {
    Thread thread = new Thread(run, "dripfeed-monitor");
    thread.setDaemon(true);
    return thread;
  }

  private static final class Turn {

    private final long number;
    private volatile long next;

    /** @param number ascends from one that is watched to the next */
    Turn(long next, long number) {
      this.next = next;
      this.number = number;
    }
  }
}
