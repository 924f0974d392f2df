// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import io.github.dripfeed.config.PolicyKind;
import io.github.dripfeed.ordering.FairShareComparator;
import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.ordering.StateAwarePolicy;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FairOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Orders the applications of a leaf queue as YARN's fair policy does: applications that use the least in
 * proportion to their weight come first. It limits how many applications may be starting at the same
 * time. An application of priority p has the weight p + 1; {@code fair.enable-size-based-weight} works as
 * in the stock policy.
 *
 * <p>Set it in {@code capacity-scheduler.xml} as {@code
 * yarn.scheduler.capacity.<queue-path>.ordering-policy}; its properties go below {@code
 * ordering-policy.state-aware.}.
 *
 * <p>The set of entities in YARN's superclass stays empty, because the order stores held and offered
 * entities separately. The policy records which entities need reordering as the stock policy does.
 * Threads are as in YARN: any number of threads may iterate while another one adds or removes entities or
 * reports containers.
 */
public class StateAwareFairOrderingPolicy<S extends SchedulableEntity>
    extends FairOrderingPolicy<S> implements StateAwarePolicy<S> {

  private OrderingDelegate<S> ordering =
      new OrderingDelegate<>(this, PolicyKind.FAIR, Collections.emptyMap());
  private FairShareComparator share;
  /** Whether an entity needs reordering; read without YARN's lock, which all threads share. */
  private volatile boolean reorderingDue;

  public StateAwareFairOrderingPolicy() {
    // YARN's hash map keeps the size that it had when very many needed reordering, and every later
    // reordering of one would walk all of it.
    entitiesToReorder = new TreeMap<>();
    setShare();
  }

  /**
   * Called before the first application is added, as YARN does.
   *
   * @throws IllegalArgumentException if a property below {@code state-aware.} is unknown or its value is
   *     invalid; the message names each such property, its value, and the allowed values
   */
  @Override
  public void configure(Map<String, String> conf) {
    ordering = new OrderingDelegate<>(this, PolicyKind.FAIR, conf);
    super.configure(conf);
    setShare();
  }

  private void setShare() {
    share = new FairShareComparator(ordering.configuration().isByPriority(), getSizeBasedWeight());
    // YARN's intra-queue preemption reads this comparator, and must see the same order.
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
    return ordering.order().size();
  }

  @Override
  public void addSchedulableEntity(S entity) {
    if (entity != null) {
      ordering.add(entity);
      placeByCachedUsage(entity);
    }
  }

  @Override
  public void addAllSchedulableEntities(Collection<S> entities) {
    ordering.takeOver(entities);
    entities.forEach(this::placeByCachedUsage);
  }

  /** Uses the usage that YARN has cached for it, as the stock policy does, until the next reordering. */
  private void placeByCachedUsage(S entity) {
    double cached = share.of(entity);
    // It has the place of a share of 0 already.
    if (cached != 0) {
      ordering.order().reposition(entity, cached);
    }
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
    return ordering.assignmentIterator(selector.getPartition());
  }

  @Override
  public Iterator<S> getPreemptionIterator() {
    reorder();
    return ordering.order().preemptionIterator();
  }

  @Override
  public void demandUpdated(S entity) {
    super.demandUpdated(entity);
    ordering.demandUpdated(entity);
  }

  @Override
  public void containerAllocated(S entity, RMContainer container) {
    super.containerAllocated(entity, container);
    ordering.containerAllocated(entity, container);
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
    for (S entity : ordering.order().inAnyOrder()) {
      if (share.isOwed(entity)) {
        changed.add(entity);
      }
    }
    share.setOwed(owed);
    changed.forEach(this::entityRequiresReordering);
  }

  private void reorder() {
    if (share.isClusterChanged()) {
      for (S entity : ordering.order().inAnyOrder()) {
        entityRequiresReordering(entity);
      }
    }
    if (reorderingDue) {
      // Cleared first: a change that arrives meanwhile is either handled now or sets the flag again.
      reorderingDue = false;
      reorderScheduleEntities();
    }
  }

  @Override
  protected void entityRequiresReordering(S entity) {
    super.entityRequiresReordering(entity);
    reorderingDue = true;
  }

  /** Does nothing for an attempt that was removed: a container may be released after its attempt. */
  @Override
  protected void reorderSchedulableEntity(S entity) {
    updateSchedulingResourceUsage(entity.getSchedulingResourceUsage());
    ordering.order().reposition(entity, share.of(entity));
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
