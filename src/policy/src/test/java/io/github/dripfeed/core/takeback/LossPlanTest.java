// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LossPlanTest {

  private final RoomLimit queue = RoomLimit.ofQueue(gb(100));

  private static ResourceVector gb(long amount) {
    return ResourceVector.of(amount);
  }

  private RoomNeed need(long size, RoomLimit... limits) {
    return new RoomNeed("gainer", gb(size), gb(0), limits.length == 0 ? List.of(queue) : List.of(limits));
  }

  private Loss loss(String name, RoomNode node, long driver, RoomLimit... limits) {
    return new Loss(name, node, gb(driver), gb(driver),
        limits.length == 0 ? List.of(queue) : List.of(limits));
  }

  private static List<Object> names(List<Loss> losses) {
    return losses == null ? null : losses.stream().map(Loss::application).collect(Collectors.toList());
  }

  private static RoomNode node(long free) {
    return new RoomNode(gb(free), null);
  }

  @Test
  void nothingIsLostIfThereIsRoom() {
    RoomNode node = node(4);
    assertThat(names(new LossPlan(List.of(node)).enough(need(4), List.of(loss("a", node, 1))))).isEmpty();
  }

  @Test
  void theYoungestOfEquallyFew() {
    RoomNode node = node(2);
    assertThat(names(new LossPlan(List.of(node)).enough(need(4),
        List.of(loss("d", node, 1), loss("c", node, 1), loss("b", node, 1))))).containsExactly("d", "c");
  }

  @Test
  void theFewestComeBeforeTheYoungest() {
    RoomNode node = node(2);
    assertThat(names(new LossPlan(List.of(node)).enough(need(4),
        List.of(loss("d", node, 1), loss("c", node, 1), loss("b", node, 2))))).containsExactly("b");
  }

  @Test
  void lossesOnOneNodeHaveToBeEnough() {
    RoomNode one = node(2);
    RoomNode other = node(2);
    LossPlan plan = new LossPlan(List.of(one, other));
    assertThat(plan.enough(need(4), List.of(loss("a", one, 1), loss("b", other, 1)))).isNull();
    assertThat(names(plan.enough(need(4),
        List.of(loss("c", one, 1), loss("b", other, 2), loss("a", one, 1))))).containsExactly("b");
  }

  @Test
  void limitOfTheQueueIsFreedAnywhere() {
    RoomNode one = node(8);
    RoomNode other = node(0);
    RoomLimit full = RoomLimit.ofQueue(gb(3));
    LossPlan plan = new LossPlan(List.of(one, other));
    assertThat(names(plan.enough(need(4, full), List.of(loss("b", one, 1), loss("a", other, 1, full)))))
        .as("b is in another queue").containsExactly("a");
  }

  @Test
  void userAboveItsLimitGetsOneContainerOnceItIsNot() {
    RoomNode node = node(8);
    RoomLimit user = RoomLimit.ofUser(released -> released.get(0) < 2);
    LossPlan plan = new LossPlan(List.of(node));
    assertThat(plan.enough(need(4, user), List.of(loss("a", node, 1, user)))).isNull();
    assertThat(names(plan.enough(need(4, user), List.of(loss("a", node, 2, user))))).containsExactly("a");
  }

  @Test
  void reservationEndsWithItsApplication() {
    RoomNode node = new RoomNode(gb(8), "b");
    LossPlan plan = new LossPlan(List.of(node));
    assertThat(plan.enough(need(4), List.of(loss("a", node, 1)))).isNull();
    assertThat(names(plan.enough(need(4), List.of(loss("c", node, 1), loss("b", node(0), 1)))))
        .containsExactly("b");
    assertThat(new LossPlan(List.of(new RoomNode(gb(8), "gainer"))).enough(need(4), List.of())).isEmpty();
  }

  @Test
  void whatIsReservedForTheGainerIsItsOwn() {
    RoomLimit full = RoomLimit.ofQueue(gb(1));
    RoomNeed need = new RoomNeed("gainer", gb(4), gb(4), List.of(full));
    assertThat(new LossPlan(List.of(node(4))).enough(need, List.of())).isEmpty();
  }

  /** Every result is enough, and no loss in it is superfluous; null only if all together are not enough. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void isEnoughAndNoMore(int seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      List<RoomNode> nodes = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        nodes.add(node(random.nextInt(4)));
      }
      RoomLimit own = RoomLimit.ofQueue(gb(random.nextInt(6)));
      List<Loss> losses = new ArrayList<>();
      for (int i = 0; i < random.nextInt(6); i++) {
        RoomNode on = nodes.get(random.nextInt(nodes.size()));
        losses.add(random.nextBoolean() ? loss("a" + i, on, 1 + random.nextInt(3), own, queue)
            : loss("a" + i, on, 1 + random.nextInt(3)));
      }
      RoomNeed need = need(1 + random.nextInt(6), own, queue);
      int fewest = Integer.MAX_VALUE;
      for (int set = 0; set < 1 << losses.size(); set++) {
        if (isEnough(need, nodes, own, subset(losses, set))) {
          fewest = Math.min(fewest, Integer.bitCount(set));
        }
      }
      LossPlan plan = new LossPlan(nodes);
      List<Loss> found = plan.enough(need, losses);
      if (found == null) {
        assertThat(fewest).isEqualTo(Integer.MAX_VALUE);
      } else {
        assertThat(isEnough(need, nodes, own, found)).isTrue();
        for (Loss loss : found) {
          List<Loss> without = new ArrayList<>(found);
          without.remove(loss);
          assertThat(isEnough(need, nodes, own, without)).as("without one").isFalse();
        }
        assertThat(found.size()).as("never many more than the fewest").isBetween(fewest, fewest + 2);
      }
    }
  }

  private static List<Loss> subset(List<Loss> losses, int set) {
    List<Loss> subset = new ArrayList<>();
    for (int i = 0; i < losses.size(); i++) {
      if ((set & 1 << i) != 0) {
        subset.add(losses.get(i));
      }
    }
    return subset;
  }

  private static boolean isEnough(RoomNeed need, List<RoomNode> nodes, RoomLimit own, List<Loss> lost) {
    long below = 0;
    for (Loss loss : lost) {
      below += loss.limits.contains(own) ? loss.driver.get(0) : 0;
    }
    boolean limit = own.admits(need.size, new ResourceSum(gb(below)));
    return limit && nodes.stream().anyMatch(node -> need.size.get(0) <= node.free.get(0)
        + lost.stream().filter(loss -> loss.node == node).mapToLong(loss -> loss.driver.get(0)).sum());
  }
}
