/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.commons.io.FileUtils;
import org.apache.log4j.PropertyConfigurator;

/**
 * The same burst of Spark-like applications in a stock queue and in a state-aware one, on a YARN
 * cluster in this process. Exits with 0 only if the deadlock of the one and the success of the other
 * were observed.
 */
public final class Demo {

  private static final Path FOLDER = Path.of("target", "demo").toAbsolutePath();
  private static final Path CLUSTER_LOG = FOLDER.resolve("cluster.log");
  /** Eight drivers of 512 MB are all that a queue of 4 GB holds. */
  private static final Burst.Shape SHAPE = new Burst.Shape(8, 512, 5, 2, 512, 4);

  private Demo() {
  }

  /** @param args the scenario: {@code deadlock} */
  public static void main(String[] args) throws Exception {
    if (args.length != 1 || !args[0].equals("deadlock")) {
      System.err.println("No such demo: " + String.join(" ", args) + "; there is: deadlock");
      System.exit(2);
    }
    FileUtils.deleteDirectory(FOLDER.toFile());
    sendLogsToFile();
    int exit = 1;
    try (Screen screen = Screen.open()) {
      exit = run(screen) ? 0 : 1;
    } catch (Exception e) {
      System.err.println("The demo broke off; the cluster's log is " + CLUSTER_LOG);
      e.printStackTrace();
    }
    // Not through the cluster's own stop: all containers are gone, and it would take half a minute.
    Runtime.getRuntime().halt(exit);
  }

  private static boolean run(Screen screen) throws Exception {
    screen.say("Starting a YARN cluster of " + DemoCluster.MEMORY_MB + " MB: half for a queue with"
        + " stock fifo,\nhalf for one with Dripfeed. Its log: " + seenFromHere(CLUSTER_LOG));
    DemoCluster cluster = DemoCluster.start(DemoCluster.examples(), FOLDER);
    Half stock = new Half("stock fifo", "root.stock");
    Half dripfed = new Half("Dripfeed", "root.dripfed");
    for (Half half : List.of(stock, dripfed)) {
      screen.say("");
      screen.say(half.title() + ": " + SHAPE.applications() + " applications at once in "
          + half.queue() + ",\neach with a driver of " + SHAPE.driverMb() + " MB and "
          + SHAPE.executors() + " executors of " + SHAPE.executorMb() + " MB");
      half.run(cluster, SHAPE, screen);
    }
    screen.say("");
    Summary summary = new Summary(stock, dripfed);
    summary.lines().forEach(screen::say);
    screen.say("");
    screen.say("The whole course as a picture: " + seenFromHere(new Report(FOLDER).write(summary)));
    return summary.isObserved();
  }

  private static Path seenFromHere(Path file) {
    return Path.of("").toAbsolutePath().relativize(file);
  }

  /** The terminal is the demo's; Jersey and Guice log past log4j. */
  private static void sendLogsToFile() {
    System.setProperty("demo.log", CLUSTER_LOG.toString());
    PropertyConfigurator.configure(Demo.class.getResource("log4j-demo.properties"));
    Logger.getLogger("").setLevel(Level.OFF);
  }
}
