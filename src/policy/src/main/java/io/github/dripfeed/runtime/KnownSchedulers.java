// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.runtime;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * The schedulers of this process in which a state-aware queue has had an application; a policy learns its
 * scheduler from that. One, except in tests. They are held weakly. Safe for use by any thread.
 */
public final class KnownSchedulers {

  private final List<WeakReference<CapacityScheduler>> known = new ArrayList<>();
  private volatile WeakReference<CapacityScheduler> latest = new WeakReference<>(null);

  /** Adds a scheduler, which may be known already or null. */
  public void add(CapacityScheduler scheduler) {
    if (scheduler != null && latest.get() != scheduler) {
      addNew(scheduler);
    }
  }

  private synchronized void addNew(CapacityScheduler scheduler) {
    latest = new WeakReference<>(scheduler);
    known.removeIf(one -> one.get() == null || one.get() == scheduler);
    known.add(latest);
  }

  /** Those that are running: a ResourceManager that stops or becomes standby stops its scheduler. */
  public synchronized List<CapacityScheduler> running() {
    List<CapacityScheduler> running = new ArrayList<>();
    for (WeakReference<CapacityScheduler> one : known) {
      CapacityScheduler scheduler = one.get();
      if (scheduler != null && !scheduler.isInState(Service.STATE.STOPPED)) {
        running.add(scheduler);
      }
    }
    return running;
  }
}
