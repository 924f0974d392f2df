/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import io.github.dripfeed.config.PolicyKind;
import io.github.dripfeed.ordering.FairShareComparator;
import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.ordering.StateAwarePolicy;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FairOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Orders the applications of a leaf queue as YARN's fair policy does, those first that have least of
 * what they deserve, and lets only so many of them be in their early stage at once. An application of
 * priority p deserves a share proportional to p + 1; {@code fair.enable-size-based-weight} works as in
 * the stock policy.
 *
 * <p>Set it in {@code capacity-scheduler.xml} as {@code
 * yarn.scheduler.capacity.<queue-path>.ordering-policy}; its properties go below {@code
 * ordering-policy.state-aware.}.
 *
 * <p>YARN's own set of entities stays empty: the order keeps those held and those offered apart.
 * Which entities have to be placed anew is kept as in the stock policy. Threads are as in YARN: any
 * number may iterate while one adds, removes or tells of containers.
 */
public class StateAwareFairOrderingPolicy<S extends SchedulableEntity>
    extends FairOrderingPolicy<S> implements StateAwarePolicy<S> {

  private final OrderingDelegate<S> ordering = new OrderingDelegate<>(this, PolicyKind.FAIR);
  private FairShareComparator share;
  /** Whether there is something to place anew: told without YARN's lock, which all threads share. */
  private volatile boolean reorderingDue;

  public StateAwareFairOrderingPolicy() {
    setShare();
  }

  /**
   * @throws IllegalArgumentException if a property below {@code state-aware.} is unknown or its value
   *     invalid; the message names each with its value and what is allowed
   */
  @Override
  public void configure(Map<String, String> conf) {
    ordering.configure(conf);
    super.configure(conf);
    setShare();
  }

  private void setShare() {
    share = new FairShareComparator(ordering.isByPriority(), getSizeBasedWeight());
    // YARN's intra-queue preemption asks for it, and has to see the same order.
    comparator = share;
  }

  @Override
  public OrderingDelegate<S> ordering() {
    return ordering;
  }

  @Override
  public Collection<S> getSchedulableEntities() {
    return ordering.entities();
  }

  @Override
  public int getNumSchedulableEntities() {
    return ordering.size();
  }

  @Override
  public void addSchedulableEntity(S entity) {
    if (entity != null) {
      ordering.add(entity);
      placeAsKnown(entity);
    }
  }

  @Override
  public void addAllSchedulableEntities(Collection<S> entities) {
    ordering.takeOver(entities);
    entities.forEach(this::placeAsKnown);
  }

  /** By the usage that YARN has cached of it, as in the stock policy, until the next reordering. */
  private void placeAsKnown(S entity) {
    ordering.reposition(entity, share.of(entity));
    entityRequiresReordering(entity);
  }

  @Override
  public boolean removeSchedulableEntity(S entity) {
    if (entity == null) {
      return false;
    }
    synchronized (entitiesToReorder) {
      entitiesToReorder.remove(entity.getId());
    }
    return ordering.remove(entity);
  }

  @Override
  public Iterator<S> getAssignmentIterator(IteratorSelector selector) {
    reorder();
    return ordering.assignmentIterator();
  }

  @Override
  public Iterator<S> getPreemptionIterator() {
    reorder();
    return ordering.preemptionIterator();
  }

  @Override
  public void containerAllocated(S entity, RMContainer container) {
    super.containerAllocated(entity, container);
    ordering.containerAllocated(entity);
  }

  @Override
  public void containerReleased(S entity, RMContainer container) {
    super.containerReleased(entity, container);
    ordering.containerReleased(entity, container);
  }

  @Override
  public FairShareComparator share() {
    return share;
  }

  @Override
  public void owe(Map<S, Double> owed) {
    Set<S> changed = new HashSet<>(owed.keySet());
    for (S entity : ordering.all()) {
      if (share.isOwed(entity)) {
        changed.add(entity);
      }
    }
    share.setOwed(owed);
    changed.forEach(this::entityRequiresReordering);
  }

  private void reorder() {
    if (share.isClusterChanged()) {
      for (S entity : ordering.all()) {
        entityRequiresReordering(entity);
      }
    }
    if (reorderingDue) {
      // Taken back first: what comes meanwhile is placed now, or sets it again.
      reorderingDue = false;
      reorderScheduleEntities();
    }
  }

  @Override
  protected void entityRequiresReordering(S entity) {
    super.entityRequiresReordering(entity);
    reorderingDue = true;
  }

  /** Does nothing for one that has left: a container may be released after its attempt was removed. */
  @Override
  protected void reorderSchedulableEntity(S entity) {
    updateSchedulingResourceUsage(entity.getSchedulingResourceUsage());
    ordering.reposition(entity, share.of(entity));
  }

  @Override
  public String getInfo() {
    return ordering.info("StateAwareFairOrderingPolicy"
        + (getSizeBasedWeight() ? " with sizeBasedWeight" : ""));
  }

  @Override
  public String getConfigName() {
    return StateAwareFairOrderingPolicy.class.getName();
  }
}
