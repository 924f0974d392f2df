// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

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
    if (terminal.errorsLive) {
      thread.start();
    }
  }

  private void show(String what) {
    int seconds = 0;
    try {
      while (true) {
        TimeUnit.SECONDS.sleep(1);
        seconds++;
        print(Text.cut(what + " ... " + seconds + " s", terminal.width() - 1));
      }
    } catch (InterruptedException e) {
      if (seconds > 0) {
        print(Text.pad("", terminal.width() - 1, false) + "\r");
      }
    }
  }

  private void print(String text) {
    terminal.err().print("\r" + text);
    terminal.err().flush();
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
