// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The command that starts a {@link SparkLikeDriver} with the Java and the classes of this process. */
public final class DriverCommand {

  private DriverCommand() {
  }

  /**
   * The command of the container.
   *
   * @param folder the folder for a file that the command reads
   * @param configuration the folder with which the driver finds its cluster
   */
  public static String of(Burst.Shape shape, Path folder, Path configuration) throws IOException {
    Path arguments = writeJavaArguments(folder, configuration);
    return String.join(" ", "exec", quoted(java()), "@" + quoted(arguments.toString()),
        SparkLikeDriver.class.getName(), "" + shape.startSeconds(), "" + shape.executors(),
        "" + shape.executorMb(), "" + shape.workSeconds(),
        "1>" + quoted("<LOG_DIR>/stdout"), "2>" + quoted("<LOG_DIR>/stderr"));
  }

  /** The Java executable of this process. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The test runner hides the class path in the manifest of a jar and names it in a property. */
  public static String classpath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Uses a file, because the class path is too long for a command line; a small heap and a quick start. */
  private static Path writeJavaArguments(Path folder, Path configuration) throws IOException {
    Path file = folder.resolve("driver.args");
    String classpath = configuration + File.pathSeparator + classpath();
    Path written = Files.write(Files.createTempFile(folder, "driver", ".args"), List.of("-Xmx64m",
        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
        "-classpath", '"' + classpath.replace("\\", "\\\\") + '"'), UTF_8);
    // As a whole: a driver may read it now.
    return Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** YARN puts the command between double quotes. */
  private static String quoted(String word) {
    return "'" + word + "'";
  }
}
