/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;

/** YARN changes its books while they are read. */
class YarnAttemptTest {

  @Test
  void requestThatIsMetWhileItIsReadIsNone() {
    @SuppressWarnings("unchecked")
    Collection<SchedulerRequestKey> keys = mock(Collection.class);
    when(keys.isEmpty()).thenReturn(false);
    when(keys.iterator()).thenReturn(List.<SchedulerRequestKey>of().iterator());
    AppSchedulingInfo info = mock(AppSchedulingInfo.class);
    when(info.getSchedulerKeys()).thenReturn(keys);
    SchedulerApplicationAttempt app = mock(SchedulerApplicationAttempt.class);
    when(app.getAppSchedulingInfo()).thenReturn(info);
    assertThat(new YarnAttempt(app, this, () -> 0, false).requested()).isNull();
  }
}
