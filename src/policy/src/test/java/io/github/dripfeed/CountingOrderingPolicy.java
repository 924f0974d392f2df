// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.IteratorSelector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * The naive policy: it counts callbacks, keeps the counts in the policy, and starts its own timer. It
 * passes the canonical run but none of docs/design.md#facts-about-yarn. The tests of these facts prove
 * something only if this policy fails them.
 */
public class CountingOrderingPolicy<S extends SchedulableEntity> extends FifoOrderingPolicy<S> {

  private final Map<String, Integer> counts = new HashMap<>();

  @Override
  public void configure(Map<String, String> conf) {
    // The task is periodic: the thread of an idle timer ends when the timer is collected.
    new Timer("counting-timer", true).schedule(new TimerTask() {
      @Override
      public void run() {
        counts.size();
      }
    }, 60_000, 60_000);
  }

  @Override
  public void addSchedulableEntity(S entity) {
    super.addSchedulableEntity(entity);
    counts.put(entity.getId(), 0);
  }

  @Override
  public void addAllSchedulableEntities(Collection<S> entities) {
    entities.forEach(this::addSchedulableEntity);
  }

  @Override
  public boolean removeSchedulableEntity(S entity) {
    counts.remove(entity.getId());
    return super.removeSchedulableEntity(entity);
  }

  @Override
  public void containerAllocated(S entity, RMContainer container) {
    counts.merge(entity.getId(), 1, Integer::sum);
  }

  @Override
  public Iterator<S> getAssignmentIterator(IteratorSelector selector) {
    List<S> offered = new ArrayList<>();
    boolean blocked = counts.containsValue(1);
    for (S entity : schedulableEntities) {
      boolean accepted = counts.get(entity.getId()) == 0;
      if (!accepted || !blocked) {
        offered.add(entity);
        blocked |= accepted;
      }
    }
    return offered.iterator();
  }
}
