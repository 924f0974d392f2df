// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.config.PolicyKind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
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

  @Test
  void capacitiesThatDoNotAddUpAreAnError() throws Exception {
    conf.put(QUEUE + "capacity", "50");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("root: none\n  ERROR   capacity of the queues right below it: a = 50, b = 90;"
        + " the sum is 140, allowed is 100", "YARN refuses the configuration");
  }

  @Test
  void queuesThatAreAlikeAreValidatedTogetherAndRefusedByTheirNames() throws Exception {
    conf.clear();
    conf.put(ROOT + "queues", "a, b, c, d");
    List.of("a", "b", "c", "d").forEach(name -> conf.put(ROOT + name + ".capacity", "25"));
    assertThat(check()).as(out).isZero();
    List.of("a", "b", "c", "d").forEach(name -> conf.put(ROOT + name + ".maximum-capacity", "40"));
    assertThat(check()).as("more than the maximum of each: " + out).isZero();
    List.of("a", "b", "c", "d").forEach(name -> conf.put(ROOT + name + ".capacity", "30"));
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("a = 30, b = 30, c = 30, d = 30; the sum is 120, allowed is 100");
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

  /** The thread of the validation has no more to do after the check, and may not have ended yet. */
  private static void assertNoThreadIsLeft(Set<Thread> before) throws Exception {
    for (Thread thread : threads()) {
      if (thread.getName().equals(CheckCommand.VALIDATION)) {
        thread.join();
      }
    }
    assertThat(startedSince(before)).as("nothing is started that stays, such as a store").isEmpty();
  }

  /** The process reaper is of the JDK: Hadoop's libraries run a program when they are loaded. */
  private static Set<String> startedSince(Set<Thread> before) {
    return threads().stream().filter(thread -> !before.contains(thread)).map(Thread::getName)
        .filter(name -> !name.equals("process reaper")).collect(Collectors.toSet());
  }

  @Test
  void whatStopsAnyConfigurationIsNotCalledARefusal() {
    assertThat(YarnValidation.obstacle()).isNull();
    assertThat(YarnValidation.refusal(
        Map.of(ROOT + "queues", "a", ROOT + "a.capacity", "70"), Set.of("root", "root.a")))
        .contains("Illegal capacity");
    CheckResult result = new CheckResult("capacity-scheduler.xml");
    new YarnCheck(new SchedulerFiles(new Configuration(false), false), result)
        .add("no such method", "no such method");
    assertThat(result.getYarn()).isEqualTo("not run");
    assertThat(result.getErrors()).isEmpty();
    assertThat(result.getAdvice()).singleElement().asString().endsWith("as well: no such method");
  }

  /**
   * Sixteen times the queues take sixteen times as long, and 256 times where the effort is quadratic; half
   * way between, what a busy machine adds to either figure decides nothing.
   */
  @Test
  void effortIsLinearInTheNumberOfQueues() throws Exception {
    timeOf(500);
    long few = Math.min(timeOf(500), timeOf(500));
    long many = timeOf(8000);
    assertThat((double) many / few).as("%s ms, %s ms", few / 1_000_000, many / 1_000_000)
        .isLessThan(64);
  }

  /**
   * The processor time of this thread, so that neither the collector and the compiler nor other processes
   * count. YARN's validation, which the command leaves to another thread, is run on this one.
   */
  private long timeOf(int queues) throws Exception {
    conf.clear();
    StringBuilder names = new StringBuilder("q0");
    for (int i = 0; i < queues; i++) {
      names.append(i == 0 ? "" : ",q" + i);
      conf.put(ROOT + "q" + i + ".capacity", String.valueOf(100.0 / queues));
      conf.put(ROOT + "q" + i + ".ordering-policy", STATE_AWARE);
      conf.put(ROOT + "q" + i + ".ordering-policy.state-aware.max-starting", "4");
      conf.put(ROOT + "q" + i + ".maximum-am-resource-percent", "100");
      // No two queues are alike.
      conf.put(ROOT + "q" + i + ".maximum-applications", String.valueOf(10 + i));
    }
    conf.put(ROOT + "queues", names.toString());
    String file = write("capacity-scheduler.xml", conf);
    Configuration written = new Configuration(false);
    conf.forEach(written::set);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    assertThat(run("check", "--rules-only", file)).isZero();
    assertThat(YarnCheck.refusal(new SchedulerFiles(written, false))).isNull();
    return threads.getCurrentThreadCpuTime() - before;
  }

  @Test
  void refusalInTheLogPointsToTheCheck() {
    Assertions.assertThatThrownBy(() ->
        PolicyConfiguration.of(Map.of("state-aware.colour", "blue"), PolicyKind.SUBMISSION))
        .hasMessageContaining("'yarn jar dripfeed-yarn.jar check capacity-scheduler.xml yarn-site.xml'");
  }
}
