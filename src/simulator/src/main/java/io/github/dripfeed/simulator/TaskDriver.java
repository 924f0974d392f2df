// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;

/** Runs each task in its own container. The tasks of a wave start after those before it have ended. */
final class TaskDriver implements Driver {

  private final List<List<Program.Task>> waves;
  private final Map<Integer, Queue<Program.Task>> waiting = new HashMap<>();
  private final Map<ContainerId, Program.Task> running = new HashMap<>();
  private final Set<ContainerId> done = new HashSet<>();
  private SimulatedMaster master;
  private int wave = -1;
  /** Requests of one priority have one size, so each size of a wave has its own priority. */
  private int priority;
  private int left;

  TaskDriver(Program.Tasks program) {
    this.waves = program.waves();
  }

  @Override
  public void start(SimulatedMaster with) {
    master = with;
    nextWave();
  }

  private void nextWave() {
    wave++;
    if (wave == waves.size()) {
      master.finish();
      return;
    }
    Map<Resource, Queue<Program.Task>> bySize = new LinkedHashMap<>();
    for (Program.Task task : waves.get(wave)) {
      bySize.computeIfAbsent(task.size(), size -> new ArrayDeque<>()).add(task);
    }
    left = waves.get(wave).size();
    if (left == 0) {
      nextWave();
      return;
    }
    bySize.forEach((size, tasks) -> {
      priority++;
      waiting.put(priority, tasks);
      master.ask(priority, size, tasks.size());
    });
  }

  @Override
  public void works(Container container) {
    Program.Task task = waiting.get(container.getPriority().getPriority()).remove();
    running.put(container.getId(), task);
    master.after(task.millis(), () -> done(container.getId()));
  }

  private void done(ContainerId container) {
    if (running.remove(container) != null) {
      done.add(container);
      master.exit(container);
      left--;
      if (left == 0) {
        nextWave();
      }
    }
  }

  @Override
  public void lost(Container container) {
    if (done.remove(container.getId())) {
      return;
    }
    int again = container.getPriority().getPriority();
    Program.Task task = running.remove(container.getId());
    // Otherwise it was lost before it worked, and its task still waits.
    if (task != null) {
      waiting.get(again).add(task);
    }
    master.ask(again, waiting.get(again).peek().size(), 1);
  }
}
