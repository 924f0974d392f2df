// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.command.Commands;
import io.github.dripfeed.config.PolicyProperty;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator documentation agrees with the code. */
class DocumentationTest {

  private static final Pattern ROW = Pattern.compile("^\\| `([a-z.-]+)` \\| (?:`([^`]*)`|empty) \\|",
      Pattern.MULTILINE);
  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]+");

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
    assertThat(shown).as("those with a value").hasSize(13);
    assertThat(shown.remove(PolicyProperty.PARALLEL_START.key())).isEqualTo(PolicyProperty.HEADROOM);
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

  /** Options of {@code check} are in operations.md. */
  @ParameterizedTest
  @ValueSource(strings = {"status", "events", "explain", "what-if", "view"})
  void theDocumentNamesEachOptionOfTheCommand(String command) throws Exception {
    ByteArrayOutputStream help = new ByteArrayOutputStream();
    assertThat(Commands.run(new String[] {command, "--help"}, new PrintStream(help), System.err)).isZero();
    String document = Files.readString(Path.of("docs", "commands.md"));
    assertThat(OPTION.matcher(help.toString()).results().map(MatchResult::group)).contains("--rm")
        .allSatisfy(option -> assertThat(document).containsPattern(option + "\\b"));
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
