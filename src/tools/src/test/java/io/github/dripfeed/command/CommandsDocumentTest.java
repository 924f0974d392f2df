// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page about the commands agrees with the commands. */
class CommandsDocumentTest {

  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]+");
  private static final Pattern SAMPLE =
      Pattern.compile("^```\\n(.*?)\\n```", Pattern.MULTILINE | Pattern.DOTALL);

  /** Options of {@code check} are in operations.md. */
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
    assertThat(samples).hasSize(6).allSatisfy(sample -> {
      Pattern lines = Pattern.compile(sample.lines()
          .map(line -> Pattern.quote(line.replaceFirst(" *\\.\\.\\.$", ""))
              + (line.endsWith("...") ? "(?s:.*?)" : ""))
          .collect(Collectors.joining("\n")));
      assertThat(printed).anyMatch(golden -> lines.matcher(golden).find());
    });
  }
}
