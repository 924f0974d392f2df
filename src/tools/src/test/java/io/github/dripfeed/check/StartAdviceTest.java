// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which numbers of starts get advice, and how it ends. */
class StartAdviceTest extends CheckFixture {

  @Test
  void oneAtATimeIsAChoice() throws Exception {
    conf.remove(OURS + "parallel-start");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ADVICE  parallel-start is not set, so one application at a time starts",
        "51 minutes on average, and two and a half with headroom", "set state-aware.parallel-start to"
        + " headroom, or, where the queue holds little more than one application, to off: then this advice"
        + " ends", "advice: 1");
    conf.put(OURS + "max-starting", "1");
    assertThat(check()).as("the default, written down").isEqualTo(1);
    conf.put(OURS + "parallel-start", "off");
    assertThat(check()).as("chosen").isZero();
    conf.remove(OURS + "parallel-start");
    conf.put(OURS + "max-starting", "4");
    assertThat(check()).as("a good guess for many queues").isZero();
    conf.remove(OURS + "max-starting");
    conf.put(OURS + "starting-group", "tenants");
    assertThat(check()).as("a group starts one at a time over all its queues").isEqualTo(1);
    assertThat(out).contains("starts in all queues of the starting-group together; in one queue, in an",
        "set state-aware.parallel-start to headroom in all of these queues, or, where their cluster holds");
    conf.remove(OURS + "starting-group");
    conf.put(OURS + "parallel-start", "headroom");
    conf.put(QUEUE + "maximum-allocation-mb", "1024");
    assertThat(check("--cluster-memory", "40960")).as(out).isZero();
    assertThat(check("--cluster-memory=40960")).as("as the options of all commands").isZero();
    assertThat(check("--cluster-memory=20480")).as("it is read").isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "3"})
  void aFewAtATimeAreAChoiceOnlyBesideParallelStart(String slots) throws Exception {
    conf.remove(OURS + "parallel-start");
    conf.put(OURS + "max-starting", slots);
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ADVICE  parallel-start is not set, so max-starting=" + slots
        + " alone says how many start at once, and a fixed number suits one size of queue: with 2, in an"
        + " hour of real arrivals applications wait 14 minutes on average, and two and a half with headroom"
        + " (docs/evidence.md); set state-aware.parallel-start to headroom, or, where the queue holds few"
        + " more applications than that, to off: then this advice ends", "advice: 1");
    conf.put(OURS + "starting-group", "tenants");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("start at once in all queues of the starting-group together, and a fixed",
        "in one queue, in an hour", "to headroom in all of these queues, or, where their cluster holds"
        + " few more applications than that");
    conf.put(OURS + "parallel-start", "off");
    assertThat(check()).as("chosen").isZero();
    conf.put(OURS + "parallel-start", "headroom");
    assertThat(check("--cluster-memory", "204800")).as(out).isZero();
  }
}
