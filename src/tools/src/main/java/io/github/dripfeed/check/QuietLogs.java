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

  void showFrom(String level) {
    try {
      before = before == null ? LogManager.getLoggerRepository().getThreshold() : before;
      if (Level.toLevel(level).isGreaterOrEqual(before)) {
        LogManager.getLoggerRepository().setThreshold(Level.toLevel(level));
      }
    } catch (LinkageError e) {
      before = null;
    }
  }

  @Override
  public void close() {
    if (before != null) {
      LogManager.getLoggerRepository().setThreshold(before);
    }
  }
}
