// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues that hold nobody, and that drivers alone can fill. */
class FullQueueTest extends CheckFixture {

  /** Left over from a state-aware policy, or that of all queues. */
  @Test
  void stockQueueThatDriversCanFillIsAdvisedAgainst() throws Exception {
    conf.put(ROOT + "b.maximum-am-resource-percent", "0.5");
    assertThat(check()).as(out).isZero();
    conf.put(ROOT + "b.maximum-am-resource-percent", "100");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("root.b: fifo\n  ADVICE  maximum-am-resource-percent is 100.0, and the policy"
        + " is fifo: AMs can fill the queue");
    conf.remove(ROOT + "b.maximum-am-resource-percent");
    conf.put("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("is 1.0 (that of all queues), and the policy is fifo");
    conf.put(ROOT + "b.maximum-am-resource-percent", "much");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("'much': allowed is a number, such as 0.1\n").doesNotContain("no limit");
  }

  /** In a template without a policy too, where YARN's is fifo. */
  @ParameterizedTest
  @CsvSource({"auto-create-child-queue, leaf-queue-template",
      "auto-queue-creation-v2, auto-queue-creation-v2.leaf-template"})
  void templateWhoseDriversCanFillAQueueIsAdvisedAgainst(String creation, String template)
      throws Exception {
    conf.put(ROOT + "b." + creation + ".enabled", "true");
    assertThat(check("--rules-only")).as(out).isZero();
    conf.put(ROOT + "b." + template + ".maximum-am-resource-percent", "100");
    assertThat(check("--rules-only")).isEqualTo(1);
    assertThat(out).contains("root.b." + template + ": fifo\n  ADVICE  maximum-am-resource-percent is"
        + " 100.0, and the policy is fifo: AMs can fill the queue");
    conf.put(ROOT + "b." + template + ".maximum-am-resource-percent", "0.1");
    assertThat(check("--rules-only")).as(out).isZero();
  }

  @Test
  void stockQueueThatDriversCanFillOnALabelIsAdvisedAgainst() throws Exception {
    conf.put(ROOT + "b.accessible-node-labels.gpu.maximum-am-resource-percent", "0.5");
    assertThat(check("--rules-only")).as(out).isZero();
    conf.put(ROOT + "b.accessible-node-labels.gpu.maximum-am-resource-percent", "1.0");
    assertThat(check("--rules-only")).isEqualTo(1);
    assertThat(out).contains("root.b: fifo\n  ADVICE  accessible-node-labels.gpu"
        + ".maximum-am-resource-percent is 1.0, and the policy is fifo: AMs can fill the queue");
  }
}
