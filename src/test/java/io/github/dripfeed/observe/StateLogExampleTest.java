/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.logging.log4j.core.LoggerContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example for log4j 2, in log4j 2; that for log4j 1 is in {@code ResourceManagerProcessIT}. */
class StateLogExampleTest {

  @Test
  void stateLogHasItsOwnFile(@TempDir Path folder) throws Exception {
    String before = System.setProperty("yarn.log.dir", folder.toString());
    LoggerContext context =
        new LoggerContext("example", null, Path.of("conf-examples/log4j/log4j2.properties").toUri());
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
    assertThat(Files.readAllLines(folder.resolve("dripfeed-state.log"))).singleElement().asString()
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d,\\d{3} it starts");
  }
}
