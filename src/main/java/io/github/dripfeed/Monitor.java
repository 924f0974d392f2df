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

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that looks at all state-aware queues of this process from time to time (contract,
 * section 4). It starts with the first application and ends when nothing is left to watch.
 *
 * <p>YARN drops a replaced policy without a word, so what is watched is held weakly, and is watched
 * only for as long as it says that it is in charge. The ordering is right without the monitor: it
 * applies the same deadlines itself whenever it is asked.
 */
final class Monitor {

  /** What the monitor looks at. */
  interface Watched {

    /**
     * Looks for what is due. Called by the monitor's thread only.
     *
     * @return whether to look again; if not, it asks to be watched anew when there is a reason
     */
    boolean look();

    /** How often to look, in milliseconds. */
    long intervalMillis();
  }

  private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);

  private final Clock clock;
  private final ThreadFactory threads;
  private final List<Turn> turns = new ArrayList<>();
  private Thread thread;

  Monitor(Clock clock) {
    this(clock, Monitor::daemon);
  }

  /** @param threads makes the thread; may return null, and then only {@link #look} looks */
  Monitor(Clock clock, ThreadFactory threads) {
    this.clock = clock;
    this.threads = threads;
  }

  /** Watches {@code watched} from now on, and looks at it soon. */
  synchronized void watch(Watched watched) {
    // A turn that is ending at this moment must not take the new one with it.
    turns.removeIf(turn -> turn.watched.get() == watched);
    turns.add(new Turn(watched, clock.monotonicMillis()));
    if (thread != null && thread.isAlive()) {
      notifyAll();
    } else {
      startThread();
    }
  }

  /**
   * Looks at everything whose turn it is.
   *
   * @return the milliseconds until the next turn, or -1 if nothing is left to watch
   */
  long look() {
    long now = clock.monotonicMillis();
    for (Turn turn : due(now)) {
      Watched watched = turn.watched.get();
      if (watched == null || !look(watched)) {
        drop(turn);
      } else {
        long next = now + watched.intervalMillis();
        turn.next = next < now ? Long.MAX_VALUE : next;
      }
    }
    return untilNextTurn();
  }

  synchronized int size() {
    return turns.size();
  }

  private void startThread() {
    try {
      thread = threads.newThread(this::run);
      if (thread != null) {
        thread.start();
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      thread = null;
      LOG.error("The monitor cannot start; the ordering does without it", e);
    }
  }

  private boolean look(Watched watched) {
    try {
      return watched.look();
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
        // Nobody of ours interrupts it; whoever does wants it gone. The next watch() starts another.
        return;
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

  private synchronized List<Turn> due(long now) {
    List<Turn> due = new ArrayList<>(turns.size());
    for (Turn turn : turns) {
      if (turn.next <= now || turn.watched.get() == null) {
        due.add(turn);
      }
    }
    return due;
  }

  private synchronized long untilNextTurn() {
    if (turns.isEmpty()) {
      return -1;
    }
    long next = Long.MAX_VALUE;
    for (Turn turn : turns) {
      next = Math.min(next, turn.next);
    }
    return Math.max(0, next - clock.monotonicMillis());
  }

  private synchronized void drop(Turn dropped) {
    turns.removeIf(turn -> turn == dropped);
  }

  private static Thread daemon(Runnable run) {
    Thread thread = new Thread(run, "dripfeed-monitor");
    thread.setDaemon(true);
    return thread;
  }

  private static final class Turn {

    private final WeakReference<Watched> watched;
    private volatile long next;

    Turn(Watched watched, long next) {
      this.watched = new WeakReference<>(watched);
      this.next = next;
    }
  }
}
