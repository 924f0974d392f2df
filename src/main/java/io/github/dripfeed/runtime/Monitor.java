/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.runtime;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that looks at all state-aware queues of this process from time to time
 * (docs/design.md#the-monitor). It starts with the first application and ends when nothing is left to
 * watch.
 *
 * <p>YARN drops a replaced policy without a word, so what is watched is held weakly, and is watched
 * only for as long as it says that it is in charge. The ordering is right without the monitor: it
 * applies the same deadlines itself whenever it is asked.
 *
 * <p>All whose interval is the same are looked at in one round, whenever they came. A round takes time
 * in proportion to their number.
 */
public final class Monitor {

  /** What the monitor looks at. */
  public interface Watched {

    /**
     * Looks for what is due. Called by the monitor's thread only.
     *
     * @return whether to look again; if not, it asks to be watched anew when there is a reason
     */
    boolean tick();

    /** How often to look, in milliseconds. */
    long intervalMillis();
  }

  private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);

  private final Clock clock;
  private final ThreadFactory threads;
  private final Map<Watched, Turn> turns = new WeakHashMap<>();
  private Thread thread;
  private boolean startFailed;
  private volatile Runnable afterRound = () -> { };

  public Monitor(Clock clock) {
    this(clock, Monitor::daemon);
  }

  /** @param threads makes the thread; may return null, and then only {@link #look} looks */
  public Monitor(Clock clock, ThreadFactory threads) {
    this.clock = clock;
    this.threads = threads;
  }

  /** What is to be done once after each round in which anything was looked at, in the same thread. */
  void afterEachRound(Runnable chore) {
    afterRound = chore;
  }

  /** Watches {@code watched} from now on, and looks at it soon. */
  public synchronized void watch(Watched watched) {
    // In place of a turn that may be ending at this moment, and must not take this one with it.
    turns.put(watched, new Turn(clock.monotonicMillis()));
    notifyAll();
    keepGoing();
  }

  /** Brings a new thread if there is none any more, or never was, and there is something to watch. */
  public synchronized void keepGoing() {
    if ((thread == null || !thread.isAlive()) && !turns.isEmpty()) {
      startThread();
    }
  }

  /**
   * Looks at everything whose turn it is.
   *
   * @return the milliseconds until the next turn, or -1 if nothing is left to watch
   */
  public long look() {
    long now = clock.monotonicMillis();
    List<Map.Entry<Watched, Turn>> due = due(now);
    for (Map.Entry<Watched, Turn> turn : due) {
      if (look(turn.getKey())) {
        turn.getValue().next = nextTurn(now, turn.getKey().intervalMillis());
      } else {
        drop(turn.getKey(), turn.getValue());
      }
    }
    if (!due.isEmpty()) {
      afterRound.run();
    }
    return untilNextTurn();
  }

  /** At a multiple of the interval, where all of the same interval meet; at most an interval from now. */
  private static long nextTurn(long now, long interval) {
    long next = now - Math.floorMod(now, interval) + interval;
    return next < now ? Long.MAX_VALUE : next;
  }

  public synchronized int size() {
    return turns.size();
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
        LOG.error("The monitor cannot start; the ordering does without it, and the next application"
            + " tries again. Logged once in a row", e);
      }
    }
  }

  private boolean look(Watched watched) {
    try {
      return watched.tick();
    } catch (RuntimeException | Error e) {
      LOG.error("A look at {} failed; the next one comes in its turn", watched, e);
      return true;
    }
  }

  private void run() {
    while (true) {
      try {
        look();
        if (isOver()) {
          return;
        }
      } catch (InterruptedException e) {
        // Nobody of ours interrupts it, and as a daemon it holds up no shutdown: the queues need it.
        LOG.warn("The monitor was interrupted, and goes on");
      } catch (RuntimeException | Error e) {
        LOG.error("The monitor goes on after a failure", e);
      }
    }
  }

  /** Waits for the next turn; over is the watch once there is none. Decided under the lock of watch(). */
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
    return due;
  }

  private synchronized long untilNextTurn() {
    if (turns.isEmpty()) {
      return -1;
    }
    long next = Long.MAX_VALUE;
    for (Turn turn : turns.values()) {
      next = Math.min(next, turn.next);
    }
    return Math.max(0, next - clock.monotonicMillis());
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

    private volatile long next;

    Turn(long next) {
      this.next = next;
    }
  }
}
