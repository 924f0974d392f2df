// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default gets advice, and how it ends. */
class StartAdviceTest extends CheckFixture {

  @Test
  void oneAtATimeByDefaultIsAdvisedAgainst() throws Exception {
    conf.remove(OURS + "max-starting");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ADVICE  max-starting is not set, so one application at a time starts, which"
        + " is slow where many arrive; set state-aware.max-starting to auto, or, where the queue holds"
        + " little more than one application, to 1: then this advice ends", "advice: 1");
    conf.put(OURS + "starting-group", "tenants");
    assertThat(check()).as("a group starts one at a time over all its queues").isEqualTo(1);
    assertThat(out).contains("starts in all queues of the starting-group together, which is slow",
        "set state-aware.max-starting to auto, without starting-group, in all of these queues, or, where"
            + " their cluster holds little more");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "auto"})
  void whatIsWrittenIsAChoice(String value) throws Exception {
    conf.put(OURS + "max-starting", value);
    assertThat(check("--cluster-memory", "40960")).as(out).isZero();
    assertThat(check("--cluster-memory=40960")).as("as the options of all commands").isZero();
  }

  @Test
  void clusterMemoryIsRead() throws Exception {
    conf.put(OURS + "max-starting", "2");
    assertThat(check("--cluster-memory=20480")).isZero();
    assertThat(check("--cluster-memory=20470")).as("two AMs of 1024 MB in 2047").isEqualTo(1);
  }

  @Test
  void groupBesideAutoIsAnError() throws Exception {
    conf.put(OURS + "max-starting", "auto");
    conf.put(OURS + "starting-group", "tenants");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("ERROR   ordering-policy.state-aware.starting-group = 'tenants': all queues"
        + " with max-starting = auto are one group already");
  }
}
