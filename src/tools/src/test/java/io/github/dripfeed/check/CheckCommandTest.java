// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.ReclaimPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckCommandTest extends CheckFixture {

  @Test
  void goodConfigurationPasses() throws Exception {
    assertThat(check("--all")).isZero();
    assertThat(out).contains("root.a: " + STATE_AWARE, "starting-timeout               5m",
        "root.b: fifo", "Queues: 2, state-aware: 1, errors: 0, advice: 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"capacity-scheduler.xml", "fifo/capacity-scheduler.xml",
      "priority/capacity-scheduler.xml", "fair/capacity-scheduler.xml", "tenants/capacity-scheduler.xml"})
  void exampleFilesGetNoAdvice(String example) throws Exception {
    String reclaim = write("reclaim.xml", Map.of("yarn.resourcemanager.scheduler.monitor.enable", "true",
        "yarn.resourcemanager.scheduler.monitor.policies", "io.github.dripfeed.ReclaimPolicy"));
    int exit = run("check", "conf-examples/" + example, reclaim);
    if (example.startsWith("tenants") && VersionInfo.getVersion().compareTo("3.4") < 0) {
      assertThat(out).as("a YARN without weights").contains("ERROR   capacity = '1w': allowed is a number");
    } else {
      assertThat(exit).as(out).isZero();
    }
  }

  @Test
  void queuesThatAreAlikeStandTogether() throws Exception {
    conf.put(ROOT + "queues", "a,b,c");
    conf.put(ROOT + "a.capacity", "40");
    conf.put(ROOT + "b.capacity", "30");
    conf.put(ROOT + "c.capacity", "30");
    conf.put(ROOT + "c.ordering-policy", STATE_AWARE);
    conf.put(ROOT + "c.maximum-am-resource-percent", "100");
    conf.put(ROOT + "c.ordering-policy.state-aware.max-starting", "1");
    assertThat(check("--all")).isZero();
    assertThat(out).startsWith("root.a\nroot.c: " + STATE_AWARE + "\n    starting-timeout  ")
        .containsOnlyOnce("    starting-timeout ").contains("\nroot.b: fifo\nYARN ");
    conf.put(ROOT + "c.ordering-policy.state-aware.starting-timeout", "7m");
    assertThat(check()).isZero();
    assertThat(out).contains("root.a: " + STATE_AWARE, "root.c: " + STATE_AWARE);
  }

  @Test
  void everyErrorOfTheResourceManagerIsListed() throws Exception {
    conf.put(OURS + "max-starting", "0");
    conf.put(OURS + "starting-timeout", "soon");
    conf.put(OURS + "colour", "blue");
    conf.put(OURS + "min-executors", "3");
    assertThat(check("--all")).isEqualTo(2);
    assertThat(out).contains(
        "ERROR   ordering-policy.state-aware.max-starting = '0': allowed is a whole number from 1",
        "ERROR   ordering-policy.state-aware.starting-timeout = 'soon': allowed is a duration",
        "ERROR   ordering-policy.state-aware.colour = 'blue': no such property",
        "min-executors                  3", "errors: 3");
  }

  @Test
  void emptyPropertyIsIgnoredAsHadoopDoes() throws Exception {
    conf.put(OURS + "max-starting", "");
    conf.put(OURS + "starting-group", "");
    assertThat(check("--all")).as(out).isEqualTo(1);
    assertThat(out).as("no group was chosen").contains("ADVICE  max-starting is not set, so one application"
        + " at a time starts, which is slow",
        "max-starting                   1", "starting-group                 (empty)", "errors: 0");
  }

  @Test
  void whiteSpaceAroundTheClassNameIsAnError() throws Exception {
    conf.put(QUEUE + "ordering-policy", "\n    " + STATE_AWARE + "\n  ");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("ERROR   ordering-policy = '\\n    " + STATE_AWARE + "\\n  ': white space"
        + " around the class name, which YARN does not trim; allowed is '" + STATE_AWARE + "'");
  }

  @Test
  void missingPolicyClassIsAnError() throws Exception {
    conf.put(QUEUE + "ordering-policy", "io.github.dripfeed.StateAwarePolicy");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("no such class; allowed are " + STATE_AWARE);
  }

  @Test
  void lowAmLimitIsAdvisedAgainst() throws Exception {
    conf.remove(QUEUE + "maximum-am-resource-percent");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ADVICE  maximum-am-resource-percent is 0.1 (YARN's default)");
    conf.put("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ADVICE  maximum-am-resource-percent is 0.5. Waiting applications count too:"
        + " beyond 0.5 of the queue's capacity they wait in YARN's own list, where Dripfeed cannot start"
        + " them. Set it to 1.0 in this queue\n");
    conf.put(QUEUE + "maximum-am-resource-percent", "0.99");
    assertThat(check()).isEqualTo(1);
    conf.put(QUEUE + "maximum-am-resource-percent", "1.0");
    assertThat(check()).isZero();
  }

  /** YARN takes it of the guarantee, and of a user's part of that; a cluster of 40 GB, drivers of 1 GB. */
  @ParameterizedTest
  @CsvSource({"8, 100, 100, 1,,", "7, 75, 100, 1,,", "50, 100, 10, 1,,", "50, 100, 5, -1,,",
      "7, 100, 100, 1, 3, the guaranteed capacity. 0.1 of the maximum capacity would be 4",
      "7, 100, 5, -1, 3, the guaranteed capacity. 0.1 of the maximum capacity would be 4",
      "50, 100, 5, 1, 1, a user's part of the guaranteed capacity. 0.1 of what a user may have would be 2"})
  void lowAmLimitOfASmallGuaranteeIsAdvisedAgainst(String capacity, String most, String percent,
      String factor, String few, String counted) throws Exception {
    conf.put(QUEUE + "capacity", capacity);
    conf.put(ROOT + "b.capacity", String.valueOf(100 - Integer.parseInt(capacity)));
    conf.put(QUEUE + "maximum-capacity", most);
    conf.put(QUEUE + "minimum-user-limit-percent", percent);
    conf.put(QUEUE + "user-limit-factor", factor);
    assertThat(check("--cluster-memory", "40960")).as(out).isEqualTo(few == null ? 0 : 1);
    if (few != null) {
      assertThat(out).contains("ADVICE  maximum-am-resource-percent is 1.0. Waiting", "Set it"
          + " to 100 in this queue: 1.0 allows " + few + " AMs of the smallest size (1024 MB), because YARN"
          + " counts from " + counted + "\n");
    }
    conf.put(QUEUE + "maximum-am-resource-percent", "100");
    assertThat(check("--cluster-memory", "40960")).isZero();
  }

  @Test
  void submissionOrderWithPriorityPreemptionIsAdvisedAgainst() throws Exception {
    String preemption = "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.";
    site.put(preemption + "enabled", "true");
    site.put(preemption + "preemption-order-policy", "priority_first");
    assertThat(check()).as("order=priority").isZero();
    conf.put(OURS + "order", "fifo");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ADVICE  order=fifo, and YARN's intra-queue preemption goes by priority");
    site.put(preemption + "preemption-order-policy", "userlimit_first");
    assertThat(check()).isZero();
  }

  @Test
  void maxStartingBeyondCapacityIsAdvisedAgainst() throws Exception {
    conf.put(OURS + "max-starting", "4");
    assertThat(check()).as("the size is not known").isZero();
    assertThat(check("--cluster-memory", "40960")).as("four of 1024 MB in 4096 MB").isZero();
    assertThat(check("--cluster-memory", "40000")).isEqualTo(1);
    assertThat(out).contains("ADVICE  max-starting=4 on a queue of 4000 MB");
    conf.put(QUEUE + "capacity", "[memory=3000,vcores=4]");
    conf.put("yarn.scheduler.capacity.root.b.capacity", "[memory=37000,vcores=4]");
    assertThat(check()).isEqualTo(1);
    site.put("yarn.scheduler.minimum-allocation-mb", "512");
    assertThat(check()).isZero();
  }

  @Test
  void takeBackThatYarnDoesNotAllowIsAdvisedAgainst() throws Exception {
    conf.put(OURS + "take-back", "on");
    assertThat(check()).isZero();
    conf.put(OURS + "max-starting", "auto");
    conf.remove(OURS + "take-back");
    assertThat(check()).as("the default").isZero();
    conf.put("yarn.scheduler.capacity.lazy-preemption-enabled", "true");
    conf.put("yarn.scheduler.capacity.root.disable_preemption", "true");
    site.put("yarn.resourcemanager.am.max-attempts", "1");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("YARN's preemption is lazy", "disable_preemption is set",
        "yarn.resourcemanager.am.max-attempts=1: an application with one attempt is never taken back");
  }

  @Test
  void reclaimWithoutItsMonitorIsAdvisedAgainst() throws Exception {
    conf.put(OURS + "reclaim.enabled", "true");
    assertThat(check("--all")).isEqualTo(1);
    assertThat(out).contains("ADVICE  reclaim.enabled, and the ResourceManager does not run the policy",
        "(none was given to this check)", "reclaim.grace-period           15s");
    site.put("yarn.resourcemanager.scheduler.monitor.policies", ReclaimPolicy.class.getName());
    assertThat(check()).as("monitors are off").isEqualTo(1);
    site.put("yarn.resourcemanager.scheduler.monitor.enable", "true");
    assertThat(check()).as(out).isZero();
    conf.put(OURS + "order", "fifo");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("in the order by submission alone, no container is reclaimed");
  }

  @Test
  void propertiesWithoutEffectAreNamed() throws Exception {
    conf.put("yarn.scheduler.capacity.root.b.ordering-policy.state-aware.max-starting", "2");
    conf.put("yarn.scheduler.capacity.root.typo.ordering-policy.state-aware.max-starting", "2");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ADVICE  its state-aware properties have no effect: ordering-policy is"
        + " 'fifo'", "root.typo: fifo\n  ADVICE  it has state-aware properties, and is no leaf queue");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ordering-policy.stateaware.max-starting",
      "ordering-policy.state-aware-max-starting", "ordering-policy.state_aware.max-starting",
      "ordering-policy.State-Aware.max-starting", "ordering-policy.stateAware.anything",
      "ordering-policy.state-aware", "ordering-policies.state-aware.max-starting",
      "ordering-policy-state-aware.max-starting", "ordering-policy.max-starting",
      "ordering-policy.reclaim.enabled", "state-aware.max-starting", "stateaware.reclaim.enabled"})
  void aPropertyJustBesideThePrefixIsNamed(String name) throws Exception {
    conf.put(QUEUE + name, "3");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("root.a", name + " = '3' has no effect", "ordering-policy.state-aware.");
  }

  @Test
  void propertyOfAParentQueueIsNamed() throws Exception {
    conf.put("yarn.scheduler.capacity.root.ordering-policy.stateaware.max-starting", "3");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("ordering-policy.stateaware.max-starting = '3' has no effect");
  }

  @Test
  void aQueueMayBeCalledStateAware() throws Exception {
    for (String queue : new String[] {"state-aware", "stateaware-spark"}) {
      conf.put("yarn.scheduler.capacity.root." + queue + ".capacity", "0");
      conf.put("yarn.scheduler.capacity.root." + queue + ".maximum-am-resource-percent", "100");
      conf.put("yarn.scheduler.capacity.root." + queue + ".ordering-policy", STATE_AWARE);
      conf.put("yarn.scheduler.capacity.root." + queue
          + ".ordering-policy.state-aware.max-starting", "4");
      conf.put("yarn.scheduler.capacity.root." + queue + ".maximum-applications", "1000");
    }
    conf.put("yarn.scheduler.capacity.root.queues", "a, b, state-aware, stateaware-spark");
    conf.put(QUEUE + "ordering-policy.fair.enable-size-based-weight", "true");
    assertThat(check()).isZero();
    assertThat(out).doesNotContain("no effect");
  }

  @Test
  void changedPropertiesComeFirstAndDefaultsOnlyWhereAllAreAskedFor() throws Exception {
    conf.put(OURS + "starting-timeout", "7m");
    assertThat(check()).isZero();
    assertThat(out).contains("  * starting-timeout               7m\n"
        + "    15 more with the default; --all\n").doesNotContain("min-executors");
    assertThat(check("--all")).isZero();
    assertThat(out).contains("  * starting-timeout               7m\n"
        + "    max-starting                   1\n")
        .doesNotContain("more with");
  }

  /** Nobody is held, so it is as a stock queue; what has no effect is no matter. */
  @Test
  void queueThatIsNotEnforcedIsAdvisedAsAStockQueue() throws Exception {
    conf.put(OURS + "enforce", "false");
    conf.put(OURS + "starting-group", "all");
    conf.put(ROOT + "a.maximum-am-resource-percent", "0.5");
    assertThat(check()).as(out).isZero();
    conf.put(ROOT + "a.maximum-am-resource-percent", "1.0");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("  ADVICE  maximum-am-resource-percent is 1.0, and enforce is false: AMs"
        + " can fill the queue");
  }

  @Test
  void whatYarnDoesToHeldApplicationsIsNamed() throws Exception {
    conf.put(ROOT + "maximum-application-lifetime", "3600");
    conf.put(QUEUE + "maximum-applications", "50");
    conf.put(QUEUE + "state", "STOPPED");
    assertThat(check("--rules-only")).isEqualTo(1);
    assertThat(out).contains("maximum-application-lifetime is 3600 s: it counts from the submission",
        "maximum-applications is 50: held applications count", "is STOPPED", "advice: 3");
    conf.remove(QUEUE + "maximum-applications");
    conf.put("yarn.scheduler.capacity.maximum-applications", "900");
    conf.put(ROOT + "maximum-application-lifetime", "-1");
    conf.remove(QUEUE + "state");
    assertThat(check("--rules-only")).isEqualTo(1);
    assertThat(out).contains("maximum-applications is 90: held",
        "advice: 1");
  }

  @Test
  void duplicatesAreNamed() throws Exception {
    String file = write("capacity-scheduler.xml", conf);
    String text = Files.readString(Path.of(file));
    Files.writeString(Path.of(file), text.replace("</configuration>", "<property><name>\n  " + QUEUE
        + "capacity </name><value>10</value></property></configuration>"));
    assertThat(run("check", file)).isEqualTo(1);
    assertThat(out).contains("ADVICE  " + file + " has more than once, of which the last counts: " + QUEUE
        + "capacity\n");
  }

  @Test
  void filesThatAreRefusedForAClassOfOursAreNotCalledAccepted() throws Exception {
    conf.put(OURS + "max-starting", "0");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("accepts all but what is an ERROR here").doesNotContain("accepts the files");
  }

  @Test
  void nestedQueuesAndTemplatesAreChecked() throws Exception {
    conf.put("yarn.scheduler.capacity.root.b.queues", "c");
    conf.put("yarn.scheduler.capacity.root.b.c.capacity", "100");
    conf.put("yarn.scheduler.capacity.root.b.c.ordering-policy", STATE_AWARE);
    conf.put("yarn.scheduler.capacity.root.b.c.ordering-policy.state-aware.max-starting", "1");
    conf.put("yarn.scheduler.capacity.root.b.leaf-queue-template.ordering-policy", STATE_AWARE);
    conf.put("yarn.scheduler.capacity.root.b.leaf-queue-template.ordering-policy.state-aware"
        + ".starting-group", "b");
    conf.put("yarn.scheduler.capacity.root.b.leaf-queue-template.ordering-policy.state-aware"
        + ".max-starting", "1");
    conf.put("yarn.scheduler.capacity.maximum-am-resource-percent", "100");
    assertThat(check()).isZero();
    assertThat(out).contains("root.b.c: " + STATE_AWARE,
        "root.b.leaf-queue-template: " + STATE_AWARE, "state-aware: 3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"leaf-queue-template", "auto-queue-creation-v2.leaf-template",
      "auto-queue-creation-v2.template"})
  void templateWithoutAGroupIsAdvisedAgainst(String template) throws Exception {
    String created = "yarn.scheduler.capacity.root.b." + template + ".";
    conf.put("yarn.scheduler.capacity.root.b.capacity", "90");
    conf.put(created + "ordering-policy", STATE_AWARE);
    conf.put(created + "maximum-am-resource-percent", "100");
    assertThat(check()).isEqualTo(1);
    assertThat(out).contains("root.b." + template + ": " + STATE_AWARE, "ADVICE  each created queue"
        + " starts its own application, so many queues together fill root.b with AMs. Set max-starting to"
        + " auto");
    assertThat(check("--cluster-memory", "20000")).isEqualTo(1);
    assertThat(out).contains(" root.b with AMs: 18 of them, with AMs of the smallest size (1024 MB), fill"
        + " its 18000 MB. Set");
    conf.put("yarn.scheduler.capacity.root.b.capacity", "3w");
    conf.put("yarn.scheduler.capacity.root.a.capacity", "1w");
    // Where YARN knows no weights, it refuses them, and the advice is the same.
    assertThat(check("--cluster-memory", "24000")).isPositive();
    assertThat(out).as("by weights").contains("fill its 18000 MB. Set");
    conf.put("yarn.scheduler.capacity.root.a.capacity", "10");
    conf.put("yarn.scheduler.capacity.root.b.capacity", "90");
    conf.put(created + "ordering-policy.state-aware.max-starting", "2");
    assertThat(check("--cluster-memory", "20000")).isEqualTo(1);
    assertThat(out).contains("starts 2 applications of its own", ": 9 of them,");
    conf.put(created + "ordering-policy.state-aware.starting-group", "etl");
    conf.put(created + "ordering-policy.state-aware.max-starting", "1");
    if (template.endsWith("v2.template")) {
      assertThat(check("--cluster-memory", "20000")).isEqualTo(1);
      assertThat(out).contains("to parent queues that it creates, too");
      conf.put("yarn.scheduler.capacity.root.b.auto-queue-creation-v2.maximum-queue-depth", "1");
    }
    assertThat(check("--cluster-memory", "20000")).as(out).isZero();
  }

  /** YARN gives a created leaf queue what its own template lacks, from wider templates. */
  @Test
  void templatesCompleteEachOther() throws Exception {
    String any = ROOT + "*.auto-queue-creation-v2.";
    conf.put(any + "template.maximum-am-resource-percent", "100");
    conf.put(any + "leaf-template.ordering-policy", STATE_AWARE);
    conf.put(any + "leaf-template.ordering-policy.state-aware.starting-group", "etl");
    conf.put(any + "leaf-template.ordering-policy.state-aware.max-starting", "1");
    assertThat(check("--rules-only")).as(out).isZero();
    String own = ROOT + "b.auto-queue-creation-v2.leaf-template.";
    conf.put(own + "ordering-policy.state-aware.max-starting", "abc");
    assertThat(check("--rules-only")).isEqualTo(2);
    assertThat(out).contains("root.b.auto-queue-creation-v2.leaf-template: " + STATE_AWARE,
        "max-starting = 'abc'").doesNotContain("is no leaf queue", "YARN's default");
  }

  /** A path without {@code root.} has no end above. */
  @ParameterizedTest
  @ValueSource(strings = {"leaf-queue-template", "auto-queue-creation-v2.template"})
  void templateThatIsNotBelowTheRootIsNamedAndTheRestIsChecked(String name) throws Exception {
    String template = "batch." + name;
    conf.put("yarn.scheduler.capacity." + template + ".ordering-policy", STATE_AWARE);
    conf.put("yarn.scheduler.capacity." + template + ".ordering-policy.state-aware.max-starting",
        "auto");
    assertThat(check("--rules-only", "--cluster-memory", "40960")).as(out + err).isEqualTo(1);
    assertThat(out).contains("root.a: " + STATE_AWARE, template + ": " + STATE_AWARE,
        "ADVICE  no such queue, so ordering-policy of it have no effect: batch does not exist either");
  }

  @ParameterizedTest
  @ValueSource(strings = {"b.auto-queue-creation-v2.parent-template", "templates", "email-templates"})
  void whatOnlyLooksLikeATemplateOfLeavesIsNone(String path) throws Exception {
    boolean isLeaf = path.startsWith("email");
    if (!path.startsWith("b.")) {
      conf.put(ROOT + "queues", "a, b, " + path);
      conf.put(ROOT + path + ".capacity", "0");
    }
    if (path.equals("templates")) {
      conf.put(ROOT + path + ".queues", "c");
      conf.put(ROOT + path + ".c.capacity", "100");
    }
    conf.put(ROOT + path + ".ordering-policy", isLeaf ? "fair" : "priority-utilization");
    assertThat(check("--rules-only")).as(out).isZero();
    assertThat(out.split("root." + path + ":", -1)).hasSize(isLeaf ? 2 : 1);
    conf.put(ROOT + "no-template.capacity", "10");
    assertThat(check("--rules-only")).isEqualTo(1);
    assertThat(out).contains("no such queue, so capacity of it have no effect");
  }

  @Test
  void limitOnDriversOfALabelIsAdvisedAgainst() throws Exception {
    conf.put(QUEUE + "accessible-node-labels.gpu.maximum-am-resource-percent", "0.2");
    assertThat(check("--rules-only")).isEqualTo(1);
    assertThat(out).contains(
        "ADVICE  accessible-node-labels.gpu.maximum-am-resource-percent is 0.2. Waiting applications");
    conf.put(QUEUE + "accessible-node-labels.gpu.maximum-am-resource-percent", "1e2");
    assertThat(check("--rules-only")).isZero();
  }

  @Test
  void queuesThatFillTheirParentTogetherAreAdvisedAgainst() throws Exception {
    conf.put("yarn.scheduler.capacity.root.queues", "a, b, c");
    for (String queue : new String[] {"b", "c"}) {
      conf.put("yarn.scheduler.capacity.root." + queue + ".capacity", "45");
      conf.put("yarn.scheduler.capacity.root." + queue + ".maximum-am-resource-percent", "100");
      conf.put("yarn.scheduler.capacity.root." + queue + ".ordering-policy", STATE_AWARE);
      conf.put("yarn.scheduler.capacity.root." + queue + ".ordering-policy.state-aware.max-starting",
          "1");
    }
    assertThat(check()).as("the size is not known").isZero();
    assertThat(check("--cluster-memory", "4096")).as("three of 1024 MB in 4096 MB").isZero();
    assertThat(check("--cluster-memory", "3000")).isEqualTo(1);
    assertThat(out).contains("root: none\n  ADVICE  its 3 state-aware queues start 3 applications at once,"
        + " and 3 of them name no starting-group: 3 AMs of the smallest size, 1024 MB, fill its 3000 MB"
        + " and leave no room for an executor; let these queues count together");
    String group = ".ordering-policy.state-aware.starting-group";
    conf.put("yarn.scheduler.capacity.root.b" + group, "etl");
    conf.put("yarn.scheduler.capacity.root.c" + group, "etl");
    assertThat(check("--cluster-memory", "3000")).as("two at once").isZero();
    assertThat(check("--cluster-memory", "2048")).isEqualTo(1);
    assertThat(out).contains("its 3 state-aware queues start 2 applications at once, and 1 of them");
    conf.put(OURS + "starting-group", "etl");
    assertThat(check("--cluster-memory", "2048")).isZero();
  }

  @Test
  void queuesAtDifferentDepthsFillTheirCommonParent() throws Exception {
    conf.put("yarn.scheduler.capacity.maximum-am-resource-percent", "100");
    conf.put("yarn.scheduler.capacity.root.b.queues", "c, d");
    conf.put("yarn.scheduler.capacity.root.b.capacity", "90");
    for (String queue : new String[] {"b.c", "b.d"}) {
      conf.put("yarn.scheduler.capacity.root." + queue + ".ordering-policy", STATE_AWARE);
      conf.put("yarn.scheduler.capacity.root." + queue + ".capacity", "50");
    }
    assertThat(check("--cluster-memory", "3072")).isEqualTo(1);
    assertThat(out).contains("root: none\n  ADVICE  its 3 state-aware queues")
        .doesNotContain("root.b: none");
    assertThat(check("--cluster-memory", "2048")).isEqualTo(1);
    assertThat(out).as("the lowest parent").contains("root.b: none\n  ADVICE  its 2 state-aware queues")
        .doesNotContain("root: none");
  }

  @Test
  void jsonOutputSaysTheSame() throws Exception {
    conf.remove(QUEUE + "maximum-am-resource-percent");
    conf.put(OURS + "max-starting", "0");
    assertThat(check("--json")).isEqualTo(2);
    JsonNode document = new ObjectMapper().readTree(out);
    assertThat(document.at("/exitCode").asInt()).isEqualTo(2);
    assertThat(document.at("/queues/0/queue").asText()).isEqualTo("root.a");
    assertThat(document.at("/queues/0/orderingPolicy").asText()).isEqualTo(STATE_AWARE);
    assertThat(document.at("/queues/0/properties/starting-timeout").asText()).isEqualTo("5m");
    assertThat(document.at("/queues/0/errors")).hasSize(1);
    assertThat(document.at("/queues/0/advice")).hasSize(1);
    assertThat(document.at("/queues/1/errors")).isEmpty();
  }

  @Test
  void wrongCallPrintsUsage() throws Exception {
    assertThat(run()).isEqualTo(2);
    assertThat(run("chekc", "x")).isEqualTo(2);
    assertThat(err).contains("No such command: 'chekc'; there are diagnose, status");
    assertThat(run("check")).isEqualTo(2);
    assertThat(run("check", "--jsn", "x")).isEqualTo(2);
    assertThat(err).contains("Unknown option: '--jsn'; there are --all",
        "More: dripfeed-tools check --help");
    assertThat(run("check", "no/such.xml")).isEqualTo(2);
    assertThat(err).contains("No such file: no/such.xml");
    assertThat(run("check", "--cluster-memory", "much", "x")).isEqualTo(2);
    assertThat(err).contains("--cluster-memory = 'much': allowed is a number of MB");
    assertThat(run("check", "--cluster-memory=", "x")).isEqualTo(2);
    assertThat(err).contains("--cluster-memory = '': allowed is a number of MB");
    assertThat(run("check", "--cluster-memory-mb=1", "x")).isEqualTo(2);
    assertThat(err).contains("Unknown option: '--cluster-memory-mb=1'");
    Path broken = Files.writeString(folder.resolve("broken.xml"), "<configuration><property>");
    assertThat(run("check", broken.toString())).isEqualTo(2);
    assertThat(err).contains("Not readable as a configuration", "broken.xml");
  }

  @Test
  void fileWithoutQueuesIsAnError() throws Exception {
    conf.clear();
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("ERROR   yarn.scheduler.capacity.root.queues names no queue");
  }
}
