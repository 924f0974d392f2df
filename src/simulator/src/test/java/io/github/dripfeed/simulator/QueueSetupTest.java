// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A queue of an operator's capacity-scheduler.xml. */
class QueueSetupTest {

  private static final String PREFIX = "yarn.scheduler.capacity.";
  private static final String DRIP = "root.drip.";

  @TempDir
  private Path folder;
  private final Map<String, String> properties = new TreeMap<>(Map.of("root.queues", "drip,other",
      "root.drip.capacity", "50", "root.other.capacity", "50"));

  private QueueSetup setup() throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>");
    properties.forEach((name, value) -> xml.append("<property><name>").append(PREFIX).append(name)
        .append("</name><value>").append(value).append("</value></property>"));
    return QueueSetup.of(file(xml + "</configuration>"), "root.drip");
  }

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("capacity-scheduler.xml"), content);
  }

  private String under(SchedulerVariant setting, String name) throws IOException {
    return setup().with(setting).get(PREFIX + name);
  }

  @Test
  void largestContainerIsThatOfAllQueuesAndChangesNothingElse() {
    QueueSetup all = QueueSetup.ofUsers(Workloads.users(3));
    QueueSetup limited = Workloads.limited(all, "wide-20");
    Configuration properties = limited.with(SchedulerVariants.fifo());
    all.with(SchedulerVariants.fifo()).forEach(each -> {
      boolean isLimit = each.getKey().equals(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB);
      assertThat(properties.getRaw(each.getKey())).as(each.getKey())
          .isEqualTo(isLimit ? "8192" : each.getValue());
    });
    assertThat(limited.pathOf("u3")).isEqualTo("root.tenants.u3");
    assertThat(Workloads.limited(all, "burst")).isSameAs(all);
  }

  @Test
  void orderAndLimitsOfTheQueueAreThoseOfTheVariantAlone() throws Exception {
    for (String queue : new String[] {"root.drip", "root.other"}) {
      properties.put(queue + ".ordering-policy", "fair");
      properties.put(queue + ".ordering-policy.fair.enable-size-based-weight", "true");
      properties.put(queue + ".ordering-policy.state-aware.max-starting", "7");
      properties.put(queue + ".max-parallel-apps", "1");
      properties.put(queue + ".maximum-am-resource-percent", "0.3");
      properties.put(queue + ".maximum-applications", "50");
    }
    SchedulerVariant fifo = SchedulerVariants.fifo();
    assertThat(under(fifo, DRIP + "ordering-policy")).isEqualTo("fifo");
    for (String name : new String[] {"ordering-policy.fair.enable-size-based-weight",
        "ordering-policy.state-aware.max-starting", "max-parallel-apps", "maximum-am-resource-percent"}) {
      assertThat(under(fifo, DRIP + name)).as(name).isNull();
      assertThat(under(fifo, "root.other." + name) == null).as(name).isEqualTo(name.startsWith("ordering"));
      assertThat(under(SchedulerVariants.asConfigured(), DRIP + name)).as(name).isNotNull();
    }
    assertThat(under(fifo, DRIP + "maximum-applications")).isEqualTo("50");
    assertThat(under(SchedulerVariants.maxParallel(8), DRIP + "max-parallel-apps")).isEqualTo("8");
  }

  @Test
  void applicationsStayInTheQueueToWhichTheyAreSubmitted() throws Exception {
    for (String name : new String[] {"queue-mappings", "queue-mappings-override.enable",
        "mapping-rule-format", "mapping-rule-json", DRIP + "accessible-node-labels",
        DRIP + "accessible-node-labels.gpu.capacity", DRIP + "default-node-label-expression"}) {
      properties.put(name, "anything");
      assertThat(under(SchedulerVariants.asConfigured(), name)).as(name).isNull();
    }
  }

  /** Its class may be in no jar but the ResourceManager's. */
  @Test
  void orderOfOtherLeafQueuesIsLeftOut() throws Exception {
    String template = "root.other.leaf-queue-template.ordering-policy";
    for (String name : new String[] {"root.drip.ordering-policy", "root.other.ordering-policy",
        "root.other.ordering-policy.state-aware.max-starting", template, "root.ordering-policy"}) {
      properties.put(name, "com.acme.Order");
    }
    SchedulerVariant configured = SchedulerVariants.asConfigured();
    assertThat(under(configured, "root.other.ordering-policy")).isNull();
    assertThat(under(configured, "root.other.ordering-policy.state-aware.max-starting")).isNull();
    assertThat(under(configured, template)).isNull();
    assertThat(under(configured, "root.ordering-policy")).as("of a parent").isEqualTo("com.acme.Order");
    assertThat(under(configured, "root.drip.ordering-policy")).isEqualTo("com.acme.Order");
  }

  @ParameterizedTest
  @CsvSource({"queues, small", "auto-create-child-queue.enabled, true",
      "auto-queue-creation-v2.enabled, true"})
  void parentQueueIsRefused(String name, String value) {
    properties.put(DRIP + name, value);
    assertThatThrownBy(this::setup).isInstanceOf(IOException.class)
        .hasMessageContaining("root.drip is a parent queue");
  }

  @Test
  void fileThatCannotBeReadIsNamed() {
    assertThatThrownBy(() -> QueueSetup.of(folder.resolve("none.xml"), "root.drip"))
        .isInstanceOf(IOException.class).hasMessageContaining("none.xml: there is no such file");
    assertThatThrownBy(() -> QueueSetup.of(file("<configuration><property>"), "root.drip"))
        .isInstanceOf(IOException.class).hasMessageContaining("capacity-scheduler.xml cannot be read");
  }

  @Test
  void longestTimeoutIsOneOfTheFileOrADefault() throws Exception {
    properties.put(DRIP + "ordering-policy.state-aware.accepted-timeout", "40m");
    QueueSetup setup = setup();
    Configuration configured = setup.with(SchedulerVariants.asConfigured());
    assertThat(setup.longestTimeoutMillis(configured)).isEqualTo(TimeUnit.MINUTES.toMillis(40));
    assertThat(setup.longestTimeoutMillis(setup.with(SchedulerVariants.dripfeed())))
        .isEqualTo(TimeUnit.MINUTES.toMillis(5));
  }

  @Test
  void startTimesMatterToTheFairPolicyAndToLimitsOverSeveralQueues() {
    QueueSetup queue = QueueSetup.wholeCluster();
    for (SchedulerVariant setting : SchedulerVariants.all()) {
      assertThat(VirtualResourceManager.startTimesMatter(queue.with(setting))).as(setting.name())
          .isEqualTo(setting.queue().get("ordering-policy").equals("fair"));
    }
    QueueSetup queues = QueueSetup.ofUsers(Workloads.users(2));
    for (SchedulerVariant setting : SchedulerVariants.ofTenants()) {
      assertThat(VirtualResourceManager.startTimesMatter(queues.with(setting))).as(setting.name())
          .isEqualTo(setting.name().equals("fair") || setting.name().endsWith("in all"));
    }
  }
}
