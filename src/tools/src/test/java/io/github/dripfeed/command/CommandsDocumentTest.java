// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page about the commands agrees with the commands. */
class CommandsDocumentTest {

  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]+");

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
}
