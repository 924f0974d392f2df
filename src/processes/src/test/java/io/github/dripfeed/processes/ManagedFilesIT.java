// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A ResourceManager process whose files a manager owns, see docs/distributions.md: versions of the
 * distribution in folders of their own behind a link, and a new folder of settings for each start.
 */
@Tag("slow")
class ManagedFilesIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final String OURS = ProcessCluster.POLICY + ".state-aware.";

  @Test
  void upgradedDistributionLacksTheJar() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("managed-upgrade"), Map.of())) {
      Path parcels = cluster.folder().resolve("parcels");
      copyJarTo(activate(parcels, "CDH-1"));
      cluster.install(nextStart(cluster, parcels));
      cluster.startResourceManager();
      awaitQueue(cluster);
      cluster.killResourceManager();

      Path lib = activate(parcels, "CDH-2");
      cluster.install(nextStart(cluster, parcels));
      Process failing = cluster.launchResourceManager();
      assertThat(failing.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
      assertThat(failing.exitValue()).isNotZero();
      assertThat(Files.readString(cluster.resourceManagerLog()))
          .contains("Error starting ResourceManager", "ClassNotFoundException", "io.github.dripfeed");

      copyJarTo(lib);
      cluster.install(nextStart(cluster, parcels));
      cluster.startResourceManager();
      awaitQueue(cluster);
    }
  }

  /** What Ambari's view of the queues writes has no property that the view does not know. */
  @Test
  void queueWhosePropertiesWereDroppedGoesOnWithDefaults() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("managed-properties"), Map.of())) {
      cluster.editScheduler(OURS + "max-starting", "3");
      cluster.startResourceManager();
      Eventually.is("the page shows it", () -> cluster.rest().page().contains("max-starting=3"));

      Map<String, String> written = cluster.scheduler();
      written.keySet().removeIf(property -> property.startsWith(OURS));
      cluster.write("capacity-scheduler.xml", written);
      Map.Entry<Integer, String> refresh = cluster.refreshQueues();
      assertThat(refresh.getKey()).as(refresh.getValue()).isZero();
      assertThat(cluster.rest().page()).contains("StateAwareOrderingPolicy").doesNotContain("max-starting");
    }
  }

  /** Points the link to the folder of this version, as its activation does; returns the folder for jars. */
  private static Path activate(Path parcels, String version) throws IOException {
    Path lib = Files.createDirectories(parcels.resolve(version).resolve("lib/hadoop-yarn/lib"));
    Files.deleteIfExists(parcels.resolve("CDH"));
    Files.createSymbolicLink(parcels.resolve("CDH"), parcels.resolve(version));
    return lib;
  }

  private static void copyJarTo(Path lib) throws IOException {
    Files.copy(Installation.packagedJar(), lib.resolve("dripfeed-yarn.jar"));
  }

  /** The software behind the link, with the settings in a folder that is new. */
  private static Installation nextStart(ProcessCluster cluster, Path parcels) throws IOException {
    Path settings = Files.createTempDirectory(cluster.folder(), "yarn-RESOURCEMANAGER");
    FileUtils.copyDirectory(cluster.configuration().toFile(), settings.toFile());
    return new Installation(settings).withJarsOf(parcels.resolve("CDH/lib/hadoop-yarn/lib"));
  }

  private static void awaitQueue(ProcessCluster cluster) throws Exception {
    Eventually.is("the page shows the policy", () ->
        cluster.rest().page().contains("StateAwareOrderingPolicy"));
  }
}
