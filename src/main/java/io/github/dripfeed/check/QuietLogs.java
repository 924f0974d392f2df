/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.check;

/**
 * Silences the log until its end: YARN logs several lines for each queue, to the terminal of the one who
 * runs a check. It calls Log4j, which Hadoop brings, by reflection: without it the log is left as it is.
 */
final class QuietLogs {

  private Object logger;
  private Object before;

  QuietLogs() {
    try {
      Class<?> level = Class.forName("org.apache.log4j.Level");
      logger = Class.forName("org.apache.log4j.LogManager").getMethod("getRootLogger").invoke(null);
      before = logger.getClass().getMethod("getLevel").invoke(logger);
      set(level.getField("OFF").get(null));
    } catch (ReflectiveOperationException | LinkageError e) {
      logger = null;
    }
  }

  private void set(Object level) throws ReflectiveOperationException {
    logger.getClass().getMethod("setLevel", Class.forName("org.apache.log4j.Level"))
        .invoke(logger, level);
  }

  /** Sets the log back. */
  void end() {
    if (logger != null && before != null) {
      try {
        set(before);
      } catch (ReflectiveOperationException e) {
        logger = null;
      }
    }
  }
}
