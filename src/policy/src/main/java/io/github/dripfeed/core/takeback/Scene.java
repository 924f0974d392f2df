// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import io.github.dripfeed.core.cluster.Container;
import io.github.dripfeed.core.cluster.PreemptionSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * What a round has found in one partition, and whose loss would help whom: the fewest that let an
 * application go on, the youngest first, and nobody that comes before it. So the first of those that block
 * each other is never taken back.
 */
public final class Scene {

  private final PreemptionSearch search;
  final List<Blocked> blocked;
  private final List<Blocked> youngestFirst;
  private final BiPredicate<Blocked, List<Container>> goesElsewhere;
  final Set<Object> present;
  final Set<Object> running;
  private final boolean moving;
  final boolean roomComes;

  /**
   * @param inOrder the applications that block each other: those of one queue in its order, and those of
   *     different queues by submission
   * @param youngestFirst the same by submission
   * @param goesElsewhere whether somebody else gets the room first that is free once these drivers are lost
   * @param present those of the partition with a driver that they keep, blocked or not
   * @param running those of them that have executors
   * @param moving whether one of the running has got or released a container a short time ago
   * @param roomComes whether a driver was taken back whose room is not free yet
   */
  public Scene(PreemptionSearch search, List<Blocked> inOrder, List<Blocked> youngestFirst,
      BiPredicate<Blocked, List<Container>> goesElsewhere, Set<Object> present, Set<Object> running,
      boolean moving, boolean roomComes) {
    this.search = search;
    this.blocked = inOrder;
    this.youngestFirst = youngestFirst;
    this.goesElsewhere = goesElsewhere;
    this.present = present;
    this.running = running;
    this.moving = moving;
    this.roomComes = roomComes;
  }

  /** Null if it is not blocked. */
  Blocked find(Object application) {
    return blocked.stream().filter(each -> each.application.equals(application)).findFirst().orElse(null);
  }

  /** Whether several block each other, each for long enough, and nothing else goes on. */
  boolean isStandstill() {
    return !moving && blocked.size() > 1 && blocked.stream().allMatch(Blocked::isDue);
  }

  /**
   * The drivers whose loss lets the application go on, youngest first, of applications that have been
   * blocked for long enough; empty if it has room already, null if there are none.
   */
  List<Container> lossesFor(Blocked gainer) {
    if (gainer.need == null) {
      return null;
    }
    List<Blocked> after = blocked.subList(blocked.indexOf(gainer) + 1, blocked.size());
    List<Container> sure = new ArrayList<>();
    List<Container> all = new ArrayList<>();
    for (Blocked other : youngestFirst) {
      if (other.driver != null && other.isDue() && after.contains(other)) {
        all.add(other.driver);
        if (!other.isLastResort) {
          sure.add(other.driver);
        }
      }
    }
    List<Container> losses = search.enough(gainer.need, sure);
    losses = losses == null ? search.enough(gainer.need, all) : losses;
    return losses == null || goesElsewhere.test(gainer, losses) ? null : losses;
  }
}
