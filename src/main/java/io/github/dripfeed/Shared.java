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

import io.github.dripfeed.core.headroom.SeenSizes;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * What all policies of this process share, because it outlives each of them: YARN makes a new policy
 * at every refresh and drops the old one without a word (contract, facts 3 and 4).
 */
final class Shared {

  private static volatile Shared current = new Shared(Clock.SYSTEM, new Monitor(Clock.SYSTEM));

  private final Clock clock;
  private final Monitor monitor;
  private final Histories histories = new Histories();
  private final AllQueueMetrics metrics = new AllQueueMetrics();
  /** By queue, which outlives its policies. */
  private final Map<Object, SeenSizes> seenSizes = Collections.synchronizedMap(new WeakHashMap<>());
  private final LongAdder failures = new LongAdder();

  Shared(Clock clock, Monitor monitor) {
    this.clock = clock;
    this.monitor = monitor;
    monitor.afterEachRound(metrics::sweep);
  }

  static Shared current() {
    return current;
  }

  /** For tests and simulations, which drive the time: what policies made from now on share. */
  static void replace(Shared shared) {
    current = shared;
  }

  Clock clock() {
    return clock;
  }

  Monitor monitor() {
    return monitor;
  }

  Histories histories() {
    return histories;
  }

  AllQueueMetrics metrics() {
    return metrics;
  }

  /** What the applications of a queue have asked for, for as long as YARN has the queue. */
  SeenSizes seenSizes(CSQueue queue) {
    return seenSizes.computeIfAbsent(queue, q -> new SeenSizes());
  }

  void countFailure() {
    failures.increment();
  }

  /** How often something went wrong inside and scheduling went on all the same; see the log. */
  long failures() {
    return failures.sum();
  }
}
