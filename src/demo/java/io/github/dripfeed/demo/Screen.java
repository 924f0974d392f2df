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

import java.io.IOException;

/** Where the demo shows what happens. */
public interface Screen extends AutoCloseable {

  /** A terminal gets a live table, anything else a line per change. */
  static Screen open() throws IOException {
    return System.console() == null ? new PlainScreen(System.out) : new LiveScreen();
  }

  /** A line that stays. */
  void say(String line);

  /** The burst as it stands. */
  void show(String queue, Recording recording);

  /** The burst is over; what is shown of it stays. */
  void endOfBurst();

  @Override
  void close() throws IOException;
}
