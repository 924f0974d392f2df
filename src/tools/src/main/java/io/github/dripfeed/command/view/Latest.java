// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.terminal.Problem;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The newest picture. However many pages ask, the ResourceManager is asked at most every two seconds, by
 * one thread, and not while no page is open. Safe for several threads.
 */
final class Latest {

  static final long INTERVAL_MILLIS = 2000;
  /** A picture that is older than this, while the ResourceManager is being asked, is told as old. */
  static final long SLOW_MILLIS = 5000;
  /** If no page asks for longer than this, nobody knows what was meanwhile. */
  static final long UNASKED_MILLIS = 10 * INTERVAL_MILLIS;
  /** So long does a page wait for a new picture before it gets the one before. */
  private static final long PATIENCE_MILLIS = 700;

  private final Source source;
  private final Function<Reading, Map<String, Object>> picture;
  private final Executor executor;
  private final LongSupplier clock;
  private Map<String, Object> content = new LinkedHashMap<>();
  private boolean isAsking;
  private long asked = Long.MIN_VALUE / 2;
  private long read;
  private String problem = "";
  private long goneSince = -1;
  private long backSince = -1;
  private long backFrom = -1;
  private long unaskedFrom = -1;
  /** When a page asked last. */
  private long seen;
  /** Since when no page had asked before one did again; -1 once there is an answer since then. */
  private long unseenFrom = -1;

  /**
   * @param executor runs the questions, one after the other
   * @param clock milliseconds since the epoch
   */
  Latest(Source source, Function<Reading, Map<String, Object>> picture, Executor executor,
      LongSupplier clock) {
    this.source = source;
    this.picture = picture;
    this.executor = executor;
    this.clock = clock;
  }

  /** The first picture, of a reading that is there already. */
  synchronized void first(Reading reading) {
    asked = clock.getAsLong();
    read = asked;
    seen = asked;
    content = picture.apply(reading);
  }

  /** The picture, with how the ResourceManager is; asks for a new one if this one is too old. */
  Map<String, Object> document() {
    boolean asks = false;
    synchronized (this) {
      long now = clock.getAsLong();
      unseenFrom = Math.abs(now - seen) > UNASKED_MILLIS ? seen : unseenFrom;
      seen = now;
      // The clock may be set back.
      if (!isAsking && Math.abs(now - asked) >= INTERVAL_MILLIS) {
        isAsking = true;
        asked = now;
        asks = true;
      }
    }
    if (asks) {
      executor.execute(this::ask);
    }
    return waited();
  }

  private synchronized Map<String, Object> waited() {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    try {
      for (long left = PATIENCE_MILLIS; isAsking && left > 0;
          left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())) {
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    long now = clock.getAsLong();
    boolean isSlow = isAsking && Math.abs(now - read) >= SLOW_MILLIS;
    Map<String, Object> document = JsonText.document(
        "state", !problem.isEmpty() ? "gone" : isSlow ? "slow" : "live", "problem", problem, "now", now,
        "read", read, "goneSince", goneSince, "backSince", backSince, "backFrom", backFrom,
        "unaskedFrom", unaskedFrom);
    document.putAll(content);
    return document;
  }

  private void ask() {
    Map<String, Object> found = null;
    String failure = "";
    try {
      found = picture.apply(source.read());
    } catch (Problem e) {
      failure = e.getMessage();
    } catch (RuntimeException | LinkageError e) {
      failure = "Its answer cannot be shown: " + e;
    } finally {
      // Whatever happens, the next question can be asked.
      answered(found, failure);
    }
  }

  private synchronized void answered(Map<String, Object> found, String failure) {
    long now = clock.getAsLong();
    isAsking = false;
    if (found == null) {
      goneSince = problem.isEmpty() || unseenFrom >= 0 ? now : goneSince;
      problem = failure.isEmpty() ? "No answer" : failure;
    } else {
      if (!problem.isEmpty()) {
        backSince = now;
        backFrom = goneSince;
        unaskedFrom = unseenFrom < 0 ? -1 : Math.max(goneSince, unseenFrom);
      }
      problem = "";
      goneSince = -1;
      read = now;
      content = found;
    }
    unseenFrom = -1;
    notifyAll();
  }
}
