// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

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

class PreemptionSearchTest {

  private final Limit queue = Limit.ofQueue(gb(100));

  private static ResourceVector gb(long amount) {
    return ResourceVector.of(amount);
  }

  private Container need(long size, Limit... limits) {
    return new Container(
        "gainer", gb(size), null, gb(0), limits.length == 0 ? List.of(queue) : List.of(limits));
  }

  private Container loss(String name, Node node, long driver, Limit... limits) {
    return new Container(name, gb(driver), node, gb(0),
        limits.length == 0 ? List.of(queue) : List.of(limits));
  }

  private static List<Object> names(List<Container> losses) {
    return losses == null ? null
        : losses.stream().map(each -> each.application).collect(Collectors.toList());
  }

  private static Node node(long free) {
    return new Node(gb(free), null);
  }

  @Test
  void nothingIsLostIfThereIsRoom() {
    Node node = node(4);
    PreemptionSearch search = new PreemptionSearch(List.of(node));
    assertThat(names(search.enough(need(4), List.of(loss("a", node, 1))))).isEmpty();
  }

  @Test
  void theYoungestOfEquallyFew() {
    Node node = node(2);
    assertThat(names(new PreemptionSearch(List.of(node)).enough(need(4),
        List.of(loss("d", node, 1), loss("c", node, 1), loss("b", node, 1))))).containsExactly("d", "c");
  }

  @Test
  void theFewestComeBeforeTheYoungest() {
    Node node = node(2);
    assertThat(names(new PreemptionSearch(List.of(node)).enough(need(4),
        List.of(loss("d", node, 1), loss("c", node, 1), loss("b", node, 2))))).containsExactly("b");
  }

  @Test
  void lossesOnOneNodeHaveToBeEnough() {
    Node one = node(2);
    Node other = node(2);
    PreemptionSearch plan = new PreemptionSearch(List.of(one, other));
    assertThat(plan.enough(need(4), List.of(loss("a", one, 1), loss("b", other, 1)))).isNull();
    assertThat(names(plan.enough(need(4),
        List.of(loss("c", one, 1), loss("b", other, 2), loss("a", one, 1))))).containsExactly("b");
  }

  @Test
  void limitOfTheQueueIsFreedAnywhere() {
    Node one = node(8);
    Node other = node(0);
    Limit full = Limit.ofQueue(gb(3));
    PreemptionSearch plan = new PreemptionSearch(List.of(one, other));
    assertThat(names(plan.enough(need(4, full), List.of(loss("b", one, 1), loss("a", other, 1, full)))))
        .as("b is in another queue").containsExactly("a");
  }

  @Test
  void userAboveItsLimitGetsOneContainerOnceItIsNot() {
    Node node = node(8);
    Limit user = Limit.ofUser(released -> released.get(0) < 2);
    PreemptionSearch plan = new PreemptionSearch(List.of(node));
    assertThat(plan.enough(need(4, user), List.of(loss("a", node, 1, user)))).isNull();
    assertThat(names(plan.enough(need(4, user), List.of(loss("a", node, 2, user))))).containsExactly("a");
  }

  @Test
  void reservationEndsWithItsApplication() {
    Node node = new Node(gb(8), "b");
    PreemptionSearch plan = new PreemptionSearch(List.of(node));
    assertThat(plan.enough(need(4), List.of(loss("a", node, 1)))).isNull();
    assertThat(names(plan.enough(need(4), List.of(loss("c", node, 1), loss("b", node(0), 1)))))
        .containsExactly("b");
    PreemptionSearch own = new PreemptionSearch(List.of(new Node(gb(8), "gainer")));
    assertThat(own.enough(need(4), List.of())).isEmpty();
  }

  @Test
  void reservationThatYieldsEndsWithAny() {
    Node node = new Node(gb(8), "b").yielding();
    PreemptionSearch plan = new PreemptionSearch(List.of(node));
    assertThat(plan.enough(need(4), List.of())).isNull();
    assertThat(names(plan.enough(need(4), List.of(loss("a", node, 1), loss("c", node, 1)))))
        .containsExactly("a");
  }

  @Test
  void whatIsReservedForTheGainerIsItsOwn() {
    Limit full = Limit.ofQueue(gb(1));
    Container need = new Container("gainer", gb(4), null, gb(4), List.of(full));
    assertThat(new PreemptionSearch(List.of(node(4))).enough(need, List.of())).isEmpty();
  }

  /** Every result is enough, and no loss in it is superfluous; null only if all together are not enough. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void isEnoughAndNoMore(int seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        nodes.add(node(random.nextInt(4)));
      }
      Limit own = Limit.ofQueue(gb(random.nextInt(6)));
      List<Container> losses = new ArrayList<>();
      for (int i = 0; i < random.nextInt(6); i++) {
        Node on = nodes.get(random.nextInt(nodes.size()));
        losses.add(random.nextBoolean() ? loss("a" + i, on, 1 + random.nextInt(3), own, queue)
            : loss("a" + i, on, 1 + random.nextInt(3)));
      }
      Container need = need(1 + random.nextInt(6), own, queue);
      int fewest = Integer.MAX_VALUE;
      for (int set = 0; set < 1 << losses.size(); set++) {
        if (isEnough(need, nodes, own, subset(losses, set))) {
          fewest = Math.min(fewest, Integer.bitCount(set));
        }
      }
      PreemptionSearch plan = new PreemptionSearch(nodes);
      List<Container> found = plan.enough(need, losses);
      if (found == null) {
        assertThat(fewest).isEqualTo(Integer.MAX_VALUE);
      } else {
        assertThat(isEnough(need, nodes, own, found)).isTrue();
        for (Container loss : found) {
          List<Container> without = new ArrayList<>(found);
          without.remove(loss);
          assertThat(isEnough(need, nodes, own, without)).as("without one").isFalse();
        }
        assertThat(found.size()).as("never many more than the fewest").isBetween(fewest, fewest + 2);
      }
    }
  }

  private static List<Container> subset(List<Container> losses, int set) {
    List<Container> subset = new ArrayList<>();
    for (int i = 0; i < losses.size(); i++) {
      if ((set & 1 << i) != 0) {
        subset.add(losses.get(i));
      }
    }
    return subset;
  }

  private static boolean isEnough(Container need, List<Node> nodes, Limit own, List<Container> lost) {
    long below = 0;
    for (Container loss : lost) {
      below += loss.limits.contains(own) ? loss.size.get(0) : 0;
    }
    boolean limit = own.admits(need.size, new ResourceSum(gb(below)));
    return limit && nodes.stream().anyMatch(node -> need.size.get(0) <= node.free.get(0)
        + lost.stream().filter(loss -> loss.node == node).mapToLong(loss -> loss.size.get(0)).sum());
  }
}
