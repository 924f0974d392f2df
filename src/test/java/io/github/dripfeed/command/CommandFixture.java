/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
