// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Commands at a ResourceManager that serves what they read. */
abstract class CommandFixture {

  FakeResourceManager rm;

  @BeforeEach
  final void start() throws Exception {
    rm = new FakeResourceManager();
  }

  @AfterEach
  final void stop() {
    rm.close();
  }

  final Output run(String... call) {
    return Output.of(rm.call(call));
  }

  /** What the command, whose words blanks separate, prints: with a blank for each end of line. */
  final String oneLine(String call) {
    return run(call.split(" ")).out().replaceAll("\\s+", " ");
  }
}
