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

import io.github.dripfeed.core.headroom.ExecutorSizeHistory;
import io.github.dripfeed.observe.MetricsRegistrar;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * What all policies of this process share, because it outlives each of them: YARN makes a new policy
 * at every refresh and drops the old one without a word (docs/design.md#a-refresh-replaces-the-policy,
 * #a-policy-is-never-closed).
 */
public final class DripfeedRuntime {

  private static volatile DripfeedRuntime current =
      of(Clock.SYSTEM, new Monitor(Clock.SYSTEM));

  private final Clock clock;
  private final Monitor monitor;
  private final AtomicInteger number = new AtomicInteger();
  private final AttemptHistories histories = new AttemptHistories();
  private final MetricsRegistrar metrics;
  /** By queue, which outlives its policies. */
  private final Map<Object, ExecutorSizeHistory> seenSizes =
      Collections.synchronizedMap(new WeakHashMap<>());

  private DripfeedRuntime(Clock clock, Monitor monitor) {
    this.clock = clock;
    this.monitor = monitor;
    this.metrics = new MetricsRegistrar(clock::wallMillis);
    monitor.afterEachRound(metrics::sweep);
  }

  /** For tests and simulations, which drive the time; see {@link #replace}. */
  public static DripfeedRuntime of(Clock clock, Monitor monitor) {
    return new DripfeedRuntime(clock, monitor);
  }

  public static DripfeedRuntime current() {
    return current;
  }

  /** For tests and simulations, which drive the time: what policies made from now on share. */
  public static void replace(DripfeedRuntime shared) {
    current = shared;
  }

  /** Numbers queues, so that they take turns. */
  public int nextNumber() {
    return number.getAndIncrement();
  }

  public Clock clock() {
    return clock;
  }

  public Monitor monitor() {
    return monitor;
  }

  public AttemptHistories histories() {
    return histories;
  }

  public MetricsRegistrar metrics() {
    return metrics;
  }

  /** What the applications of a queue have asked for, for as long as YARN has the queue. */
  public ExecutorSizeHistory seenSizes(CSQueue queue) {
    return seenSizes.computeIfAbsent(queue, q -> new ExecutorSizeHistory());
  }
}
