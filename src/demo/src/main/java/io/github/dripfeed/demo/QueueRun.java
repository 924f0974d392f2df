// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

/** The observations of one queue, from the first submission to the end. */
interface QueueRun {

  String title();

  /** The result, in a sentence. */
  String verdict();

  /** Whether the result is the desired one. */
  boolean isGood();

  Recording recording();
}
