// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.plan.ActivePlan;
import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.fixture.Submission;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.plan.PlanRound;
import io.github.dripfeed.snapshot.ClusterSnapshot;
import io.github.dripfeed.snapshot.QueueSnapshot;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** The cost of parallel starts for the scheduler and for the monitor. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadroomBenchmark {

  /** A queue with one starting application; the next one may or may not start in parallel. */
  @State(Scope.Benchmark)
  public static class Line {

    @Param({"off", "headroom"})
    public String mode;

    QueueOrder<FiCaSchedulerApp> order;

    @Setup(Level.Trial)
    @SuppressWarnings("unchecked")
    public void open(PolicyState state) {
      order = ((StateAwarePolicy<FiCaSchedulerApp>) state.ordering).ordering().order();
      FiCaSchedulerApp next = order.lines(now()).get(0).waiting.iterator().next().item();
      if (mode.equals("headroom")) {
        order.setPlan(new ActivePlan(Long.MAX_VALUE / 2, () -> true), Set.of(next), List.of(), Map.of(),
            Set.of());
      }
      boolean offered = false;
      for (Iterator<?> all = order.assignmentIterator("", HeadroomBenchmark::now); all.hasNext();) {
        offered |= all.next() == next;
      }
      if (offered != mode.equals("headroom")) {
        throw new IllegalStateException("offered: " + offered);
      }
    }
  }

  /** What plans remember. */
  @State(Scope.Benchmark)
  public static class Memory {

    private final QueueMemory ofQueue = new QueueMemory();
    private final QueueMemory ofAll = new QueueMemory();
  }

  private static long now() {
    return System.nanoTime() / 1_000_000;
  }

  /** Finds the first offer. */
  @Benchmark
  public boolean offer(PolicyState state, Line line) {
    return line.order.assignmentIterator("", HeadroomBenchmark::now).hasNext();
  }

  /** A heartbeat that neither the starting application nor the one that may start beside it can use. */
  @Benchmark
  public void offerInVain(PolicyState state, Line line, Blackhole seen) {
    for (Iterator<?> all = line.order.assignmentIterator("", HeadroomBenchmark::now); all.hasNext();) {
      seen.consume(all.next());
    }
  }

  /** Makes a whole plan, as the monitor does once a second. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  @SuppressWarnings("unchecked")
  public void plan(SchedulerState state, Memory memory) {
    CSQueue queue = Submission.queue(state.rm.scheduler(), "root.batch");
    PlanRound<FiCaSchedulerApp> round =
        new PlanRound<>(new ClusterSnapshot(state.rm.scheduler()), memory.ofAll.demands(), now());
    round.add(new QueueSnapshot<>(
        (StateAwareQueue<FiCaSchedulerApp>) StateAwareQueue.of(queue), queue), memory.ofQueue);
    round.run();
  }
}
