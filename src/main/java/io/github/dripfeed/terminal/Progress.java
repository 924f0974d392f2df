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

import java.util.concurrent.TimeUnit;

/** A line on the terminal as long as something takes more than a second. In a file nothing. */
public final class Progress implements AutoCloseable {

  private final Terminal terminal;
  private final Thread thread;

  /** @param what what is being done; shown until {@link #close} */
  public Progress(Terminal terminal, String what) {
    this.terminal = terminal;
    thread = new Thread(() -> show(Text.safe(what)), "progress");
    thread.setDaemon(true);
    if (terminal.showsProgress()) {
      thread.start();
    }
  }

  private void show(String what) {
    int seconds = 0;
    try {
      while (true) {
        TimeUnit.SECONDS.sleep(1);
        seconds++;
        terminal.err().print("\r" + Text.cut(what + " ... " + seconds + " s", terminal.width() - 1));
        terminal.err().flush();
      }
    } catch (InterruptedException e) {
      if (seconds > 0) {
        terminal.err().print("\r" + Text.blanks(terminal.width() - 1) + "\r");
        terminal.err().flush();
      }
    }
  }

  @Override
  public void close() {
    if (terminal.showsProgress()) {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
