// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.io.IOException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Shows the progress of the demo. */
public interface Screen extends AutoCloseable {

  /** A live table for a terminal, a line per change for anything else. */
  static Screen open() throws IOException {
    Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build();
    if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
      terminal.close();
      return new PlainScreen(System.out);
    }
    return new LiveScreen(terminal);
  }

  /** Prints a line that stays. */
  void say(String line);

  /** Shows the current state of the burst. */
  void show(String queue, Recording recording);

  /** The burst has ended; its output stays. */
  void endOfBurst();

  @Override
  void close() throws IOException;
}
