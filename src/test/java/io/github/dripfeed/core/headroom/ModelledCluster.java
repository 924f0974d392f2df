/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.admission.AdmissionListener;
import io.github.dripfeed.core.admission.Arrival;
import io.github.dripfeed.core.admission.Attempt;
import io.github.dripfeed.core.admission.AttemptHistory;
import io.github.dripfeed.core.admission.AttemptSettings;
import io.github.dripfeed.core.admission.OrderKey;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.QueueSettings;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.admission.Transition;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A small model of a cluster with one queue: nodes with memory, a scheduler that gives each node's free
 * memory to the offered applications in order, applications that start, request, work and end, and the real
 * order and plan.
 */
final class ModelledCluster implements AdmissionListener<ModelledCluster.App> {

  static final QueueSettings SETTINGS =
      new QueueSettings(1, 0, new AttemptSettings(100_000, 1)).withParallelStart(true);
  private static final String USER = "user";
  private static final int VALID = 4;

  /** An application: its sizes and its progress. */
  static final class App implements Attempt {
    final int number;
    final int driver;
    final int executor;
    final int wants;
    final int startUp;
    final int work;
    final List<Integer> executorNodes = new ArrayList<>();
    int driverNode = -1;
    int startsUntil;
    int done;
    boolean ended;
    /** When each executor ends, in the order of {@link #executorNodes}. */
    final List<Integer> doneAt = new ArrayList<>();

    App(int number, int driver, int executor, int wants, int startUp, int work) {
      this.number = number;
      this.driver = driver;
      this.executor = executor;
      this.wants = wants;
      this.startUp = startUp;
      this.work = work;
    }

    int pending(int now) {
      if (driverNode < 0) {
        return 1;
      }
      return now < startsUntil ? 0 : wants - done - executorNodes.size();
    }

    @Override
    public String partition() {
      return "";
    }

    @Override
    public boolean isExempt() {
      return false;
    }

    @Override
    public boolean hasOutstandingRequest() {
      return true;
    }

    @Override
    public boolean hasReservation() {
      return false;
    }

    @Override
    public boolean isDriverAllocated() {
      return driverNode >= 0;
    }

    @Override
    public boolean isDriverLive() {
      return driverNode >= 0;
    }

    @Override
    public int liveExecutors() {
      return executorNodes.size();
    }

    @Override
    public int containers() {
      return executorNodes.size() + (driverNode >= 0 ? 1 : 0);
    }

    @Override
    public long millisSinceDriverAllocated() {
      return 0;
    }

    @Override
    public long millisSinceBeforeRestart() {
      return 0;
    }

    @Override
    public boolean isSkipped() {
      return false;
    }

    @Override
    public String user() {
      return "user";
    }

    @Override
    public String toString() {
      return "app" + number + "(driver " + driver + " on " + driverNode + ", " + wants + " of " + executor
          + ", " + executorNodes.size() + " live, " + done + " done" + (ended ? ", ended)" : ")");
    }
  }

  final Random random;
  final int largest;
  final QueueOrder<App> order = new QueueOrder<>(SETTINGS, this);
  final List<App> apps = new ArrayList<>();
  final DemandHistory seen = new DemandHistory();
  private final List<Integer> totals = new ArrayList<>();
  private final List<Integer> free = new ArrayList<>();
  private final Map<App, AttemptHistory> histories = new HashMap<>();
  int now;
  int lastPlacedAt;
  int startedBeyondSlots;
  private Throwable failure;

  ModelledCluster(Random random, int largest) {
    this.random = random;
    this.largest = largest;
  }

  void addNode(int memory) {
    totals.add(memory);
    free.add(memory);
  }

  /** The containers of the node are lost. An application that loses its driver starts again. */
  void loseNode() {
    int lost = totals.lastIndexOf(Collections.max(totals));
    totals.set(lost, 0);
    free.set(lost, 0);
    for (App app : List.copyOf(apps)) {
      if (app.driverNode == lost) {
        releaseAll(app);
        order.remove(app, now);
        app.driverNode = -1;
        app.done = 0;
        submit(app);
      } else {
        for (int i = app.executorNodes.size() - 1; i >= 0; i--) {
          if (app.executorNodes.get(i) == lost) {
            release(app, i);
          }
        }
      }
    }
  }

  void bringBack(int memory) {
    int gone = totals.indexOf(0);
    if (gone >= 0) {
      totals.set(gone, memory);
      free.set(gone, memory);
    }
  }

  void submit(App app) {
    if (!apps.contains(app)) {
      apps.add(app);
    }
    histories.put(app, new AttemptHistory(now));
    order.add(app, app, new Arrival(new OrderKey(0, 0, 1, app.number, 1), order.settings().attempts(),
        histories.get(app), false), now);
  }

  State state(App app) {
    return histories.get(app).state();
  }

  /** One heartbeat of every node, in random order; finished work ends. */
  void step() {
    now++;
    for (App app : apps) {
      work(app);
    }
    List<Integer> nodes = new ArrayList<>();
    for (int node = 0; node < totals.size(); node++) {
      nodes.add(node);
    }
    Collections.shuffle(nodes, random);
    nodes.forEach(this::heartbeat);
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }

  private void work(App app) {
    for (int i = app.executorNodes.size() - 1; i >= 0; i--) {
      if (app.doneAt.get(i) <= now) {
        release(app, i);
        app.done++;
      }
    }
    if (!app.ended && app.driverNode >= 0 && app.done >= app.wants) {
      releaseAll(app);
      order.remove(app, now);
      app.driverNode = -1;
      app.ended = true;
    }
  }

  /** Allocates as many containers as fit, one offer at a time. */
  private void heartbeat(int node) {
    boolean placed = true;
    while (placed) {
      placed = false;
      for (Iterator<App> offered = order.assignmentIterator("", () -> now); offered.hasNext() && !placed;) {
        placed = place(offered.next(), node);
      }
    }
  }

  private boolean place(App app, int node) {
    int size = app.driverNode < 0 ? app.driver : app.executor;
    if (app.pending(now) <= 0 || free.get(node) < size) {
      return false;
    }
    lastPlacedAt = now;
    free.set(node, free.get(node) - size);
    if (app.driverNode < 0) {
      app.driverNode = node;
      app.startsUntil = now + app.startUp;
    } else {
      app.executorNodes.add(node);
      app.doneAt.add(now + app.work);
    }
    order.containerAllocated(app, () -> null, now);
    return true;
  }

  private void release(App app, int executor) {
    int node = app.executorNodes.remove(executor);
    app.doneAt.remove(executor);
    if (totals.get(node) > 0) {
      free.set(node, free.get(node) + app.executor);
    }
    order.executorReleased(app, () -> null, now);
  }

  private void releaseAll(App app) {
    for (int i = app.executorNodes.size() - 1; i >= 0; i--) {
      release(app, i);
    }
    if (totals.get(app.driverNode) > 0) {
      free.set(app.driverNode, free.get(app.driverNode) + app.driver);
    }
  }

  /** One turn of the monitor. */
  void plan() {
    order.tick(now);
    PartitionHeadroom zone = zone();
    StartPlan<App> plan = new StartPlan<>(partition -> zone);
    long starts = order.starts();
    for (State state : new State[] {State.RUNNING, State.STARTING, State.ACCEPTED}) {
      for (App app : order.bySubmission()) {
        if (order.state(app) == state) {
          add(plan, app, state);
        }
      }
    }
    order.activatePlan(starts, plan.claims(), plan.shortages(),
        (partition, amounts) -> amounts.get(0) <= sum(free), now + VALID);
  }

  private void add(StartPlan<App> plan, App app, State state) {
    if (state == State.ACCEPTED) {
      plan.waits(app, "", USER, new Demand("", ResourceVector.of(app.driver), 1), expected());
      return;
    }
    List<Demand> asks = new ArrayList<>();
    if (app.pending(now) > 0) {
      seen.add(app.number, "", "", 0);
      seen.update(app.number, "", List.of(new Demand("", ResourceVector.of(app.executor),
          app.pending(now) + app.executorNodes.size())),
          app.pending(now) + app.executorNodes.size(), now);
      asks.add(new Demand("", ResourceVector.of(app.executor), app.pending(now)));
    }
    if (state == State.RUNNING) {
      plan.runs(USER, asks);
    } else {
      plan.starts(app, USER, asks.isEmpty() ? expected()
          : List.of(new Demand("", ResourceVector.of(app.executor), 1)));
    }
  }

  private List<Demand> expected() {
    List<Demand> expected = seen.expected("", "", 1);
    return List.of(new Demand("",
        expected.isEmpty() ? ResourceVector.of(largest) : expected.get(0).size(), 1));
  }

  private PartitionHeadroom zone() {
    long[] progress = new long[totals.size()];
    for (App app : apps) {
      if (!app.ended && !app.executorNodes.isEmpty()) {
        progress[app.driverNode] += app.driver;
        app.executorNodes.forEach(node -> progress[node] += app.executor);
      }
    }
    long used = sum(totals) - sum(free);
    long ofProgress = 0;
    for (long each : progress) {
      ofProgress += each;
    }
    PartitionHeadroom zone = new PartitionHeadroom(
        ResourceVector.of(used), ResourceVector.of(sum(free)), ResourceVector.of(ofProgress),
        ResourceVector.of(largest));
    for (int node = 0; node < totals.size(); node++) {
      if (totals.get(node) > 0) {
        zone.addNode(ResourceVector.of(free.get(node)), ResourceVector.of(progress[node]));
      }
    }
    ResourceVector all = ResourceVector.of(sum(totals));
    zone.addUser(USER,
        new UserHeadroom(ResourceVector.of(used), ResourceVector.of(ofProgress), all, all, 1));
    return zone;
  }

  private static long sum(List<Integer> amounts) {
    return amounts.stream().mapToLong(Integer::longValue).sum();
  }

  boolean isOver() {
    return apps.stream().allMatch(app -> app.ended);
  }

  @Override
  public void stateChanged(App item, Transition transition, long millis) {
    // The state tells.
  }

  @Override
  public void startedBeyondSlots(App item) {
    startedBeyondSlots++;
  }

  @Override
  public void stalled(App item, long millis) {
    throw new AssertionError(item + " stalled");
  }

  @Override
  public void failed(App item, Throwable thrown) {
    failure = thrown;
  }
}
