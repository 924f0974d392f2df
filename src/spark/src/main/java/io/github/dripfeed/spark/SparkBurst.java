/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
