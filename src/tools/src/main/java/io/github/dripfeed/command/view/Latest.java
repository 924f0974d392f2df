// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * The newest picture. However many pages ask, the ResourceManager is asked at most every two seconds, by
 * one thread, and not while no page is open. Safe for several threads.
 */
final class Latest {

  static final long INTERVAL_MILLIS = 2000;
  /** A picture that is older than this is told as old: the ResourceManager is being asked. */
  static final long SLOW_MILLIS = 5000;
  /** If no page asks for longer than this, nobody knows what was meanwhile. */
  private static final long UNASKED_MILLIS = 10 * INTERVAL_MILLIS;
  /** So long does a page wait for a new picture before it gets the one before. */
  private static final long PATIENCE_MILLIS = 700;

  private final Callable<Map<String, Object>> source;
  private final Executor executor;
  private final LongSupplier clock;
  private Map<String, Object> content;
  private Future<?> question = CompletableFuture.completedFuture(null);
  private long asked;
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

  /** @param source asked by the executor, for one picture after the other */
  Latest(Map<String, Object> first, Callable<Map<String, Object>> source, Executor executor,
      LongSupplier clock) {
    this.content = first;
    this.source = source;
    this.executor = executor;
    this.clock = clock;
    asked = clock.getAsLong();
    read = asked;
    seen = asked;
  }

  /** The picture, with how the ResourceManager is; asks for a new one if this one is too old. */
  Map<String, Object> document() {
    try {
      question().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      // What there is says how old it is.
      return told();
    }
    return told();
  }

  private synchronized Future<?> question() {
    long now = clock.getAsLong();
    unseenFrom = Math.abs(now - seen) > UNASKED_MILLIS ? seen : unseenFrom;
    seen = now;
    // The clock may be set back.
    if (question.isDone() && Math.abs(now - asked) >= INTERVAL_MILLIS) {
      asked = now;
      question = CompletableFuture.runAsync(this::ask, executor);
    }
    return question;
  }

  private synchronized Map<String, Object> told() {
    long now = clock.getAsLong();
    boolean isSlow = Math.abs(now - read) >= SLOW_MILLIS;
    Map<String, Object> document = JsonText.document(
        "state", !problem.isEmpty() ? "gone" : isSlow ? "slow" : "live", "problem", problem, "now", now,
        "read", read, "goneSince", goneSince, "backSince", backSince, "backFrom", backFrom,
        "unaskedFrom", unaskedFrom);
    document.putAll(content);
    return document;
  }

  private void ask() {
    try {
      answered(source.call(), "");
    } catch (Problem e) {
      answered(null, e.getMessage());
    } catch (Exception | LinkageError e) {
      answered(null, "Its answer cannot be shown: " + e);
    }
  }

  private synchronized void answered(Map<String, Object> found, String failure) {
    long now = clock.getAsLong();
    if (found == null) {
      goneSince = problem.isEmpty() || unseenFrom >= 0 ? now : goneSince;
    } else {
      if (!problem.isEmpty()) {
        backSince = now;
        backFrom = goneSince;
        unaskedFrom = unseenFrom < 0 ? -1 : Math.max(goneSince, unseenFrom);
      }
      goneSince = -1;
      read = now;
      content = found;
    }
    problem = failure;
    unseenFrom = -1;
  }
}
