// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.admission.Arrival;
import io.github.dripfeed.core.admission.Attempt;
import io.github.dripfeed.core.admission.AttemptHistory;
import io.github.dripfeed.core.admission.AttemptSettings;
import io.github.dripfeed.core.admission.OrderKey;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.QueueSettings;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.fixture.ModelListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * A small model of a cluster with queues below parents: nodes with memory, a scheduler that gives each
 * node's free memory to the offered applications of the queue that uses the least, applications that start,
 * request, work and end, and the real orders, plan and ledger.
 */
final class ModelledCluster extends ModelListener<ModelledCluster.App> {

  static final QueueSettings SETTINGS =
      new QueueSettings(1, 0, new AttemptSettings(100_000, 1)).withAuto(true);
  private static final String USER = "user";
  private static final int VALID = 4;

  /** An application: its sizes and its progress. */
  static final class App implements Attempt {
    final int number;
    final int queue;
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

    App(int number, int queue, int driver, int executor, int wants, int startUp, int work) {
      this.number = number;
      this.queue = queue;
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
    public boolean requestsOnlyUpdates() {
      return false;
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
  final List<QueueOrder<App>> orders = new ArrayList<>();
  final List<App> apps = new ArrayList<>();
  final List<DemandHistory> seen = new ArrayList<>();
  private final List<Long> maximum = new ArrayList<>();
  private final List<Long> used = new ArrayList<>();
  /** The parent of each queue, and the maximum of each parent. */
  private final List<Integer> parents = new ArrayList<>();
  private final List<Long> parentMaximum = new ArrayList<>();
  private final HeadroomLedger ledger = new HeadroomLedger();
  private final List<Integer> totals = new ArrayList<>();
  private final List<Integer> free = new ArrayList<>();
  private final Map<App, AttemptHistory> histories = new HashMap<>();
  int now;
  int lastPlacedAt;

  ModelledCluster(Random random, int largest) {
    this.random = random;
    this.largest = largest;
  }

  /** @param share its maximum, in percent of the cluster */
  void addParent(long share) {
    parentMaximum.add(share);
  }

  /** @param share the maximum of the queue, in percent of the cluster */
  void addQueue(int parent, long share) {
    parents.add(parent);
    QueueOrder<App> order = new QueueOrder<>(SETTINGS, this);
    order.account().join(ledger);
    orders.add(order);
    seen.add(new DemandHistory());
    maximum.add(share);
    used.add(0L);
  }

  private long maximum(int queue) {
    return maximum.get(queue) * sum(totals) / 100;
  }

  private long parentMaximum(int parent) {
    return parentMaximum.get(parent) * sum(totals) / 100;
  }

  /** What the queues below the parent have of these amounts. */
  private long below(int parent, IntToLongFunction ofQueue) {
    return IntStream.range(0, orders.size()).filter(queue -> parents.get(queue) == parent)
        .mapToLong(ofQueue).sum();
  }

  private long freeBelow(int parent) {
    return parentMaximum(parent) - below(parent, used::get);
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
        orders.get(app.queue).remove(app, now);
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
    orders.get(app.queue).add(app, app, new Arrival(new OrderKey(0, 0, 1, app.number, 1),
        SETTINGS.attempts(), histories.get(app), false), now);
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
    assertNoFailure();
  }

  private void work(App app) {
    for (int i = app.executorNodes.size() - 1; i >= 0; i--) {
      if (app.doneAt.get(i) <= now) {
        app.done++;
        if (orders.size() > 1 && app.done + app.executorNodes.size() <= app.wants) {
          // Between two containers of an application, another queue's driver could take its room.
          app.doneAt.set(i, now + app.work);
          lastPlacedAt = now;
        } else {
          release(app, i);
        }
      }
    }
    if (!app.ended && app.driverNode >= 0 && app.done >= app.wants) {
      releaseAll(app);
      orders.get(app.queue).remove(app, now);
      app.driverNode = -1;
      app.ended = true;
    }
  }

  /** Allocates as many containers as fit, one offer at a time. */
  private void heartbeat(int node) {
    boolean placed = true;
    while (placed) {
      placed = false;
      List<Integer> queues = new ArrayList<>();
      for (int queue = 0; queue < orders.size(); queue++) {
        queues.add(queue);
      }
      queues.sort(Comparator.comparing(used::get));
      for (int queue : queues) {
        for (Iterator<App> offered = orders.get(queue).assignmentIterator("", () -> now);
            offered.hasNext() && !placed;) {
          placed = place(offered.next(), node);
        }
      }
    }
  }

  private boolean place(App app, int node) {
    int size = app.driverNode < 0 ? app.driver : app.executor;
    if (app.pending(now) <= 0 || free.get(node) < size
        || used.get(app.queue) + size > maximum(app.queue)
        || freeBelow(parents.get(app.queue)) < size) {
      return false;
    }
    lastPlacedAt = now;
    free.set(node, free.get(node) - size);
    used.set(app.queue, used.get(app.queue) + size);
    if (app.driverNode < 0) {
      app.driverNode = node;
      app.startsUntil = now + app.startUp;
    } else {
      app.executorNodes.add(node);
      app.doneAt.add(now + app.work);
    }
    orders.get(app.queue).containerAllocated(app, () -> null, now);
    return true;
  }

  private void release(App app, int executor) {
    int node = app.executorNodes.remove(executor);
    app.doneAt.remove(executor);
    if (totals.get(node) > 0) {
      free.set(node, free.get(node) + app.executor);
    }
    used.set(app.queue, used.get(app.queue) - app.executor);
    orders.get(app.queue).executorReleased(app, () -> null, now);
  }

  private void releaseAll(App app) {
    for (int i = app.executorNodes.size() - 1; i >= 0; i--) {
      release(app, i);
    }
    used.set(app.queue, used.get(app.queue) - app.driver);
    if (totals.get(app.driverNode) > 0) {
      free.set(app.driverNode, free.get(app.driverNode) + app.driver);
    }
  }

  /** One turn of the monitor. */
  void plan() {
    orders.forEach(order -> order.tick(now));
    ledger.begin();
    PartitionRoom room = new PartitionRoom();
    long[] progress = new long[totals.size()];
    long[] stuck = new long[totals.size()];
    long[] ofQueue = new long[orders.size()];
    for (App app : apps) {
      long[] to = app.executorNodes.isEmpty() ? stuck : progress;
      if (app.driverNode >= 0) {
        to[app.driverNode] += app.driver;
        app.executorNodes.forEach(node -> to[node] += app.executor);
        ofQueue[app.queue] += app.executorNodes.isEmpty() ? 0
            : app.driver + app.executor * app.executorNodes.size();
      }
    }
    for (int node = 0; node < totals.size(); node++) {
      if (totals.get(node) > 0) {
        ResourceVector now = ResourceVector.of(free.get(node));
        ResourceVector later = ResourceVector.of(free.get(node) + progress[node]);
        room.addNode(ResourceVector.of(totals.get(node)), now, later,
            ResourceVector.of(later.get(0) + stuck[node]));
      }
    }
    long ofAll = Arrays.stream(ofQueue).sum();
    long used = sum(totals) - sum(free);
    LevelRoom root = new LevelRoom("root", ResourceVector.of(sum(free)), ResourceVector.of(ofAll),
        ResourceVector.of(used - ofAll));
    ClaimTotal rootTotal = new ClaimTotal((partition, amounts) -> amounts.get(0) <= sum(free));
    List<LevelRoom> parentRooms = new ArrayList<>();
    List<ClaimTotal> parentTotals = new ArrayList<>();
    for (int parent = 0; parent < parentMaximum.size(); parent++) {
      int index = parent;
      long runs = below(parent, queue -> ofQueue[queue]);
      parentRooms.add(new LevelRoom("root.p" + parent, ResourceVector.of(freeBelow(parent)),
          ResourceVector.of(runs), ResourceVector.of(below(parent, this.used::get) - runs)));
      parentTotals.add(new ClaimTotal((partition, amounts) -> amounts.get(0) <= freeBelow(index)));
    }
    StartPlan<App> plan = new StartPlan<>();
    List<QueuePlan<App>> plans = new ArrayList<>();
    List<PartitionHeadroom> headrooms = new ArrayList<>();
    for (int queue = 0; queue < orders.size(); queue++) {
      PartitionHeadroom headroom = headroom(room,
          List.of(parentRooms.get(parents.get(queue)), root), queue, ofQueue[queue]);
      headrooms.add(headroom);
      int index = queue;
      plans.add(new QueuePlan<>(orders.get(queue).account(), "root.q" + queue, 1,
          PlanSteps.headroom(partition -> headroom, () -> 1), List.of(new ClaimTotal((partition, amounts) ->
              amounts.get(0) <= maximum(index) - this.used.get(index)),
              parentTotals.get(parents.get(queue)), rootTotal)));
      for (App app : orders.get(queue).bySubmission()) {
        add(plans.get(queue), app);
      }
      if (orders.get(queue).size() > 0) {
        headroom.keepReserve(List.of(), 1);
      }
      plan.add(plans.get(queue));
    }
    plan.make();
    List<HeadroomClaim> claims = new ArrayList<>();
    for (int queue = 0; queue < orders.size(); queue++) {
      orders.get(queue).setPlan(plans.get(queue).claims(), plan.shortfalls(plans.get(queue)));
      claims.addAll(plans.get(queue).claims().values());
    }
    ledger.activate(claims, plan.starts(Map.of("", headrooms)), now + VALID);
  }

  private PartitionHeadroom headroom(PartitionRoom room, List<LevelRoom> above, int queue,
      long progress) {
    long free = maximum(queue) - used.get(queue);
    LevelRoom leaf = new LevelRoom("root.q" + queue, ResourceVector.of(free), ResourceVector.of(progress),
        ResourceVector.of(used.get(queue) - progress));
    List<LevelRoom> levels = new ArrayList<>(above);
    levels.add(0, leaf);
    PartitionHeadroom headroom = new PartitionHeadroom(room, levels,
        ResourceVector.of(used.get(queue)), ResourceVector.of(sum(totals) / orders.size()),
        ResourceVector.of(largest));
    ResourceVector all = ResourceVector.of(sum(totals));
    headroom.addUser(USER, new UserHeadroom(ResourceVector.of(used.get(queue)),
        ResourceVector.of(progress), all, all, 1));
    return headroom;
  }

  private void add(QueuePlan<App> plan, App app) {
    State state = orders.get(app.queue).state(app);
    if (state == State.ACCEPTED) {
      plan.waits(app, "", USER,
          PlanSteps.needs(new Demand("", ResourceVector.of(app.driver), 1), expected(app)));
      return;
    }
    List<Demand> asks = new ArrayList<>();
    if (app.pending(now) > 0) {
      seen.get(app.queue).add(app.number, "", "", now);
      seen.get(app.queue).update(app.number, "", List.of(new Demand("", ResourceVector.of(app.executor),
          app.pending(now) + app.executorNodes.size())),
          app.pending(now) + app.executorNodes.size(), now);
      asks.add(new Demand("", ResourceVector.of(app.executor), app.pending(now)));
    }
    if (state == State.RUNNING) {
      plan.runs(USER, asks, List.of(),
          Map.of("", ResourceVector.of(app.executor * app.executorNodes.size())));
    } else {
      plan.starts(app, USER, asks.isEmpty() ? expected(app)
          : List.of(new Demand("", ResourceVector.of(app.executor), 1)), List.of());
    }
  }

  private List<Demand> expected(App app) {
    List<Demand> expected = seen.get(app.queue).expected("", "", 1);
    return List.of(new Demand("",
        expected.isEmpty() ? ResourceVector.of(largest) : expected.get(0).size(), 1));
  }

  private static long sum(List<Integer> amounts) {
    return amounts.stream().mapToLong(Integer::longValue).sum();
  }

  boolean isOver() {
    return apps.stream().allMatch(app -> app.ended);
  }
}
