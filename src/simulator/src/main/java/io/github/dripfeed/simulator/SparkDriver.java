// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;

/**
 * Runs the tasks of one stage after the other in executors that live on. Static: requests all its executors
 * at once, and again those it loses; its first stage begins when most of them work. Dynamic: while tasks
 * wait, it requests every second twice as many more as before; it cancels requests that its tasks no longer
 * need, and releases an executor that has had no task for a minute.
 */
final class SparkDriver implements Driver {

  private static final int PRIORITY = 1;
  private static final int BACKLOG_MILLIS = 1000;
  private static final int IDLE_MILLIS = 60_000;
  /** spark.scheduler.minRegisteredResourcesRatio on YARN. */
  private static final int ENOUGH_PERCENT = 80;
  /** spark.scheduler.maxRegisteredResourcesWaitingTime. */
  private static final int ENOUGH_MILLIS = 30_000;

  private final Program.Spark program;
  private final Map<ContainerId, Executor> executors = new LinkedHashMap<>();
  private final Resource size;
  private SimulatedMaster master;
  private int stage = -1;
  private int waiting;
  private int running;
  /** Executors that it has or has requested. */
  private int target;
  private int step;
  private boolean growing;

  private static final class Executor {
    private final ContainerId id;
    private int tasks;
    /** Counts how often it became idle. */
    private int idle;
    private boolean gone;

    Executor(ContainerId id) {
      this.id = id;
    }
  }

  SparkDriver(Program.Spark program) {
    this.program = program;
    this.size = Resource.newInstance(program.executorMemory(), program.vcores());
  }

  @Override
  public void start(SimulatedMaster with) {
    master = with;
    if (!program.dynamic()) {
      target = program.executors();
      master.ask(PRIORITY, size, target);
      // A driver makes its SparkContext, from which Spark counts the time, just before it registers.
      master.after(ENOUGH_MILLIS, this::begin);
    }
    beginWithEnough();
  }

  /**
   * Begins unless too few executors work. One with dynamic allocation expects as many as it requests before
   * any task waits, and these are none by default.
   */
  private void beginWithEnough() {
    int expected = program.dynamic() ? 0 : program.executors();
    if (100 * executors.size() >= ENOUGH_PERCENT * expected) {
      begin();
    }
  }

  private void begin() {
    if (stage < 0) {
      nextStage();
    }
  }

  private void nextStage() {
    stage++;
    if (stage == program.stages().size()) {
      master.finish();
      return;
    }
    waiting = program.stages().get(stage).tasks();
    step = 1;
    executors.values().forEach(this::fill);
    shrink();
    growSoon();
  }

  /** Like Spark, cancels what is open beyond the need, and then grows from one at a time again. */
  private void shrink() {
    int surplus = target - needed();
    if (program.dynamic() && surplus > 0) {
      step = 1;
      int cancelled = Math.min(surplus, master.open(PRIORITY));
      if (cancelled > 0) {
        target -= cancelled;
        master.ask(PRIORITY, size, -cancelled);
      }
    }
  }

  private void growSoon() {
    if (program.dynamic() && !growing && mayGrow()) {
      growing = true;
      master.after(BACKLOG_MILLIS, this::grow);
    }
  }

  private boolean mayGrow() {
    return target < Math.min(program.executors(), needed()) && waiting > 0;
  }

  /** The number of executors for all tasks that run or wait. */
  private int needed() {
    return (waiting + running + program.cores() - 1) / program.cores();
  }

  private void grow() {
    growing = false;
    if (mayGrow()) {
      int more = Math.min(step, Math.min(program.executors(), needed()) - target);
      target += more;
      step *= 2;
      master.ask(PRIORITY, size, more);
      growSoon();
    }
  }

  @Override
  public void works(Container container) {
    Executor executor = new Executor(container.getId());
    executors.put(executor.id, executor);
    beginWithEnough();
    fill(executor);
    if (executor.tasks == 0) {
      idle(executor);
    }
  }

  private void fill(Executor executor) {
    while (waiting > 0 && executor.tasks < program.cores() && !executor.gone) {
      waiting--;
      running++;
      executor.tasks++;
      master.after(program.stages().get(stage).taskMillis(), () -> done(executor));
    }
  }

  private void done(Executor executor) {
    if (executor.gone) {
      return;
    }
    executor.tasks--;
    running--;
    if (waiting == 0 && running == 0) {
      nextStage();
    } else {
      fill(executor);
      shrink();
    }
    if (executor.tasks == 0) {
      idle(executor);
    }
  }

  private void idle(Executor executor) {
    if (program.dynamic()) {
      int time = ++executor.idle;
      master.after(IDLE_MILLIS, () -> {
        if (executor.idle == time && executor.tasks == 0 && !executor.gone) {
          executors.remove(executor.id);
          executor.gone = true;
          target--;
          master.release(executor.id);
        }
      });
    }
  }

  @Override
  public void lost(Container container) {
    Executor executor = executors.remove(container.getId());
    // Otherwise it was lost before it worked.
    if (executor != null) {
      executor.gone = true;
      waiting += executor.tasks;
      running -= executor.tasks;
    }
    executors.values().forEach(this::fill);
    if (program.dynamic()) {
      target--;
      shrink();
      growSoon();
    } else {
      master.ask(PRIORITY, size, 1);
    }
  }
}
