// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The settings that hold no application, and the number of applications that policies in this process
 * received.
 *
 * <p>Every application of Hadoop's tests has an exempt type. Some tests submit artificial applications to
 * a queue. The ResourceManager does not know these, and so they have no type: for them the slots are
 * unlimited.
 */
final class Hold {

  private static final String TYPES_IN_TESTS = "YARN,Test";
  private static final AtomicInteger APPLICATIONS = new AtomicInteger();

  private Hold() {
  }

  static Map<String, String> nobody(Map<String, String> conf) {
    Map<String, String> all = new HashMap<>(conf);
    all.put("state-aware.exempt-application-types", TYPES_IN_TESTS);
    all.put("state-aware.max-starting", String.valueOf(Integer.MAX_VALUE));
    return all;
  }

  /** A new application; those that a refresh hands to another policy were counted before. */
  static void countApplication() {
    APPLICATIONS.incrementAndGet();
  }

  static int applications() {
    return APPLICATIONS.get();
  }
}
