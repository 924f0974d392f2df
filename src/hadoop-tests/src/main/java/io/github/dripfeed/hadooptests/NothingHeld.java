// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import io.github.dripfeed.StateAwareOrderingPolicy;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/** The policy in a queue whose configuration holds no application; see {@link Hold}. */
public class NothingHeld<S extends SchedulableEntity> extends StateAwareOrderingPolicy<S> {

  @Override
  public void configure(Map<String, String> conf) {
    super.configure(Hold.nobody(conf));
  }

  @Override
  public void addSchedulableEntity(S entity) {
    Hold.countApplication();
    super.addSchedulableEntity(entity);
  }
}
