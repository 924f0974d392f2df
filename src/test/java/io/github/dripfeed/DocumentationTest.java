/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.config.PolicyProperty;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The operator documentation agrees with the code. */
class DocumentationTest {

  private static final Pattern ROW = Pattern.compile("^\\| `([a-z.-]+)` \\| (?:`([^`]*)`|empty) \\|",
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
    Configuration example = new Configuration(false);
    example.addResource(new org.apache.hadoop.fs.Path("conf-examples/capacity-scheduler.xml"));
    String prefix = "yarn.scheduler.capacity.root.dripfed.ordering-policy." + PolicyProperty.PREFIX;
    Map<String, String> shown = example.getPropsWithPrefix(prefix);
    assertThat(shown).hasSize(8);
    assertThat(shown.remove(PolicyProperty.PARALLEL_START.key())).isEqualTo(PolicyProperty.HEADROOM);
    shown.forEach((name, value) ->
        assertThat(PolicyProperty.named(name).defaultValue()).as(name).isEqualTo(value));
  }

  /** Who merges the example keeps the preemption between queues that YARN has by default. */
  @Test
  void theExampleForReclaimKeepsYarnsOwnPreemption() {
    String policies = YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES;
    Configuration example = new Configuration(false);
    example.addResource(new org.apache.hadoop.fs.Path("conf-examples/yarn-site.xml"));
    assertThat(example.get(policies))
        .isEqualTo(new YarnConfiguration().get(policies) + "," + ReclaimPolicy.class.getName());
  }
}
