// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What YARN validates instead of thousands of queues that are alike. */
class AlikeQueuesTest {

  private static final String YARN = "yarn.scheduler.capacity.";
  private static final String ROOT = YARN + "root.";

  private final SortedMap<String, String> whole = new TreeMap<>();

  private void queues(String capacity, String... names) {
    whole.merge(ROOT + "queues", String.join(",", names), (some, more) -> some + "," + more);
    for (String name : names) {
      whole.put(ROOT + name + ".capacity", capacity);
      whole.put(ROOT + name + ".maximum-am-resource-percent", "100");
    }
  }

  private SchedulerFiles files() {
    Configuration conf = new Configuration(false);
    whole.forEach(conf::set);
    return new SchedulerFiles(conf, false);
  }

  private Map<String, String> merged() {
    return AlikeQueues.merged(files(), whole);
  }

  private String refusal(Map<String, String> properties) {
    return YarnValidation.refusal(properties, files().queues());
  }

  @Test
  void oneOfThoseThatAreAlikeIsLeftWithTheCapacityOfAll() {
    queues("10.5", "a", "b", "c");
    queues("68.5", "other");
    assertThat(merged()).isEqualTo(Map.of(ROOT + "queues", "a,other",
        ROOT + "a.capacity", "31.5", ROOT + "a.maximum-am-resource-percent", "100",
        ROOT + "other.capacity", "68.5", ROOT + "other.maximum-am-resource-percent", "100"));
    assertThat(refusal(merged())).isNull();
  }

  @Test
  void weightsAddUpToo() {
    queues("2w", "a", "b");
    assertThat(merged()).containsEntry(ROOT + "a.capacity", "4.0w").hasSize(3);
  }

  @Test
  void anyDifferenceKeepsAQueue() {
    queues("20", "a", "b", "c", "d", "e");
    whole.put(ROOT + "b.state", "STOPPED");
    whole.put(ROOT + "c.maximum-am-resource-percent", "0.5");
    whole.put(ROOT + "d.unknown.below", "it");
    whole.put(ROOT + "e.capacity", "20.0");
    assertThat(merged()).isEqualTo(whole);
  }

  @Test
  void whatYarnMayTreatByItsNameOrLabelIsKept() {
    queues("50", "a", "b");
    assertThat(merged()).isNotEqualTo(whole);
    Map<String, String> mapped = new TreeMap<>(Map.of(
        "queue-mappings", "u:joe:b", "mapping-rule-json", "{}", "workflow-priority-mappings", "w:b:5"));
    mapped.forEach((name, value) -> {
      whole.put(YARN + name, value);
      assertThat(merged()).as(name).isEqualTo(whole);
      whole.remove(YARN + name);
    });
    whole.put("yarn.scheduler.queue-placement-rules", "app-name");
    assertThat(merged()).isEqualTo(whole);
    whole.clear();
    queues("50", "a", "b");
    List.of("a", "b").forEach(name ->
        whole.put(ROOT + name + ".accessible-node-labels.gpu.capacity", "50"));
    assertThat(merged()).isEqualTo(whole);
  }

  @Test
  void resourcesAndWhatIsNoCapacityAreKept() {
    for (String capacity : List.of("[memory=1024,vcores=1]", "many", "-1", "5e1", "", "2w ", "\n50")) {
      whole.clear();
      queues(capacity, "a", "b");
      assertThat(merged()).as(capacity).isEqualTo(whole);
    }
    whole.remove(ROOT + "b.capacity");
    whole.put(ROOT + "a.capacity", "100");
    assertThat(merged()).isEqualTo(whole);
  }

  @Test
  void capacitiesThatYarnMayFindNotToAddUpAreKept() {
    queues("3.998", IntStream.range(0, 25).mapToObj(i -> "q" + i).toArray(String[]::new));
    assertThat(refusal(whole)).as("99.95, with rounding errors").isNotNull();
    assertThat(merged()).isEqualTo(whole);
  }

  @Test
  void namesThatYarnMayReadOtherwiseAreKept() {
    for (String names : List.of("a,b,a", "a\nb", "a,a.b,b", "a,user-settings", "a,,b", "a,b,p")) {
      whole.clear();
      queues(names.length() == 5 ? "33.34" : "50", names.split("[,\n]"));
      whole.put(ROOT + "queues", names);
      whole.put(ROOT + "p.queues", "b, c");
      assertThat(merged()).as(names).isEqualTo(whole);
    }
  }

  @Test
  void reservableQueuesAreKept() {
    queues("50", "a", "b");
    List.of("a", "b").forEach(name -> whole.put(ROOT + name + ".reservable", "true"));
    assertThat(merged()).isEqualTo(whole);
  }

  /** YARN, where it refuses the whole configuration, must refuse the shorter one. */
  @Property(tries = 300)
  void whatYarnRefusesIsNeverAccepted(@ForAll long seed) {
    whole.clear();
    random(new Random(seed));
    Map<String, String> shorter = merged();
    String refusal = refusal(whole);
    if (refusal != null) {
      assertThat(refusal(shorter)).as("%s, for which YARN says %s", whole, refusal).isNotNull();
    }
  }

  private void random(Random random) {
    String[] capacities = random.nextBoolean() ? new String[] {"10", "20", "12.5", "0", "101", "20 "}
        : new String[] {"1w", "2w", "0.5w", "10", "2w ", "\n1w"};
    String[] others = {"q0", "q1.q2", "user-settings", "q1\nq2", " "};
    int queues = 1 + random.nextInt(10);
    StringBuilder names = new StringBuilder();
    double sum = 0;
    for (int i = 0; i < queues; i++) {
      String name = random.nextInt(60) == 0 ? others[random.nextInt(others.length)] : "q" + i;
      String capacity = capacities[random.nextInt(random.nextInt(8) == 0 ? capacities.length : 2)];
      sum += Double.parseDouble(capacity.replace("w", "").trim());
      names.append(i == 0 ? "" : ",").append(name);
      queue(ROOT + name + ".", capacity, random);
    }
    whole.put(ROOT + "queues", names.toString());
    if (!capacities[0].endsWith("w") && random.nextInt(4) > 0 && sum < 100) {
      whole.put(ROOT + "queues", names + ",rest");
      double error = random.nextInt(3) > 0 ? 0 : 0.12 * random.nextDouble() - 0.06;
      whole.put(ROOT + "rest.capacity", String.format(Locale.ROOT, "%.4f", 100 - sum + error));
    }
  }

  private void queue(String prefix, String capacity, Random random) {
    whole.put(prefix + "capacity", capacity);
    String[][] settings = {{"maximum-capacity", "15"}, {"maximum-capacity", "40"},
        {"maximum-allocation-mb", "4096"}, {"maximum-allocation-mb", "1000000"}, {"state", "STOPPED"},
        {"user-limit-factor", "x"}, {"minimum-user-limit-percent", "25"}, {"reservable", "true"},
        {"user-settings.joe.weight", "1.5"}, {"user-settings.joe.weight", "500"},
        {"default-node-label-expression", "gpu"}, {"priority", "3"}, {"ordering-policy", "fair"},
        {"ordering-policy", "none"}};
    if (random.nextInt(4) == 0) {
      String[] setting = settings[random.nextInt(settings.length)];
      whole.put(prefix + setting[0], setting[1]);
    }
  }
}
