// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A Spark application whose tasks take time and nothing else. */
public final class SparkJob {

  private SparkJob() {
  }

  /**
   * @param args the number of tasks, how many seconds each takes, and, if there is a third one, a file:
   *     until it exists, the driver requests no executors
   */
  public static void main(String[] args) throws InterruptedException {
    int tasks = Integer.parseInt(args[0]);
    long millis = Integer.parseInt(args[1]) * 1000L;
    if (args.length > 2) {
      await(Paths.get(args[2]));
    }
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      numbers.add(i);
    }
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      long done = spark.parallelize(numbers, tasks).map(number -> {
        Thread.sleep(millis);
        return number;
      }).count();
      if (done != tasks) {
        throw new IllegalStateException(done + " tasks of " + tasks);
      }
    }
  }

  private static void await(Path file) throws InterruptedException {
    while (!Files.exists(file)) {
      Thread.sleep(100);
    }
  }
}
