// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides whether applications block each other, and which of them are taken back: the fewest whose loss
 * lets the oldest go on that can go on at all, the youngest first, and only younger ones than that. So the
 * oldest of them is never taken back.
 */
public final class TakeBackRule {

  private final LossPlan plan;

  /** @param nodes the nodes of the partition on which containers may be placed */
  public TakeBackRule(List<RoomNode> nodes) {
    this.plan = new LossPlan(nodes);
  }

  /** Whether these are several, and each has been blocked for long enough. */
  public boolean isStandstill(List<BlockedApplication> blocked) {
    return blocked.size() > 1 && blocked.stream().allMatch(BlockedApplication::isDue);
  }

  /**
   * The losses that let one application go on, youngest first, of those that have been blocked for long
   * enough; empty if it has room already, null if there are none.
   *
   * @param oldestFirst the applications that block each other
   */
  List<Loss> lossesFor(BlockedApplication gainer, List<BlockedApplication> oldestFirst) {
    if (!gainer.wouldGain()) {
      return null;
    }
    List<Loss> sure = new ArrayList<>();
    List<Loss> all = new ArrayList<>();
    for (int i = oldestFirst.size() - 1; i >= 0; i--) {
      BlockedApplication other = oldestFirst.get(i);
      if (other.application.equals(gainer.application)) {
        break;
      }
      if (other.loss != null && other.isDue()) {
        all.add(other.loss);
        if (!other.isLastResort) {
          sure.add(other.loss);
        }
      }
    }
    List<Loss> losses = plan.enough(gainer.need, sure);
    return losses == null ? plan.enough(gainer.need, all) : losses;
  }
}
