// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.Transition;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs every change of state in this process, and keeps the last ones of all queues; and as many again of
 * those that are asked for the next morning: promotions by a time limit, and ends while starting. Safe for
 * use by any thread. Recording one takes no lock of YARN, because scheduling threads do it; of YARN it
 * reads what a label says (the path of the queue, the user, the type), which YARN tells without one.
 *
 * <p>Why an attempt has ended is known to YARN alone, which tells it under a lock of its own. So ended
 * attempts wait in a short list until the monitor or a reader asks YARN, and only then become an event.
 */
public final class EventLog {

  /** The number of events of each kind that are kept. */
  public static final int EVENTS = 1000;
  /** How many ended attempts may wait for their reason: more than end in a round of the monitor. */
  static final int UNEXPLAINED = 20 * EVENTS;

  /** The last events; those of ended attempts once they are {@linkplain #explainEnded explained}. */
  public final EventRing all = new EventRing();
  /** The last attempts that a time limit made running. */
  public final EventRing promotions = new EventRing();
  /** The last attempts that ended while they were starting, once they are explained. */
  public final EventRing endedWhileStarting = new EventRing();

  private static final Logger LOG = LoggerFactory.getLogger(StateChangeRecorder.LOGGER);

  private final LongSupplier wallMillis;
  private final AtomicLong sequence = new AtomicLong();
  private final Queue<EndedAttempt> ended = new LinkedBlockingQueue<>();
  private final AtomicLong lost = new AtomicLong();

  /** @param wallMillis the wall clock, in milliseconds since 1970 */
  public EventLog(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
  }

  long wallMillis() {
    return wallMillis.getAsLong();
  }

  /** @param from the name of the state that it leaves */
  void add(AttemptLabel attempt, String from, Transition transition, long millis) {
    add(new StateEvent(sequence.incrementAndGet(), wallMillis(), attempt, from, transition.to().name(),
        transition.reason(), "", millis));
  }

  private void add(StateEvent event) {
    LOG.info("{}", event);
    all.add(event);
    if (event.code.isByLimit()) {
      promotions.add(event);
    } else if (event.isEndWhileStarting()) {
      endedWhileStarting.add(event);
    }
  }

  /** An attempt has ended; it becomes an event when its reason is asked for. */
  void add(EndedAttempt attempt) {
    // Those that ended while starting are few and asked for most, so they find room when others do not.
    if (ended.size() < (attempt.wasStarting() ? 2 : 1) * UNEXPLAINED) {
      ended.add(attempt);
    } else {
      lost.incrementAndGet();
    }
  }

  /** Asks YARN why attempts have ended, and records it. Not to be called by a scheduling thread. */
  public void explainEnded() {
    for (EndedAttempt attempt = ended.poll(); attempt != null; attempt = ended.poll()) {
      add(attempt.event(sequence.incrementAndGet()));
    }
    long missing = lost.getAndSet(0);
    if (missing > 0) {
      LOG.warn("{} attempts ended faster than YARN could be asked why. They have no line here and no event",
          missing);
    }
  }
}
