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

import io.github.dripfeed.StateAwareFairOrderingPolicy;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/** The policy in a queue whose configuration holds no application; see {@link Hold}. */
public class NothingHeldFair<S extends SchedulableEntity> extends StateAwareFairOrderingPolicy<S> {

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
