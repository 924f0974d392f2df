/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
