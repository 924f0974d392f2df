// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Accounts, while a plan is made, for all that applications are expected to come to want, not only for
 * their first executors. The plan adds the applications in its order: first those that have started, then
 * the waiting ones.
 *
 * <p>A waiting application is admitted if its driver and first executors fit beside the whole expected
 * demand of the applications before it. Its own whole demand need not fit. So the last one that is
 * admitted gets what the others leave, the queue is full, and an application that is expected to want more
 * than the whole queue starts too.
 *
 * <p>The claims may exceed the queue by a quarter. They are guesses, and applications rarely want all of it
 * at the same time: some start up, others are about to end. An application too many costs no more than the
 * resources of its driver; one too few leaves the queue idle.
 */
public final class DemandOutlook {

  /** The limits and the usage when the plan is made. */
  public interface Room {

    /** The most that the queue may hold in the partition now. */
    ResourceVector limit(String partition);

    ResourceVector used(String partition);

    /** The most that the user may hold in the partition now. */
    ResourceVector limitOf(String user, String partition);

    ResourceVector usedBy(String user, String partition);
  }

  /** The part of the queue by which claims may exceed it, as a divisor. */
  private static final int SURPLUS = 4;

  private final Room room;
  private final Map<String, ResourceSum> left = new HashMap<>();
  private final Map<String, Map<String, ResourceSum>> leftFor = new HashMap<>();

  public DemandOutlook(Room room) {
    this.room = room;
  }

  /**
   * Subtracts what an application that has started, or may start, claims: what it requests, and what it is
   * expected to request later. No more is subtracted than its user may take.
   */
  public void claim(String user, Collection<Demand> demands) {
    for (Demand demand : demands) {
      if (demand.count() > 0) {
        ResourceSum ofQueue = left(demand.partition());
        ResourceSum ofUser = leftFor(user, demand.partition());
        ResourceVector amounts = demand.size().times(demand.count()).componentwiseMin(ofUser);
        ofQueue.subtract(amounts);
        ofUser.subtract(amounts);
      }
    }
  }

  /**
   * Whether a waiting application may start.
   *
   * @param driver the request for its driver
   * @param firstStage the executors that make it running, of the expected sizes
   */
  public boolean hasRoom(Demand driver, List<Demand> firstStage) {
    Map<String, ResourceVector> needed = new HashMap<>();
    needed.put(driver.partition(), driver.size());
    for (Demand executors : firstStage) {
      needed.merge(executors.partition(), executors.size().times(executors.count()), ResourceVector::plus);
    }
    return needed.entrySet().stream().allMatch(each -> each.getValue().fitsIn(left(each.getKey())));
  }

  private ResourceSum left(String partition) {
    return left.computeIfAbsent(partition, p -> left(room.limit(p), room.used(p)));
  }

  private ResourceSum leftFor(String user, String partition) {
    return leftFor.computeIfAbsent(user, u -> new HashMap<>())
        .computeIfAbsent(partition, p -> left(room.limitOf(user, p), room.usedBy(user, p)));
  }

  private static ResourceSum left(ResourceVector limit, ResourceVector used) {
    return new ResourceSum(limit.each(amount -> amount + amount / SURPLUS).minus(used)
        .each(amount -> Math.max(0, amount)));
  }
}
