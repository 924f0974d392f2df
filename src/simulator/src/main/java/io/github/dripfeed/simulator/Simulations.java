// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs simulations, each in a process that has nothing else to do at that time: virtual time and Dripfeed's
 * state are of the whole process. The results do not depend on the number of processes.
 */
final class Simulations implements AutoCloseable {

  private final ExecutorService threads;
  private final boolean here;
  private final boolean fresh;
  private final Progress progress;
  private final Set<WorkerProcess> workers = ConcurrentHashMap.newKeySet();
  private final ThreadLocal<WorkerProcess> worker = new ThreadLocal<>();
  private final Thread atExit = new Thread(this::killWorkers, "kill workers");
  private volatile boolean closed;

  /** @param processes how many at once; 1: in this process */
  Simulations(int processes, Progress progress) {
    this(processes, false, progress);
  }

  /** @param fresh each simulation has a new process, which ends with it */
  Simulations(int processes, boolean fresh, Progress progress) {
    this.here = processes == 1 && !fresh;
    this.fresh = fresh;
    this.progress = progress;
    threads = Executors.newFixedThreadPool(processes, run -> {
      Thread thread = new Thread(run, "simulation");
      thread.setDaemon(true);
      return thread;
    });
    // An interrupt of this process is none of theirs where they have no terminal in common.
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Runs it as soon as a process is free, in the order of the calls. */
  Future<SimulationResult> start(SimulationTask task) {
    progress.planned(task.applications());
    return threads.submit(() -> run(task));
  }

  /** @throws SimulationFailed if it did */
  static SimulationResult await(Future<SimulationResult> started) throws Exception {
    try {
      return started.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private SimulationResult run(SimulationTask task) throws Exception {
    Progress.Part part = progress.begin(task.title(), task.applications());
    SimulationResult result = here ? inThisProcess(task, part) : inWorker(task, part);
    part.end();
    return result;
  }

  private static SimulationResult inThisProcess(SimulationTask task, Progress.Part part)
      throws SimulationFailed {
    try {
      return run(task, part::reached);
    } catch (Throwable e) {
      WorkerMessage.Failed failed = WorkerMessage.Failed.of(e);
      throw new SimulationFailed(task, failed.message(), failed.stackTrace());
    }
  }

  private SimulationResult inWorker(SimulationTask task, Progress.Part part) throws Exception {
    if (closed) {
      throw new SimulationFailed(task, "another one failed before", "");
    }
    WorkerProcess process = worker.get();
    if (process == null) {
      process = newWorker();
      worker.set(process);
    }
    boolean reusable = false;
    try {
      SimulationResult result = process.run(task, part::reached);
      reusable = !fresh;
      return result;
    } finally {
      // One that failed may be in any state.
      if (!reusable) {
        process.kill();
        workers.remove(process);
        worker.remove();
      }
    }
  }

  private WorkerProcess newWorker() throws IOException {
    WorkerProcess process = new WorkerProcess();
    workers.add(process);
    if (closed) {
      process.kill();
    }
    return process;
  }

  /** Runs the simulation in this process. */
  static SimulationResult run(SimulationTask task, SimulationListener listener) throws Exception {
    List<MemoryPoolMXBean> heap = new ArrayList<>(ManagementFactory.getMemoryPoolMXBeans());
    heap.removeIf(pool -> pool.getType() != MemoryType.HEAP);
    heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    try (Profile profile = task.profiled() ? new Profile() : null) {
      Outcome outcome = Simulation.run(task, listener);
      double seconds = (System.nanoTime() - begin) / 1e9;
      double cpuSeconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e9;
      long peak = heap.stream().map(MemoryPoolMXBean::getPeakUsage).mapToLong(MemoryUsage::getUsed).sum();
      return new SimulationResult(outcome, seconds, cpuSeconds, peak >> 20,
          profile == null ? Double.NaN : profile.dripfeedShare());
    }
  }

  /** The ids of the processes that were started. */
  List<Long> pids() {
    return workers.stream().map(WorkerProcess::pid).toList();
  }

  private void killWorkers() {
    closed = true;
    workers.forEach(WorkerProcess::kill);
  }

  /** Ends all processes, whatever they do. */
  @Override
  public void close() {
    threads.shutdownNow();
    killWorkers();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The program is about to exit.
    }
  }
}
