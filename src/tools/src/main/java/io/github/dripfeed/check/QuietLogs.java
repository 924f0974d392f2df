// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import org.apache.log4j.Level;
import org.apache.log4j.LogManager;

/**
 * Keeps what Hadoop logs below a level from the terminal of the one who runs a check, until it is closed.
 * Without Log4j, which Hadoop brings, the log is left as it is.
 */
final class QuietLogs implements AutoCloseable {

  private Level before;

  QuietLogs(String least) {
    try {
      before = LogManager.getLoggerRepository().getThreshold();
      Level level = Level.toLevel(least);
      set(level.toInt() > before.toInt() ? level : before);
    } catch (LinkageError e) {
      before = null;
    }
  }

  private static void set(Level threshold) {
    LogManager.getLoggerRepository().setThreshold(threshold);
  }

  @Override
  public void close() {
    if (before != null) {
      set(before);
    }
  }
}
