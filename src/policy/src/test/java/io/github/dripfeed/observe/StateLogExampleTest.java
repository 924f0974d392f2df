// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example for log4j 2, in log4j 2; that for log4j 1 is in {@code ResourceManagerProcessIT}. */
class StateLogExampleTest {

  private static final Path EXAMPLE = Path.of("conf-examples/log4j/log4j2.properties");

  @TempDir
  Path folder;

  @Test
  void stateLogHasItsOwnFile() throws Exception {
    logWith(EXAMPLE);
    assertThat(Files.readAllLines(folder.resolve("dripfeed-state.log"))).singleElement().asString()
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d,\\d{3} it starts");
  }

  /** With such a list log4j refuses what the list does not name: the example says so. */
  @ParameterizedTest
  @ValueSource(strings = {"appenders", "loggers"})
  void whereNamesAreListedTheStateLogHasToBeAmongThem(String list) throws Exception {
    String file = list + " = console%s\nappender.console.type = Console\nappender.console.name = console\n"
        + "logger.console.name = org.apache.hadoop\nlogger.console.level = warn\n";
    assertThatThrownBy(() -> logWith(appendedTo(String.format(file, ""))))
        .isInstanceOf(ConfigurationException.class).hasMessageContaining("No type attribute provided");
    assertThat(folder.resolve("dripfeed-state.log")).doesNotExist();
    logWith(appendedTo(String.format(file, ", dripfeed")));
    assertThat(Files.readAllLines(folder.resolve("dripfeed-state.log"))).hasSize(1);
    assertThat(Files.readString(EXAMPLE)).contains("\"appenders = ...\" or \"loggers = ...\"");
  }

  private Path appendedTo(String file) throws Exception {
    return Files.writeString(folder.resolve("log4j2.properties"), file + Files.readString(EXAMPLE));
  }

  private void logWith(Path configuration) {
    String before = System.setProperty("yarn.log.dir", folder.toString());
    LoggerContext context = new LoggerContext("example", null, configuration.toUri());
    try {
      context.start();
      context.getLogger("io.github.dripfeed.StateLog").info("it starts");
      context.getLogger("io.github.dripfeed.StateLog").debug("nobody asked for this");
      context.getLogger("io.github.dripfeed.runtime.Monitor").error("this is in the other log");
    } finally {
      context.stop();
      if (before == null) {
        System.clearProperty("yarn.log.dir");
      } else {
        System.setProperty("yarn.log.dir", before);
      }
    }
  }
}
