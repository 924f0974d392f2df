// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.spark;

import org.apache.spark.deploy.SparkSubmit;

/**
 * Runs {@code spark-submit} several times in one process, one after the other: most of the work of a
 * submission is to start its JVM.
 */
public final class SparkBurst {

  private SparkBurst() {
  }

  /**
   * @param args how many times, and the arguments of {@code spark-submit}, in which {@code {number}} is
   *     replaced by 1, 2, and so on
   */
  public static void main(String[] args) {
    int count = Integer.parseInt(args[0]);
    for (int i = 1; i <= count; i++) {
      String[] arguments = new String[args.length - 1];
      for (int a = 0; a < arguments.length; a++) {
        arguments[a] = args[a + 1].replace("{number}", Integer.toString(i));
      }
      SparkSubmit.main(arguments);
    }
  }
}
