// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

/** The phase of an application as a person sees it. */
enum Phase {
  ACCEPTED, STARTING, RUNNING, SUCCEEDED, FAILED, KILLED;

  boolean isEnd() {
    return compareTo(RUNNING) > 0;
  }

  String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
