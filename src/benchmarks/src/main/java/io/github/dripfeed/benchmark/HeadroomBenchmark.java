// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.benchmark;

import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.headroom.ClaimTotal;
import io.github.dripfeed.core.headroom.DemandHistory;
import io.github.dripfeed.core.headroom.HeadroomClaim;
import io.github.dripfeed.core.headroom.PlannedStarts;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.headroom.HeadroomRound;
import io.github.dripfeed.ordering.StateAwarePolicy;
import io.github.dripfeed.yarn.CountedResources;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.QueueHeadroom;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
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
      order = (QueueOrder<FiCaSchedulerApp>) StateAwarePolicy.orderingOf(state.ordering).order();
      FiCaSchedulerApp next = order.lines(now()).get(0).waiting().iterator().next().item();
      if (mode.equals("headroom")) {
        ResourceVector none = ResourceVector.zero(1);
        List<ClaimTotal> levels = new ArrayList<>();
        for (CSQueue level = (CSQueue) next.getQueue(); level != null; level = level.getParent()) {
          levels.add(new ClaimTotal(
              new QueueHeadroom(level, new CountedResources(new DefaultResourceCalculator()))));
        }
        HeadroomClaim claim = HeadroomClaim.toStart(next, levels, "", none, Map.of("", none));
        order.account().ledger().begin();
        order.setPlan(Map.of(next, claim), Map.of());
        order.account().ledger().activate(List.of(claim), PlannedStarts.NONE, Long.MAX_VALUE / 2);
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

  private static long now() {
    return System.nanoTime() / 1_000_000;
  }

  /**
   * Finds the first offer; with {@code headroom}, after comparing the total of claims with the headroom.
   */
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
  public void plan(SchedulerState state) {
    CSQueue queue = QueueCompat.find(state.rm.scheduler(), "root.batch");
    QueueOrder<FiCaSchedulerApp> order = (QueueOrder<FiCaSchedulerApp>)
        StateAwarePolicy.orderingOf(QueueCompat.orderingPolicy(queue)).order();
    HeadroomRound<FiCaSchedulerApp> round =
        new HeadroomRound<>(state.rm.scheduler(), order.account().ledger(), now());
    round.add(queue, order, new DemandHistory());
    round.run();
  }
}
