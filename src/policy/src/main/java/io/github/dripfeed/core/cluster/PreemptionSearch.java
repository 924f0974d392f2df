// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Finds containers whose end is enough for a requested one: on one node, and below every limit of its queue
 * and its user. Few containers: none of them can be left out.
 */
public final class PreemptionSearch {

  private static final Comparator<Container> LARGEST_FIRST =
      Comparator.<Container>comparingLong(container -> container.size.get(0)).reversed();

  /** A container that is to be placed on a node, and what ends for it. */
  public interface Trial<C> {

    boolean isEnough();

    /** Whether it brings the end of the search nearer. */
    boolean helps(C container);

    void end(C container);

    void restore(C container);
  }

  private final Collection<Node> nodes;

  /** @param nodes the nodes of the partition on which containers may be placed; not copied */
  public PreemptionSearch(Collection<Node> nodes) {
    this.nodes = nodes;
  }

  /**
   * The containers whose end is enough, in their order; empty if the requested one fits already, null if
   * all together are not enough.
   *
   * @param inOrder those that could end, the first to end first
   */
  public List<Container> enough(Container request, List<Container> inOrder) {
    List<Container> possible = new ArrayList<>(inOrder);
    possible.removeIf(each -> each.application.equals(request.application));
    if (!isAdmitted(request, possible)) {
      return null;
    }
    List<Container> largestFirst = new ArrayList<>(possible);
    largestFirst.sort(LARGEST_FIRST);
    List<Container> best = null;
    for (Node node : nodes) {
      // Most nodes are full and have none of these containers.
      if (request.size.fitsIn(node.free) || possible.stream().anyMatch(each -> each.node == node)) {
        for (List<Container> order : Arrays.asList(possible, largestFirst)) {
          best = fewer(best, onNode(request, node, possible, order), possible);
        }
        if (best != null && best.isEmpty()) {
          return best;
        }
      }
    }
    return best;
  }

  /**
   * Ends one container that helps after the other until it is enough.
   *
   * @param inOrder returns the next one; null if there are no more
   * @return those that have ended
   */
  public static <C> List<C> end(Supplier<C> inOrder, Trial<C> trial) {
    List<C> ended = new ArrayList<>();
    for (C next; !trial.isEnough() && (next = inOrder.get()) != null;) {
      if (trial.helps(next)) {
        trial.end(next);
        ended.add(next);
      }
    }
    return ended;
  }

  /** Restores those that are not needed, from the last to the first. */
  public static <C> List<C> needed(List<C> ended, Trial<C> trial) {
    List<C> needed = new ArrayList<>(ended);
    for (int i = ended.size() - 1; i >= 0 && trial.isEnough() && needed.size() > 1; i--) {
      trial.restore(ended.get(i));
      if (trial.isEnough()) {
        needed.remove(i);
      } else {
        trial.end(ended.get(i));
      }
    }
    return needed;
  }

  /** Whether the requested container fits on a node and below its limits once these have ended. */
  public boolean isPlaceable(Container request, List<Container> ended) {
    return isAdmitted(request, ended)
        && nodes.stream().anyMatch(node -> isOpen(request, node, ended) && fits(request, node, ended));
  }

  private static boolean isAdmitted(Container request, List<Container> ended) {
    return request.limits.stream().allMatch(limit -> isAdmitted(request, limit, ended));
  }

  /**
   * What has to end on a node.
   *
   * @return in their order; null if they are not enough
   */
  private static List<Container> onNode(
      Container request, Node node, List<Container> inOrder, List<Container> search) {
    OnNode trial = new OnNode(request, node);
    Iterator<Container> all = search.iterator();
    end(() -> all.hasNext() ? all.next() : null, trial);
    List<Container> ended = new ArrayList<>(inOrder);
    ended.retainAll(trial.ended);
    return trial.isEnough() ? needed(ended, trial) : null;
  }

  /** What ends on a node, or below a limit, for a requested container. */
  private static final class OnNode implements Trial<Container> {
    private final Container request;
    private final Node node;
    private final List<Container> ended = new ArrayList<>();

    OnNode(Container request, Node node) {
      this.request = request;
      this.node = node;
    }

    @Override
    public boolean helps(Container each) {
      return each.node == node && !fits(request, node, ended)
          // A reservation ends with the application that has it.
          || node.opensAfter(each.application) && !isOpen(request, node, ended)
          || request.limits.stream().anyMatch(
              limit -> each.isBelow(limit) && !isAdmitted(request, limit, ended));
    }

    @Override
    public boolean isEnough() {
      return isOpen(request, node, ended) && fits(request, node, ended) && isAdmitted(request, ended);
    }

    @Override
    public void end(Container each) {
      ended.add(each);
    }

    @Override
    public void restore(Container each) {
      ended.remove(each);
    }
  }

  private static boolean isOpen(Container request, Node node, List<Container> ended) {
    return node.isOpenTo(request.application)
        || ended.stream().anyMatch(each -> node.opensAfter(each.application));
  }

  private static boolean fits(Container request, Node node, List<Container> ended) {
    ResourceVector free = node.free;
    for (Container each : ended) {
      free = each.node == node ? free.plus(each.size) : free;
    }
    return request.size.fitsIn(free);
  }

  private static boolean isAdmitted(Container request, Limit limit, List<Container> ended) {
    ResourceSum released = new ResourceSum(request.reserved);
    for (Container each : ended) {
      if (each.isBelow(limit)) {
        released.add(each.size);
        released.add(each.reserved);
      }
    }
    return limit.admits(request.size, released);
  }

  /** The list with fewer; of equally long ones that whose last one comes before. */
  private static List<Container> fewer(
      List<Container> one, List<Container> other, List<Container> inOrder) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    if (one.size() != other.size()) {
      return one.size() < other.size() ? one : other;
    }
    for (int i = one.size() - 1; i >= 0; i--) {
      int place = inOrder.indexOf(one.get(i)) - inOrder.indexOf(other.get(i));
      if (place != 0) {
        return place < 0 ? one : other;
      }
    }
    return one;
  }
}
