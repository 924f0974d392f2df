/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
