// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.commons.io.FileUtils;
import org.apache.log4j.PropertyConfigurator;

/**
 * Real applications on a YARN cluster in this process, and what Dripfeed does for them. Exits with 0 only
 * if every claim was observed.
 */
public final class Demo {

  private static final Path FOLDER = Path.of("target", "demo").toAbsolutePath();
  private static final Path CLUSTER_LOG = FOLDER.resolve("cluster.log");
  private static final Map<String, Scenario> SCENARIOS = new TreeMap<>(Map.of(
      "deadlock", new DeadlockScenario(),
      "fair", new FairScenario(),
      "priority", new PriorityScenario(),
      "tenants", new TenantsScenario()));

  private Demo() {
  }

  /** @param args the scenario: {@code deadlock}, {@code fair}, {@code priority} or {@code tenants} */
  public static void main(String[] args) throws Exception {
    if (args.length != 1 || !SCENARIOS.containsKey(args[0])) {
      System.err.println("No such demo: " + String.join(" ", args) + "; there are: "
          + String.join(", ", SCENARIOS.keySet()));
      System.exit(2);
    }
    FileUtils.deleteDirectory(FOLDER.toFile());
    sendLogsToFile();
    int exit = 1;
    try (Screen screen = Screen.open()) {
      exit = run(SCENARIOS.get(args[0]), screen) ? 0 : 1;
    } catch (Exception e) {
      System.err.println("The demo broke off; the cluster's log is " + CLUSTER_LOG);
      e.printStackTrace();
    }
    // Does not stop the cluster normally: all containers are gone, and a stop takes seconds.
    Runtime.getRuntime().halt(exit);
  }

  private static boolean run(Scenario scenario, Screen screen) throws Exception {
    screen.say("The log of the cluster: " + seenFromHere(CLUSTER_LOG));
    Findings findings = scenario.run(FOLDER, screen);
    screen.say("");
    findings.lines().forEach(screen::say);
    screen.say("");
    screen.say("The whole course as a picture: " + seenFromHere(new Report(FOLDER).write(findings)));
    return findings.isObserved();
  }

  private static Path seenFromHere(Path file) {
    return Path.of("").toAbsolutePath().relativize(file);
  }

  /** The demo owns the terminal, but Jersey and Guice bypass log4j. */
  private static void sendLogsToFile() {
    System.setProperty("demo.log", CLUSTER_LOG.toString());
    PropertyConfigurator.configure(Demo.class.getResource("log4j-demo.properties"));
    Logger.getLogger("").setLevel(Level.OFF);
  }
}
