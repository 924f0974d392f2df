// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page about the commands agrees with the commands. */
class CommandsDocumentTest {

  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]+");
  private static final Pattern SAMPLE =
      Pattern.compile("^```\\n(.*?)\\n```", Pattern.MULTILINE | Pattern.DOTALL);

  /** Those of {@code check} that need a word are in operations.md. */
  @ParameterizedTest
  @ValueSource(strings = {"diagnose", "status", "events", "explain", "view", "off"})
  void theDocumentNamesEachOptionOfTheCommand(String command) throws Exception {
    ByteArrayOutputStream help = new ByteArrayOutputStream();
    assertThat(Commands.run(new String[] {command, "--help"}, new PrintStream(help), System.err)).isZero();
    String document = Files.readString(Path.of("docs", "commands.md"));
    assertThat(OPTION.matcher(help.toString()).results().map(MatchResult::group)).contains("--rm")
        .allSatisfy(option -> assertThat(document).containsPattern(option + "\\b"));
  }

  /** They are in the golden files, but for colours and for what three dots stand for. */
  @Test
  void samplesAreWhatTheCommandsPrint() throws Exception {
    List<String> printed = new ArrayList<>();
    try (DirectoryStream<Path> goldens =
        Files.newDirectoryStream(Path.of("src/tools/src/test/resources/golden"), "*.txt")) {
      for (Path golden : goldens) {
        printed.add(Files.readString(golden).replaceAll("<ESC>\\[\\d*m", ""));
      }
    }
    List<String> samples = SAMPLE.matcher(Files.readString(Path.of("docs", "commands.md"))).results()
        .map(sample -> sample.group(1)).toList();
    assertThat(samples).hasSize(7).allSatisfy(sample -> {
      Pattern lines = Pattern.compile(sample.lines()
          .map(line -> Pattern.quote(line.replaceFirst(" *\\.\\.\\.$", ""))
              + (line.endsWith("...") ? "(?s:.*?)" : ""))
          .collect(Collectors.joining("\n")));
      assertThat(printed).anyMatch(golden -> lines.matcher(golden).find());
    });
  }

  @Test
  void sampleOfCheckIsWhatItPrints(@TempDir Path folder) throws Exception {
    Configuration queues = new Configuration(false);
    String batch = "yarn.scheduler.capacity.root.batch.";
    Map.of("yarn.scheduler.capacity.root.queues", "batch,default", batch + "capacity", "50",
        "yarn.scheduler.capacity.root.default.capacity", "50", batch + "maximum-am-resource-percent", "1.0",
        batch + "ordering-policy", "io.github.dripfeed.StateAwareOrderingPolicy",
        batch + "ordering-policy.state-aware.max-starting", "auto").forEach(queues::set);
    Path file = folder.resolve("capacity-scheduler.xml");
    Files.writeString(file, xml(queues));
    Path site = Files.writeString(folder.resolve("yarn-site.xml"), xml(new Configuration(false)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Commands.run(
        new String[] {"check", file.toString(), site.toString()}, new PrintStream(out), System.err);
    assertThat(Path.of("docs", "install.md")).content().contains("```\n" + out + "```");
  }

  private static String xml(Configuration conf) throws IOException {
    StringWriter xml = new StringWriter();
    conf.writeXml(xml);
    return xml.toString();
  }
}
