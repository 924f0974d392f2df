// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import io.github.dripfeed.core.cluster.Container;
import io.github.dripfeed.core.cluster.PreemptionSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * What a round has found in one partition, and whose loss would help whom. Only applications behind the
 * one that gains lose their drivers, so the first of those that block each other never does.
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
   * @param youngestFirst the same applications, the last submitted first
   * @param goesElsewhere whether somebody else would get the room that these drivers free
   * @param present those of the partition that have or had an executor, or whose driver is live and not
   *     taken back
   * @param running those of them with an executor, and those that had one and are not blocked
   * @param moving whether one that has or had an executor got or released a container lately
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
   * blocked for long enough; empty if it has room already, null if none helps or another application would
   * get the room.
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
