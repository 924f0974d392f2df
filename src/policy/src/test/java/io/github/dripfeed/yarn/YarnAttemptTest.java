// SPDX-License-Identifier: Apache-2.0
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
