/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {

  @Test
  void environmentMayForbidColours() {
    assertThat(Terminal.allowsColours(Map.of("TERM", "xterm"))).isTrue();
    assertThat(Terminal.allowsColours(Map.of())).isTrue();
    assertThat(Terminal.allowsColours(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isFalse();
    assertThat(Terminal.allowsColours(Map.of("NO_COLOR", "0"))).as("any value").isFalse();
    assertThat(Terminal.allowsColours(Map.of("NO_COLOR", ""))).as("an empty one is none").isTrue();
    assertThat(Terminal.allowsColours(Map.of("TERM", "dumb"))).isFalse();
  }
}
