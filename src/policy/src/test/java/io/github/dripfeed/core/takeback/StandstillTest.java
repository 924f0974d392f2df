// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.cluster.Container;
import io.github.dripfeed.core.cluster.Node;
import io.github.dripfeed.core.cluster.PreemptionSearch;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plays applications with drivers on nodes, each of which wants one executor, and lets the rule resolve
 * them. Time goes by in rounds of a second. What is taken back does not come again here.
 */
class StandstillTest {

  private static final long AFTER = 30;
  /** From the loss of a driver until its room is free, in rounds. */
  private static final int STOPPING = 2;
  private static final List<Node> ROOM = List.of(new Node(ResourceVector.of(2), null));

  private static final class App {
    final int number;
    final int node;
    final long driver;
    final long executor;
    boolean hasAttempt = true;
    boolean runs;
    int endsIn = Integer.MAX_VALUE;
    long blockedSince;

    App(int number, int node, long driver, long executor) {
      this.number = number;
      this.node = node;
      this.driver = driver;
      this.executor = executor;
    }
  }

  private static final class Game {
    long after = AFTER;
    int timeToStop = STOPPING;
    final long[] free;
    final Map<Integer, App> apps = new LinkedHashMap<>();
    final Standstill standstill = new Standstill();
    final List<Integer> taken = new ArrayList<>();
    final Map<App, Long> stopping = new LinkedHashMap<>();
    long now;
    long lastProgress;
    long longest;

    Game(long... free) {
      this.free = free;
    }

    App add(int node, long driver, long executor) {
      App app = new App(apps.size(), node, driver, executor);
      free[node] -= driver;
      apps.put(app.number, app);
      return app;
    }

    void round() {
      now++;
      stopping.entrySet().removeIf(each -> {
        boolean over = each.getValue() <= now;
        if (over) {
          free[each.getKey().node] += each.getKey().driver;
        }
        return over;
      });
      for (App app : new ArrayList<>(apps.values())) {
        if (--app.endsIn <= 0) {
          apps.remove(app.number);
          free[app.node] += app.driver;
          if (app.runs) {
            progress();
          }
        }
      }
      allocate();
      Scene scene = look();
      Container loss = standstill.next(scene, now);
      if (loss != null) {
        App lost = apps.get((Integer) loss.application);
        assertThat(lost.runs).isFalse();
        assertThat(lost.hasAttempt).isTrue();
        assertThat(lost).as("never the oldest").isNotSameAs(oldest());
        standstill.took(loss, scene, now);
        taken.add(lost.number);
        // It has its driver no more, and the room is not free yet.
        apps.remove(lost.number);
        stopping.put(lost, now + timeToStop);
      }
    }

    App oldest() {
      return apps.values().stream().filter(app -> !app.runs).findFirst().orElse(null);
    }

    private void progress() {
      longest = Math.max(longest, now - lastProgress);
      lastProgress = now;
    }

    private void allocate() {
      for (App app : apps.values()) {
        for (int node = 0; node < free.length && !app.runs; node++) {
          if (app.executor <= free[node]) {
            free[node] -= app.executor;
            app.runs = true;
            app.endsIn = 5;
            int on = node;
            ends.put(app.number, on);
            progress();
          }
        }
      }
      ends.entrySet().removeIf(end -> {
        App app = all.get(end.getKey());
        boolean over = !apps.containsKey(end.getKey());
        if (over) {
          free[end.getValue()] += app.executor;
        }
        return over;
      });
      all.putAll(apps);
    }

    private final Map<Integer, Integer> ends = new LinkedHashMap<>();
    private final Map<Integer, App> all = new LinkedHashMap<>();
    private List<Node> roomNodes = new ArrayList<>();

    private Scene look() {
      roomNodes = new ArrayList<>();
      for (long each : free) {
        roomNodes.add(new Node(ResourceVector.of(each), null));
      }
      List<Blocked> blocked = new ArrayList<>();
      Set<Object> present = new HashSet<>();
      Set<Object> running = new HashSet<>();
      for (App app : apps.values()) {
        present.add(app.number);
        if (app.runs) {
          running.add(app.number);
        } else {
          blocked.add(new Blocked(app.number, container(app.number, app.executor, null),
              app.hasAttempt ? container(app.number, app.driver, roomNodes.get(app.node)) : null,
              false, 0, now - app.blockedSince, after));
        }
      }
      return scene(roomNodes, blocked, present, running, !running.isEmpty(), !stopping.isEmpty());
    }

    boolean isOver() {
      return apps.isEmpty();
    }
  }

  @Test
  void oneAfterTheOtherAndNoMoreThanNeeded() {
    Game game = new Game(12);
    for (int i = 0; i < 8; i++) {
      game.add(0, 1, 6);
    }
    for (int i = 0; i < 60 && !game.apps.get(0).runs; i++) {
      game.round();
    }
    assertThat(game.taken).containsExactly(7, 6);
    assertThat(game.now).isLessThanOrEqualTo(AFTER + 2 + 2 * (1 + STOPPING));
  }

  @Test
  void roomThatComesLateIsNotInVain() {
    Game game = new Game(12);
    game.after = 5;
    game.timeToStop = 10;
    for (int i = 0; i < 8; i++) {
      game.add(0, 1, 8);
    }
    for (int i = 0; i < 200 && !game.apps.get(0).runs; i++) {
      game.round();
    }
    assertThat(game.taken).containsExactly(7, 6, 5, 4);
    assertThat(game.now).isLessThanOrEqualTo(game.after + 2 + 4 * (1 + game.timeToStop));
  }

  @Test
  void startsAreHeldUntilThereIsProgress() {
    Game game = new Game(12);
    for (int i = 0; i < 8; i++) {
      game.add(0, 1, 6);
    }
    while (game.taken.isEmpty()) {
      game.round();
      assertThat(game.standstill.isHolding()).isEqualTo(!game.taken.isEmpty());
    }
    while (!game.apps.get(0).runs) {
      assertThat(game.standstill.isHolding()).isTrue();
      game.round();
    }
    assertThat(game.standstill.isHolding()).isFalse();
  }

  @Test
  void roomThatOthersTakeIsWaitedForLongerAndLonger() {
    Game game = new Game(8);
    for (int i = 0; i < 8; i++) {
      game.add(0, 1, 2);
    }
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      int before = game.taken.size();
      game.round();
      if (game.taken.size() > before) {
        times.add(game.now);
      }
      // Somebody else takes all room.
      game.free[0] = 0;
    }
    assertThat(times).as("two at a time").hasSizeBetween(5, 7);
    assertThat(times.get(4) - times.get(3)).isGreaterThan(times.get(2) - times.get(1));
  }

  @Test
  void waitAfterAnAttemptInVainDoublesUpToSixtyFourTimes() {
    Standstill standstill = new Standstill();
    Scene scene = wantingThree("a", "b", "c");
    List<Long> waits = new ArrayList<>();
    long inVainAt = -1;
    for (long now = 0; waits.size() < 9; now += AFTER) {
      Container loss = standstill.next(scene, now);
      if (loss != null) {
        if (inVainAt >= 0) {
          waits.add((now - inVainAt) / AFTER);
        }
        standstill.took(loss, scene, now);
        // It has got nothing one step later.
        inVainAt = now + AFTER;
      }
    }
    assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 64L, 64L);
  }

  @Test
  void nextStandstillDoesNotPayForOneInVain() {
    Game game = new Game(8);
    for (int i = 0; i < 8; i++) {
      game.add(0, 1, 2);
    }
    while (game.now < 5 * AFTER) {
      game.round();
      game.free[0] = 0;
    }
    assertThat(game.taken).isNotEmpty();
    assertThat(game.standstill.isOver()).isFalse();
    game.apps.clear();
    game.round();
    game.round();
    assertThat(game.standstill.isOver()).isTrue();
  }

  @Test
  void roomOfLongAgoIsNotTheRoomOfNow() {
    Standstill standstill = new Standstill();
    long now = 0;
    assertThat(standstill.next(threeOfWhichTheFirstHasRoom(), now)).isNull();
    now += AFTER * 10;
    standstill.next(empty("a", "b", "c"), now);
    now += AFTER * 10;
    assertThat(standstill.next(threeOfWhichTheFirstHasRoom(), now))
        .as("it has room since now, which the scheduler will use").isNull();
  }

  @Test
  void unrelatedStandstillDoesNotPayForOneInVain() {
    Standstill standstill = inVainFor("a", "b", "c");
    assertThat(standstill.next(wantingThree("a", "b"), 2 * AFTER))
        .as("the same one waits").isNull();
    Container loss = standstill.next(wantingThree("d", "e"), 2 * AFTER + 1);
    assertThat(loss).isNotNull();
    assertThat(loss.application).isEqualTo("e");
  }

  @ParameterizedTest(name = "with so many executors it is still blocked: {0}")
  @ValueSource(booleans = {false, true})
  void lateExecutorEndsTheWait(boolean stillBlocked) {
    Standstill standstill = inVainFor("a", "b", "c");
    Scene scene = wantingThree("b", "d");
    if (stillBlocked) {
      List<Blocked> blocked = new ArrayList<>(scene.blocked);
      blocked.add(0, wantingThree("a", 1));
      scene = scene(ROOM, blocked, Set.of("a", "b", "d"), Set.of("a"), false, false);
    }
    Container loss = standstill.next(scene, 2 * AFTER);
    assertThat(loss).isNotNull();
    assertThat(loss.application).isEqualTo("d");
  }

  @Test
  void lossInAnotherPartitionEndsNoHold() {
    Standstill standstill = new Standstill();
    standstill.took(loss("other"), empty("a", "b", "c"), AFTER);
    standstill.lost("c");
    standstill.next(empty("a", "b"), AFTER);
    assertThat(standstill.isHolding()).isTrue();
    standstill.next(empty("a"), AFTER);
    assertThat(standstill.isHolding()).isFalse();
  }

  @Test
  void endOfOneThatStartedMeanwhileEndsAHold() {
    Standstill standstill = new Standstill();
    standstill.took(loss("c"), empty("c"), AFTER);
    standstill.next(empty("h"), AFTER);
    assertThat(standstill.isHolding()).as("it has only started").isTrue();
    standstill.next(empty(), AFTER);
    assertThat(standstill.isHolding()).isFalse();
  }

  /** The last one was taken back for the first one at time 0, which has got nothing in {@link #AFTER}. */
  private static Container loss(String application) {
    return container(application, 1, ROOM.get(0));
  }

  /** @param node null for one that is requested */
  private static Container container(Object application, long size, Node node) {
    return new Container(application, ResourceVector.of(size), node, ResourceVector.of(0), List.of());
  }

  private static Scene scene(List<Node> nodes, List<Blocked> oldestFirst, Set<Object> present,
      Set<Object> running, boolean moving, boolean roomComes) {
    List<Blocked> youngestFirst = new ArrayList<>(oldestFirst);
    Collections.reverse(youngestFirst);
    return new Scene(new PreemptionSearch(nodes), oldestFirst, youngestFirst, (gainer, losses) -> false,
        present, running, moving, roomComes);
  }

  private static Scene empty(Object... present) {
    return scene(ROOM, List.of(), Set.of(present), Set.of(), false, false);
  }

  private static Standstill inVainFor(String... applications) {
    Standstill standstill = new Standstill();
    Container loss = standstill.next(wantingThree(applications), 0);
    assertThat(loss.application).isEqualTo(applications[applications.length - 1]);
    standstill.took(loss, wantingThree(applications), 0);
    String[] left = Arrays.copyOf(applications, applications.length - 1);
    assertThat(standstill.next(wantingThree(left), AFTER + AFTER / 2)).isNull();
    return standstill;
  }

  /** Each wants three, and two are free beside the drivers, of one each. */
  private static Scene wantingThree(String... applications) {
    List<Blocked> blocked = new ArrayList<>();
    for (String each : applications) {
      blocked.add(wantingThree(each, 0));
    }
    return scene(
        ROOM, blocked, new HashSet<>(Arrays.asList(applications)), Set.of(), false, false);
  }

  private static Blocked wantingThree(String application, int executors) {
    return new Blocked(application, container(application, 3, null), loss(application), false, executors,
        AFTER, AFTER);
  }

  /** The first wants two, which the node has; the second could have three with the driver of the third. */
  private static Scene threeOfWhichTheFirstHasRoom() {
    List<Blocked> blocked = new ArrayList<>();
    for (String each : List.of("a", "b", "c")) {
      blocked.add(new Blocked(each, container(each, each.equals("a") ? 2 : 3, null), loss(each), false, 0,
          AFTER, AFTER));
    }
    return scene(ROOM, blocked, Set.of("a", "b", "c"), Set.of(), false, false);
  }

  /**
   * Wherever drivers land and whatever they want, as long as each executor fits an empty node: all end, no
   * standstill is longer than the bound, and the oldest is never lost.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomGamesEnd(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      long size = 4 + random.nextInt(12);
      long[] nodes = new long[1 + random.nextInt(4)];
      Arrays.fill(nodes, size);
      Game game = new Game(nodes);
      for (int i = 0; i < 40; i++) {
        int node = random.nextInt(nodes.length);
        long driver = 1 + random.nextInt(2);
        if (driver <= game.free[node]) {
          game.add(node, driver, 1 + random.nextInt((int) size - 2));
        }
      }
      int drivers = game.apps.size();
      int rounds = 0;
      while (!game.isOver() && rounds++ < 20_000) {
        game.round();
      }
      assertThat(game.isOver()).isTrue();
      assertThat(game.taken.size()).isLessThan(drivers);
      assertThat(game.longest).as("the standstill of %s drivers", drivers)
          .isLessThanOrEqualTo(AFTER + 2 + (long) drivers * (1 + STOPPING));
    }
  }
}
