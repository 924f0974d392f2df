// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

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
