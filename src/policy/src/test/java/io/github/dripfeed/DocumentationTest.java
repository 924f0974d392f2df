// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.config.PolicyProperty;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The operator documentation agrees with the code. */
class DocumentationTest {

  private static final Pattern ROW = Pattern.compile("^\\| `([a-z.-]+)` \\| (?:`([^`]*)`|empty)[^|]* \\|",
      Pattern.MULTILINE);

  @ParameterizedTest
  @EnumSource
  void configurationNamesThePropertyWithItsDefault(PolicyProperty property) throws Exception {
    Map<String, String> rows = new HashMap<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("docs", "configuration.md")));
    while (row.find()) {
      rows.put(row.group(1), row.group(2) == null ? "" : row.group(2));
    }
    assertThat(rows).containsEntry(property.key(), property.defaultValue());
    assertThat(rows).hasSameSizeAs(PolicyProperty.values());
  }

  @Test
  void theExampleShowsDefaultsAndTheSettingForMostQueues() {
    String prefix = "yarn.scheduler.capacity.root.dripfed.ordering-policy." + PolicyProperty.PREFIX;
    Map<String, String> shown = example("capacity-scheduler.xml").getPropsWithPrefix(prefix);
    assertThat(shown).as("those with a value").hasSize(12);
    assertThat(shown.remove(PolicyProperty.MAX_STARTING.key())).isEqualTo(PolicyProperty.AUTO);
    assertThat(shown.remove(PolicyProperty.TAKE_BACK.key())).isEqualTo(PolicyProperty.ON);
    shown.forEach((name, value) ->
        assertThat(PolicyProperty.named(name).defaultValue()).as(name).isEqualTo(value));
  }

  @ParameterizedTest
  @EnumSource
  void anExampleExplainsTheProperty(PolicyProperty property) throws Exception {
    try (Stream<Path> files = Files.walk(Path.of("conf-examples"))) {
      assertThat(files.filter(file -> file.endsWith("capacity-scheduler.xml"))).anySatisfy(file ->
          assertThat(Files.readString(file)).as("right below a comment").containsPattern("-->\\s*<property>"
              + "\\s*<name>\\S*" + Pattern.quote(PolicyProperty.PREFIX + property.key() + "<")));
    }
  }

  /** Who merges an example gets no preemption between queues that was not there before. */
  @Test
  void noExampleSwitchesOnPreemptionBetweenQueues() {
    assertThat(example("yarn-site.xml").get(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS)).isNull();
    assertThat(example("yarn-site-reclaim.xml")).isEmpty();
    String reclaim = ReclaimPolicy.class.getName();
    assertThat(Path.of("conf-examples", "yarn-site-reclaim.xml")).content().contains(
        YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES,
        ">" + reclaim, ProportionalCapacityPreemptionPolicy.class.getName() + "," + reclaim);
  }

  @Test
  void theExampleLeavesTheStockQueueItsAmLimit() {
    assertThat(example("capacity-scheduler.xml").getPropsWithPrefix("yarn.scheduler.capacity.root.stock."))
        .containsKey("capacity").doesNotContainKey("maximum-am-resource-percent");
  }

  /** {@code docs/demo.svg} is the file {@code timeline.svg} of a demo. */
  @Test
  void theTextForThePictureHasItsTimes() throws Exception {
    String[] parts = Files.readString(Path.of("docs", "demo.svg")).split("<g ");
    assertThat(Path.of("README.md")).content().contains(
        "one at a time: all finish after " + end(parts[2]), "auto: all finish after " + end(parts[3]));
  }

  private static String end(String part) {
    double[] ticks = Pattern.compile("class=\"grid\" x1=\"([\\d.]+)").matcher(part).results()
        .mapToDouble(tick -> Double.parseDouble(tick.group(1))).toArray();
    double end = Pattern.compile("<rect [^>]* x=\"([\\d.]+)\" [^>]*width=\"([\\d.]+)\"[^>]*><title>")
        .matcher(part).results()
        .mapToDouble(bar -> Double.parseDouble(bar.group(1)) + Double.parseDouble(bar.group(2))).max()
        .orElseThrow();
    return Math.round(10 * (end - ticks[0]) / (ticks[1] - ticks[0])) + " s";
  }

  private static Configuration example(String file) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path("conf-examples", file));
    return conf;
  }
}
