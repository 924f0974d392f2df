// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FifoOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/** A stock policy with a defect that Hadoop's tests have to detect: it lists applications in reverse. */
public class Backwards<S extends SchedulableEntity> extends FifoOrderingPolicy<S> {

  @Override
  public Collection<S> getSchedulableEntities() {
    List<S> backwards = new ArrayList<>(super.getSchedulableEntities());
    Collections.reverse(backwards);
    return backwards;
  }
}
