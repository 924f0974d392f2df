// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import io.github.dripfeed.config.PolicyKind;
import io.github.dripfeed.ordering.OrderingDelegate;
import io.github.dripfeed.ordering.StateAwarePolicy;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoComparator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * Orders the applications of a leaf queue by priority and submission, or by submission alone. It limits
 * how many applications may be starting at the same time.
 *
 * <p>Set it in {@code capacity-scheduler.xml} as {@code
 * yarn.scheduler.capacity.<queue-path>.ordering-policy}; its properties go below {@code
 * ordering-policy.state-aware.}.
 *
 * <p>The set of entities in YARN's superclass stays empty, because the order stores held and offered
 * entities separately. Threads are as in YARN: any number of threads may iterate while another one adds
 * or removes entities or reports containers.
 */
public class StateAwareOrderingPolicy<S extends SchedulableEntity> extends FifoOrderingPolicy<S>
    implements StateAwarePolicy<S> {

  private OrderingDelegate<S> ordering =
      new OrderingDelegate<>(this, PolicyKind.SUBMISSION, Collections.emptyMap());

  /**
   * Called before the first application is added, as YARN does.
   *
   * @throws IllegalArgumentException if a property below {@code state-aware.} is unknown or its value is
   *     invalid; the message names each such property, its value, and the allowed values
   */
  @Override
  public void configure(Map<String, String> conf) {
    ordering = new OrderingDelegate<>(this, PolicyKind.SUBMISSION, conf);
    if (!ordering.configuration().isByPriority()) {
      // YARN's intra-queue preemption reads this comparator, and must see the same order.
      comparator = new FifoComparator();
    }
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
    }
  }

  @Override
  public void addAllSchedulableEntities(Collection<S> entities) {
    ordering.takeOver(entities);
  }

  @Override
  public boolean removeSchedulableEntity(S entity) {
    return entity != null && ordering.remove(entity);
  }

  @Override
  public Iterator<S> getAssignmentIterator(IteratorSelector selector) {
    return ordering.assignmentIterator(selector.getPartition());
  }

  @Override
  public Iterator<S> getPreemptionIterator() {
    return ordering.order().preemptionIterator();
  }

  @Override
  public void demandUpdated(S entity) {
    ordering.demandUpdated(entity);
  }

  @Override
  public void containerAllocated(S entity, RMContainer container) {
    ordering.containerAllocated(entity, container);
  }

  @Override
  public void containerReleased(S entity, RMContainer container) {
    ordering.containerReleased(entity, container);
  }

  @Override
  public String getInfo() {
    return ordering.info("StateAwareOrderingPolicy");
  }

  @Override
  public String getConfigName() {
    return StateAwareOrderingPolicy.class.getName();
  }
}
