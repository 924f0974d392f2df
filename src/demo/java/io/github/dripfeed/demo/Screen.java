// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import io.github.dripfeed.terminal.Terminal;
import java.io.IOException;

/** Shows the progress of the demo. */
public interface Screen extends AutoCloseable {

  /** A live table for a terminal, a line per change for anything else. */
  static Screen open() throws IOException {
    return Terminal.isTerminal() ? new LiveScreen() : new PlainScreen(System.out);
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
