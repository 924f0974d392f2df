// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Silences the log until its end: YARN logs several lines for each queue, to the terminal of the one who
 * runs a check. What Hadoop warns of while it reads the files stays, such as a property that is ignored
 * since another file makes it final. It calls Log4j, which Hadoop brings, by reflection: without it the log
 * is left as it is.
 */
final class QuietLogs {

  private static final String READING = "org.apache.hadoop.conf.Configuration";

  /** The loggers that are changed, with their levels before: null where a logger had none of its own. */
  private final Map<Object, Object> before = new LinkedHashMap<>();

  QuietLogs() {
    try {
      Class<?> manager = Class.forName("org.apache.log4j.LogManager");
      Object reading = manager.getMethod("getLogger", String.class).invoke(null, READING);
      Object level = reading.getClass().getMethod("getEffectiveLevel").invoke(reading);
      Object warn = level("WARN");
      boolean isLess = (boolean) method(warn, "isGreaterOrEqual").invoke(warn, level);
      silence(reading, isLess ? warn : level);
      silence(manager.getMethod("getRootLogger").invoke(null), level("OFF"));
    } catch (ReflectiveOperationException | LinkageError e) {
      end();
    }
  }

  private void silence(Object logger, Object level) throws ReflectiveOperationException {
    Object now = logger.getClass().getMethod("getLevel").invoke(logger);
    before.put(logger, now);
    method(logger, "setLevel").invoke(logger, level);
  }

  private static Object level(String name) throws ReflectiveOperationException {
    return Class.forName("org.apache.log4j.Level").getField(name).get(null);
  }

  /** The public method of this name, which has one parameter. */
  private static Method method(Object target, String name) throws NoSuchMethodException {
    for (Method method : target.getClass().getMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == 1) {
        return method;
      }
    }
    throw new NoSuchMethodException(name);
  }

  /** Sets the log back. */
  void end() {
    try {
      for (Map.Entry<Object, Object> changed : before.entrySet()) {
        method(changed.getKey(), "setLevel").invoke(changed.getKey(), changed.getValue());
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      before.clear();
    }
  }
}
