/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
