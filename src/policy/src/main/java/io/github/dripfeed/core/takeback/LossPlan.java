// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the losses that are enough for one application to get a container: on one node, and below every
 * limit of its queue and its user. The fewest, and of equally many the youngest.
 */
public final class LossPlan {

  private static final Comparator<Loss> LARGEST_FIRST =
      Comparator.<Loss>comparingLong(loss -> loss.driver.get(0)).reversed();

  private final List<RoomNode> nodes;

  /** @param nodes the nodes of the partition on which containers may be placed; not copied */
  public LossPlan(List<RoomNode> nodes) {
    this.nodes = nodes;
  }

  /**
   * The losses that are enough, youngest first; empty if the container fits already, null if all losses
   * together are not enough.
   *
   * @param youngestFirst the drivers that could be taken back, youngest application first
   */
  public List<Loss> enough(RoomNeed need, List<Loss> youngestFirst) {
    List<Loss> possible = new ArrayList<>(youngestFirst);
    possible.removeIf(loss -> loss.application.equals(need.application));
    if (!admitAll(need, possible)) {
      return null;
    }
    Set<RoomNode> withLosses = new HashSet<>();
    possible.forEach(loss -> withLosses.add(loss.node));
    List<Loss> largestFirst = new ArrayList<>(possible);
    largestFirst.sort(LARGEST_FIRST);
    List<Loss> best = null;
    for (RoomNode node : nodes) {
      // Most nodes are full and have none of the drivers.
      if (withLosses.contains(node) || need.size.fitsIn(node.free)) {
        List<Loss> found = onNode(need, node, possible, possible);
        if (found != null && !found.isEmpty()) {
          found = fewer(found, onNode(need, node, possible, largestFirst), possible);
        }
        best = fewer(best, found, possible);
        if (best != null && best.isEmpty()) {
          return best;
        }
      }
    }
    return best;
  }

  /**
   * Takes losses in the given order until the container fits, first on the node and then below the limits,
   * and gives back those that turn out not to be needed.
   *
   * @return the losses, youngest first; null if they are not enough
   */
  private List<Loss> onNode(RoomNeed need, RoomNode node, List<Loss> youngestFirst, List<Loss> inOrder) {
    List<Loss> taken = new ArrayList<>();
    for (Loss loss : youngestFirst) {
      // A reservation ends with the application that has it.
      if (!isOpen(need, node, taken) && node.isOpenTo(loss.application)) {
        taken.add(loss);
      }
    }
    for (Loss loss : inOrder) {
      if (loss.node == node && !taken.contains(loss) && !fits(need, node, taken)) {
        taken.add(loss);
      }
    }
    if (!isOpen(need, node, taken) || !fits(need, node, taken)) {
      return null;
    }
    for (RoomLimit limit : need.limits) {
      for (Loss loss : inOrder) {
        if (!admits(need, limit, taken) && !taken.contains(loss) && loss.limits.contains(limit)) {
          taken.add(loss);
        }
      }
      if (!admits(need, limit, taken)) {
        return null;
      }
    }
    List<Loss> needed = new ArrayList<>(youngestFirst);
    needed.retainAll(taken);
    // Oldest first: the youngest are the ones that stay.
    for (int i = needed.size() - 1; i >= 0; i--) {
      Loss loss = needed.remove(i);
      if (!isEnough(need, node, needed)) {
        needed.add(i, loss);
      }
    }
    return needed;
  }

  private static boolean isEnough(RoomNeed need, RoomNode node, List<Loss> taken) {
    return isOpen(need, node, taken) && fits(need, node, taken) && admitAll(need, taken);
  }

  private static boolean admitAll(RoomNeed need, List<Loss> taken) {
    return need.limits.stream().allMatch(limit -> admits(need, limit, taken));
  }

  private static boolean isOpen(RoomNeed need, RoomNode node, List<Loss> taken) {
    return node.isOpenTo(need.application)
        || taken.stream().anyMatch(loss -> node.isOpenTo(loss.application));
  }

  private static boolean fits(RoomNeed need, RoomNode node, List<Loss> taken) {
    ResourceVector free = node.free;
    for (Loss loss : taken) {
      free = loss.node == node ? free.plus(loss.driver) : free;
    }
    return need.size.fitsIn(free);
  }

  private static boolean admits(RoomNeed need, RoomLimit limit, List<Loss> taken) {
    ResourceSum released = new ResourceSum(need.reserved);
    for (Loss loss : taken) {
      if (loss.limits.contains(limit)) {
        released.add(loss.held);
      }
    }
    return limit.admits(need.size, released);
  }

  /** The list with fewer losses; of equally long ones that whose oldest application is younger. */
  private static List<Loss> fewer(List<Loss> one, List<Loss> other, List<Loss> youngestFirst) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    if (one.size() != other.size()) {
      return one.size() < other.size() ? one : other;
    }
    for (int i = one.size() - 1; i >= 0; i--) {
      int place = youngestFirst.indexOf(one.get(i)) - youngestFirst.indexOf(other.get(i));
      if (place != 0) {
        return place < 0 ? one : other;
      }
    }
    return one;
  }
}
