// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import io.github.dripfeed.fixture.Browser;
import io.github.dripfeed.fixture.Eventually;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The pictures of the documents: a burst in a queue as recommended, on a ResourceManager process.
 * {@code ./mvnw -Pit verify -Dit.test=PicturesIT -Dpictures=docs/pictures} takes them anew.
 */
@EnabledIfSystemProperty(named = "pictures", matches = ".+")
class PicturesIT {

  private static final Path FOLDER = Path.of(System.getProperty("processes.folder"));
  private static final Pattern MIXED =
      Pattern.compile("[3-9] accepted, [1-9] starting, [2-9] running.*waits for room", Pattern.DOTALL);

  @Test
  void pagesDuringABurst() throws Exception {
    Browser.require("the pictures of the documents");
    Path pictures = Files.createDirectories(Path.of(System.getProperty("pictures")));
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("pictures"), Map.of())) {
      cluster.useScheduler(ProcessCluster.EXAMPLES.resolve("capacity-scheduler.xml"));
      cluster.startResourceManager();
      cluster.startNodes(2, 4096);
      String[] users = {"ann", "bob", "eve"};
      for (int i = 0; i < 14; i++) {
        cluster.rest().as(users[i % users.length]).submit("etl-" + (i + 1), "dripfed",
            ProcessCluster.DRIVER_MEMORY, cluster.driver(8, 2, 20 + 5 * (i % 4)));
      }
      Eventually.patiently("some have ended, and others start",
          () -> cluster.rest().get("metrics").at("/clusterMetrics/appsCompleted").asInt() > 2
          && MIXED.matcher(cluster.rest().page()).find());
      Browser browser = new Browser(Files.createDirectories(cluster.folder().resolve("browser")));
      File output = cluster.logOf("view");
      Process view = CommandsProcessIT.startView(cluster, output, "dripfed");
      try {
        browser.open(CommandsProcessIT.addressOf(view, output), 1400);
        Eventually.is("the queue is shown", () -> browser.text().contains("In line"), browser::text);
        take(browser, new Rectangle(0, 0, 1400, 640), pictures.resolve("view.png"));
        CommandsProcessIT.openScheduler(cluster, browser);
        // Opening takes its time, and is drawn meanwhile.
        Eventually.is("the tree is open", () -> browser.value(
            "document.getElementById('cs-wrapper').offsetHeight > 600").asBoolean(), browser::text);
        browser.value("scrollTo(200, 0)");
        take(browser, new Rectangle(40, 470, 1440, 385), pictures.resolve("scheduler.png"));
      } finally {
        browser.end();
        Installation.stop(view);
      }
    }
  }

  /** Writes a part of the window. */
  private static void take(Browser browser, Rectangle part, Path file) throws Exception {
    browser.picture(file);
    BufferedImage all = ImageIO.read(file.toFile());
    ImageIO.write(all.getSubimage(part.x, part.y, part.width, part.height), "png", file.toFile());
  }
}
