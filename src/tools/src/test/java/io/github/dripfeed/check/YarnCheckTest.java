// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.dripfeed.StateAwareFairOrderingPolicy;
import io.github.dripfeed.StateAwareOrderingPolicy;
import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.config.PolicyKind;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Configurations with which a ResourceManager does not start, or does not read the queues. */
class YarnCheckTest extends CheckFixture {

  @Test
  void rulesAloneAreCheckedWhereThatIsAskedFor() throws Exception {
    conf.put(ROOT + "b.capacity", "80");
    assertThat(check()).isEqualTo(2);
    assertThat(check("--rules-only")).isZero();
    assertThat(out).contains("YARN " + VersionInfo.getVersion() + ": not run");
    conf.put(OURS + "max-starting", "0");
    assertThat(check("--rules-only")).isEqualTo(2);
  }

  @Test
  void yarnAcceptsAConfigurationWithoutFault() throws Exception {
    assertThat(check()).isZero();
    assertThat(out).containsPattern("YARN 3\\.\\d+\\.\\d+: accepts the files, in its own validation");
  }

  @Test
  void policyOfAParentQueueIsAnError() throws Exception {
    conf.put(ROOT + "b.queues", "c, d");
    conf.put(ROOT + "b.c.capacity", "50");
    conf.put(ROOT + "b.d.capacity", "50");
    conf.put(ROOT + "b.ordering-policy", STATE_AWARE);
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("root.b: none\n  ERROR   ordering-policy = '" + STATE_AWARE + "': it is a"
        + " parent queue", "allowed here are utilization and priority-utilization",
        "set the policy in its leaf queues (c, d)", "YARN refuses the configuration");
    conf.put(ROOT + "b.ordering-policy", "utilization");
    assertThat(check()).as(out).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fair", "fifo", STATE_AWARE})
  void policyOfLeafQueuesOnTheRootIsAnError(String policy) throws Exception {
    conf.put(ROOT + "ordering-policy", policy);
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("root: none\n  ERROR   ordering-policy = '" + policy + "': it is a parent"
        + " queue", "allowed here are utilization and priority-utilization");
  }

  @Test
  void capacityOnALabelIsOfItsQueue() throws Exception {
    conf.put(ROOT + "accessible-node-labels", "x");
    conf.put(ROOT + "accessible-node-labels.x.capacity", "-1");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("root: none\n  ERROR   accessible-node-labels.x.capacity = '-1': allowed is a"
        + " percentage").doesNotContain("root.accessible");
  }

  /** As on EMR, and from Hadoop 3.4 on. */
  @ParameterizedTest
  @ValueSource(strings = {"yarn.node-labels.am.default-node-label-expression",
      "yarn.resourcemanager.node-labels.am.default-node-label-expression"})
  void labelOfAllDriversIsAdvisedOn(String property) throws Exception {
    site.put(property, "CORE");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ADVICE  " + property + " is CORE: AMs run on this label, and the queue"
        + " has no capacity on it",
        "ADVICE  accessible-node-labels.CORE.maximum-am-resource-percent is 1.0",
        "Set it to 100 in this queue: on a label", "advice: 2");
    for (String queue : new String[] {"", "a.", "b."}) {
      conf.put(ROOT + queue + "accessible-node-labels", "*");
      conf.put(ROOT + queue + "accessible-node-labels.CORE.capacity", queue.isEmpty() ? "100" : "50");
    }
    conf.put(QUEUE + "maximum-am-resource-percent", "100");
    assertThat(check()).as(out).isZero();
    conf.put(QUEUE + "capacity", "0");
    conf.put(QUEUE + "maximum-capacity", "0");
    conf.put(QUEUE + "maximum-applications", "1000");
    conf.put(ROOT + "b.capacity", "100");
    assertThat(check()).as(out).isEqualTo(1);
    assertThat(out).contains("maximum-capacity is 0: AMs start, and executors have no room");
    conf.put(QUEUE + "default-node-label-expression", "CORE");
    assertThat(check()).as("executors are there, too: " + out).isZero();
  }

  @Test
  void bothKindsOfAutoCreationOnOneParentAreAdvisedAgainst() throws Exception {
    conf.put(ROOT + "b.auto-create-child-queue.enabled", "true");
    conf.put(ROOT + "b.auto-queue-creation-v2.enabled", "true");
    assertThat(check("--rules-only")).isEqualTo(1);
    assertThat(out).contains("root.b: none\n  ADVICE  both kinds of auto-creation are enabled; set"
        + " auto-create-child-queue.enabled or auto-queue-creation-v2.enabled to false");
  }

  @Test
  void capacitiesThatDoNotAddUpAreAnError() throws Exception {
    conf.put(QUEUE + "capacity", "50");
    assertThat(check()).isEqualTo(2);
    assertThat(out).containsPattern("ERROR   YARN refuses the configuration: .*Illegal capacity .*1\\.4 for"
        + " children of queue root");
  }

  @Test
  void misspeltClassIsAnError() throws Exception {
    conf.put(ROOT + "b.ordering-policy", "io.github.dripfed.StateAwareOrderingPolicy");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("root.b: io.github.dripfed.StateAwareOrderingPolicy\n  ERROR  "
        + " ordering-policy = 'io.github.dripfed.StateAwareOrderingPolicy': no such class on the class path"
        + " of this check; allowed are " + STATE_AWARE, "YARN refuses the configuration");
    conf.put(ROOT + "b.ordering-policy", "fair");
    assertThat(check()).as(out).isZero();
  }

  @Test
  void limitThatIsNoNumberIsAnError() throws Exception {
    conf.put(QUEUE + "maximum-am-resource-percent", "abc");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("ERROR   maximum-am-resource-percent = 'abc': allowed is a number, such as"
        + " 0.1", "YARN refuses the configuration");
    conf.remove(QUEUE + "maximum-am-resource-percent");
    conf.put("yarn.scheduler.capacity.maximum-am-resource-percent", "abc");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("ERROR   yarn.scheduler.capacity.maximum-am-resource-percent = 'abc'");
  }

  @Test
  void propertyThatOnlyYarnReadsAsANumberIsNamed() throws Exception {
    conf.put("yarn.scheduler.capacity.maximum-applications", "10000");
    conf.put(QUEUE + "maximum-applications", "many");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("ERROR   maximum-applications = 'many': allowed is a number");
  }

  @Test
  void weightsOfUsersAreValidated() throws Exception {
    conf.put(QUEUE + "minimum-user-limit-percent", "50");
    conf.put(QUEUE + "maximum-am-resource-percent", "100");
    conf.put(QUEUE + "user-settings.joe.weight", "1.5");
    assertThat(check()).as(out).isZero();
    conf.put(QUEUE + "user-settings.joe.weight", "500");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("YARN refuses the configuration", "joe");
  }

  @Test
  void settingsOfAQueueThatDoesNotExistAreNamed() throws Exception {
    conf.put(ROOT + "ab.ordering-policy", STATE_AWARE);
    conf.put(ROOT + "ab.capacity", "5");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("root.ab: none\n  ADVICE  no such queue, so capacity, ordering-policy of it"
        + " have no effect: yarn.scheduler.capacity.root.queues is 'a, b'");
    conf.put("yarn.scheduler.capacity.queue-mappings", "u:joe:ab");
    assertThat(check()).as("YARN refuses a mapping to it").isEqualTo(2);
  }

  @Test
  void queuesThatYarnMayCreateExist() throws Exception {
    conf.put(ROOT + "b.auto-create-child-queue.enabled", "true");
    conf.put(ROOT + "b.leaf-queue-template.capacity", "10");
    conf.put(ROOT + "b.joe.acl_submit_applications", "joe");
    assertThat(check()).as(out).isZero();
  }

  @Test
  void anotherSchedulerIsAnError() throws Exception {
    site.put("yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("ERROR   yarn.resourcemanager.scheduler.class = 'org.apache.hadoop.yarn.server"
        + ".resourcemanager.scheduler.fifo.FifoScheduler': this scheduler reads neither the queues",
        "allowed is org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
    site.put("yarn.resourcemanager.scheduler.class", "org.example.Scheduler");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("no such class");
    site.put("yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
    assertThat(check()).isZero();
  }

  @Test
  void policiesAreThoseOfEachKind() {
    assertThat(QueueCheck.POLICIES.keySet()).hasSameSizeAs(PolicyKind.values()).containsExactly(
        StateAwareOrderingPolicy.class.getName(), StateAwareFairOrderingPolicy.class.getName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "leveldb", "zk", "fs"})
  void aStoreWhereTheFileDoesNotCountIsNamed(String store) throws Exception {
    site.put("yarn.scheduler.configuration.store.class", store);
    Set<Thread> before = threads();
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ADVICE  yarn.scheduler.configuration.store.class = '" + store + "': the"
        + " queues are in this store", "YARN ");
    assertNoThreadIsLeft(before);
    site.put("yarn.scheduler.configuration.store.class", "disk");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("= 'disk': allowed is file (YARN's default), memory, leveldb, zk or fs");
  }

  @Test
  void nothingIsStartedAndNothingStays() throws Exception {
    check();
    conf.put("yarn.scheduler.capacity.schedule-asynchronously.enable", "true");
    MetricsSystem metrics = DefaultMetricsSystem.instance();
    Set<String> cached = new HashSet<>(QueueMetrics.getQueueMetrics().keySet());
    Set<Object> beans =
        new HashSet<>(ManagementFactory.getPlatformMBeanServer().queryNames(null, null));
    Set<Thread> before = threads();
    assertThat(check()).isZero();
    assertNoThreadIsLeft(before);
    assertThat(DefaultMetricsSystem.instance()).isSameAs(metrics);
    assertThat(LogManager.getLoggerRepository().getThreshold()).as("of the log").isNotEqualTo(Level.OFF);
    assertThat(QueueMetrics.getQueueMetrics().keySet()).isEqualTo(cached);
    Assertions.<Object>assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(null, null))
        .isEqualTo(beans);
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactly("capacity-scheduler.xml");
    }
  }

  private static Set<Thread> threads() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }

  /** The process reaper is of the JDK: Hadoop's libraries run a program when they are loaded. */
  private static void assertNoThreadIsLeft(Set<Thread> before) {
    assertThat(threads().stream().filter(thread -> !before.contains(thread)).map(Thread::getName)
        .filter(name -> !name.equals("process reaper")))
        .as("nothing is started that stays, such as a store").isEmpty();
  }

  @Test
  void whatStopsAnyConfigurationIsNotCalledARefusal() {
    assertThat(YarnValidation.obstacle()).isNull();
    assertThat(YarnValidation.refusal(
        Map.of(ROOT + "queues", "a", ROOT + "a.capacity", "70")))
        .contains("Illegal capacity");
    CheckResult result = new CheckResult("capacity-scheduler.xml");
    result.files = new SchedulerFiles(new Configuration(false), false);
    new YarnCheck(result).add("no such method", "no such method");
    assertThat(result.yarn).isEqualTo("not run");
    assertThat(result.errors).isEmpty();
    assertThat(result.advice).singleElement().asString().endsWith("as well: no such method");
  }

  /**
   * Eight times the queues take eight times the effort, and 64 times where it is quadratic. What is counted
   * does not depend on how busy the machine is: what is read of the configuration, and bytes allocated. It
   * is that of all but YARN's own code, which goes through every property for each queue.
   */
  @Test
  void effortIsLinearInTheNumberOfQueues() {
    effort(500);
    long[] few = effort(500);
    long[] many = effort(4000);
    assertThat((double) many[0] / few[0]).as("read: %s, %s", few[0], many[0]).isBetween(7.9, 8.1);
    assertThat((double) many[1] / few[1]).as("bytes: %s, %s", few[1], many[1]).isBetween(6.0, 12.0);
  }

  private static long[] effort(int queues) {
    AtomicLong read = new AtomicLong();
    Configuration counting = new Configuration(false) {
      @Override
      public String get(String name) {
        read.incrementAndGet();
        return super.get(name);
      }

      @Override
      public Iterator<Map.Entry<String, String>> iterator() {
        read.addAndGet(size());
        return super.iterator();
      }
    };
    for (int i = 0; i < queues; i++) {
      String queue = ROOT + "q" + i + ".";
      counting.set(queue + "capacity", String.valueOf(100.0 / queues));
      counting.set(queue + "ordering-policy", STATE_AWARE);
      counting.set(queue + "ordering-policy.state-aware.max-starting", String.valueOf(10 + i));
      counting.set(queue + "maximum-am-resource-percent", String.valueOf(100 + i));
    }
    counting.set(ROOT + "queues",
        IntStream.range(0, queues).mapToObj(i -> "q" + i).collect(Collectors.joining(",")));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    SchedulerFiles files = new SchedulerFiles(counting, false);
    CheckResult result = new CheckResult("capacity-scheduler.xml");
    result.files = files;
    new QueueCheck(result, 40_960).check();
    YarnCheck yarn = new YarnCheck(result);
    yarn.checkNames();
    yarn.add(null, YarnCheck.forYarn(files).isEmpty() ? null : "a refusal");
    assertThat(result.lines(false)).anyMatch(line -> line.contains(", state-aware: " + queues + ","));
    return new long[] {read.get(),
        threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before};
  }

  @Test
  void refusalInTheLogPointsToTheCheck() {
    Assertions.assertThatThrownBy(() ->
        PolicyConfiguration.of(Map.of("state-aware.colour", "blue"), PolicyKind.SUBMISSION))
        .hasMessageContaining("'yarn jar dripfeed-tools-*.jar check capacity-scheduler.xml yarn-site.xml'");
  }
}
