// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static final List<RoomNode> ROOM = List.of(new RoomNode(ResourceVector.of(2), null));

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
      Standstill.Scene scene = scene();
      List<RoomNode> nodes = roomNodes;
      Loss loss = standstill.next(scene, new TakeBackRule(nodes), now);
      if (loss != null) {
        App lost = apps.get((Integer) loss.application());
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
    private List<RoomNode> roomNodes = new ArrayList<>();

    private Standstill.Scene scene() {
      roomNodes = new ArrayList<>();
      for (long each : free) {
        roomNodes.add(new RoomNode(ResourceVector.of(each), null));
      }
      List<BlockedApplication> blocked = new ArrayList<>();
      Set<Object> present = new HashSet<>();
      Set<Object> running = new HashSet<>();
      for (App app : apps.values()) {
        present.add(app.number);
        if (app.runs) {
          running.add(app.number);
        } else {
          Loss loss = new Loss(app.number, roomNodes.get(app.node), ResourceVector.of(app.driver),
              ResourceVector.of(app.driver), List.of());
          blocked.add(new BlockedApplication(app.number,
              new RoomNeed(app.number, ResourceVector.of(app.executor), ResourceVector.of(0), List.of()),
              app.hasAttempt ? loss : null, false).since(now - app.blockedSince, after));
        }
      }
      return new Standstill.Scene(blocked, present, running, !running.isEmpty(), !stopping.isEmpty());
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
    Standstill.Scene scene = wantingThree("a", "b", "c");
    List<Long> waits = new ArrayList<>();
    long inVainAt = -1;
    for (long now = 0; waits.size() < 9; now += AFTER) {
      Loss loss = standstill.next(scene, new TakeBackRule(ROOM), now);
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
    assertThat(standstill.next(threeOfWhichTheFirstHasRoom(), new TakeBackRule(ROOM), now)).isNull();
    now += AFTER * 10;
    standstill.next(new Standstill.Scene(List.of(), Set.of("a", "b", "c"), Set.of(), false, false),
        new TakeBackRule(ROOM), now);
    now += AFTER * 10;
    assertThat(standstill.next(threeOfWhichTheFirstHasRoom(), new TakeBackRule(ROOM), now))
        .as("it has room since now, which the scheduler will use").isNull();
  }

  @Test
  void unrelatedStandstillDoesNotPayForOneInVain() {
    Standstill standstill = inVainFor("a", "b", "c");
    assertThat(standstill.next(wantingThree("a", "b"), new TakeBackRule(ROOM), 2 * AFTER))
        .as("the same one waits").isNull();
    Loss loss = standstill.next(wantingThree("d", "e"), new TakeBackRule(ROOM), 2 * AFTER + 1);
    assertThat(loss).isNotNull();
    assertThat(loss.application()).isEqualTo("e");
  }

  @ParameterizedTest(name = "with so many executors it is still blocked: {0}")
  @ValueSource(booleans = {false, true})
  void lateExecutorEndsTheWait(boolean stillBlocked) {
    Standstill standstill = inVainFor("a", "b", "c");
    Standstill.Scene scene = wantingThree("b", "d");
    if (stillBlocked) {
      List<BlockedApplication> blocked = new ArrayList<>(scene.blocked);
      blocked.add(0, wantingThree("a").blocked.get(0).with(1));
      scene = new Standstill.Scene(blocked, Set.of("a", "b", "d"), Set.of("a"), false, false);
    }
    Loss loss = standstill.next(scene, new TakeBackRule(ROOM), 2 * AFTER);
    assertThat(loss).isNotNull();
    assertThat(loss.application()).isEqualTo("d");
  }

  @Test
  void lossInAnotherPartitionEndsNoHold() {
    Standstill standstill = new Standstill();
    standstill.took(loss("other"), new Standstill.Scene(
        List.of(), Set.of("a", "b", "c"), Set.of(), false, false), AFTER);
    standstill.lost("c");
    standstill.next(new Standstill.Scene(List.of(), Set.of("a", "b"), Set.of(), false, false),
        new TakeBackRule(ROOM), AFTER);
    assertThat(standstill.isHolding()).isTrue();
    standstill.next(new Standstill.Scene(List.of(), Set.of("a"), Set.of(), false, false),
        new TakeBackRule(ROOM), AFTER);
    assertThat(standstill.isHolding()).isFalse();
  }

  @Test
  void endOfOneThatStartedMeanwhileEndsAHold() {
    Standstill standstill = new Standstill();
    standstill.took(
        loss("c"), new Standstill.Scene(List.of(), Set.of("c"), Set.of(), false, false), AFTER);
    standstill.next(new Standstill.Scene(List.of(), Set.of("h"), Set.of(), false, false),
        new TakeBackRule(ROOM), AFTER);
    assertThat(standstill.isHolding()).as("it has only started").isTrue();
    standstill.next(new Standstill.Scene(List.of(), Set.of(), Set.of(), false, false),
        new TakeBackRule(ROOM), AFTER);
    assertThat(standstill.isHolding()).isFalse();
  }

  /** The last one was taken back for the first one at time 0, which has got nothing in {@link #AFTER}. */
  private static Loss loss(String application) {
    return new Loss(
        application, ROOM.get(0), ResourceVector.of(1), ResourceVector.of(1), List.of());
  }

  private static Standstill inVainFor(String... applications) {
    Standstill standstill = new Standstill();
    Loss loss = standstill.next(wantingThree(applications), new TakeBackRule(ROOM), 0);
    assertThat(loss.application()).isEqualTo(applications[applications.length - 1]);
    standstill.took(loss, wantingThree(applications), 0);
    String[] left = Arrays.copyOf(applications, applications.length - 1);
    assertThat(standstill.next(wantingThree(left), new TakeBackRule(ROOM), AFTER + AFTER / 2)).isNull();
    return standstill;
  }

  /** Each wants three, and two are free beside the drivers, of one each. */
  private static Standstill.Scene wantingThree(String... applications) {
    List<BlockedApplication> blocked = new ArrayList<>();
    for (String each : applications) {
      blocked.add(new BlockedApplication(each,
          new RoomNeed(each, ResourceVector.of(3), ResourceVector.of(0), List.of()),
          new Loss(each, ROOM.get(0), ResourceVector.of(1), ResourceVector.of(1), List.of()), false)
          .since(AFTER, AFTER));
    }
    return new Standstill.Scene(
        blocked, new HashSet<>(Arrays.asList(applications)), Set.of(), false, false);
  }

  /** The first wants two, which the node has; the second could have three with the driver of the third. */
  private static Standstill.Scene threeOfWhichTheFirstHasRoom() {
    List<BlockedApplication> blocked = new ArrayList<>();
    for (String each : List.of("a", "b", "c")) {
      Loss loss = new Loss(each, ROOM.get(0), ResourceVector.of(1), ResourceVector.of(1), List.of());
      ResourceVector wanted = ResourceVector.of(each.equals("a") ? 2 : 3);
      RoomNeed need = new RoomNeed(each, wanted, ResourceVector.of(0), List.of());
      blocked.add(new BlockedApplication(each, need, loss, false).since(AFTER, AFTER));
    }
    return new Standstill.Scene(blocked, Set.of("a", "b", "c"), Set.of(), false, false);
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
