// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the ResourceManager's log says about a queue. */
class StateChangeRecorderTest {

  private final Logger logger = Logger.getLogger("io.github.dripfeed.StateLog");
  private final Level threshold = LogManager.getLoggerRepository().getThreshold();
  private final Level level = logger.getLevel();
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final AppenderSkeleton appender = new AppenderSkeleton() {
    @Override
    protected void append(LoggingEvent event) {
      lines.add(event.getLevel() + " " + event.getRenderedMessage());
    }

    @Override
    public void close() {
      // There is no file to close.
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }
  };

  @BeforeEach
  void listen() {
    // MockRM sets the root logger to DEBUG; the file must contain nothing of that.
    ((AppenderSkeleton) Logger.getRootLogger().getAppender("file")).setThreshold(Level.WARN);
    LogManager.getLoggerRepository().setThreshold(Level.ALL);
    logger.setAdditivity(false);
    logger.addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    logger.removeAppender(appender);
    logger.setAdditivity(true);
    logger.setLevel(level);
    LogManager.getLoggerRepository().setThreshold(threshold);
  }

  @Test
  void stateChangesAreLoggedAndHeartbeatsAreNot() throws Exception {
    logger.setLevel(Level.INFO);
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      lines.clear();
      MockApp app = cluster.submit();
      cluster.advance(Duration.ofSeconds(3));
      cluster.heartbeat();
      cluster.advance(Duration.ofSeconds(4));
      app.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(lines).containsExactly(
          "INFO " + label(app) + ": ACCEPTED -> STARTING after 3000 ms, because its AM"
              + " is allocated",
          "INFO " + label(app) + ": STARTING -> RUNNING after 4000 ms, because it has its"
              + " executors");
      for (int i = 0; i < 20; i++) {
        cluster.advance(Duration.ofSeconds(1));
        cluster.heartbeat();
        cluster.runMonitor();
      }
      assertThat(lines).hasSize(2);
    }
  }

  @Test
  void recoveredStatesAreLoggedAsEarlier() throws Exception {
    logger.setLevel(Level.INFO);
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app = cluster.submit();
      cluster.heartbeat();
      app.register().ask(1, GB);
      cluster.heartbeat();
      lines.clear();
      cluster.restart().reconnectNodes();
      cluster.tick();
      assertThat(lines).containsExactly(
          "INFO " + label(app) + ": was STARTING before this policy looked at it, because its AM"
              + " is allocated",
          "INFO " + label(app) + ": was RUNNING before this policy looked at it, because it has its"
              + " executors");
    }
  }

  @Test
  void debugLogsEachOfferDecision() throws Exception {
    logger.setLevel(Level.DEBUG);
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app1 = cluster.submit();
      MockApp app2 = cluster.submit();
      cluster.heartbeat();
      assertThat(decisions()).containsExactly("DEBUG Offered in partition '': " + label(app1));
      cluster.heartbeat();
      assertThat(decisions()).as("nothing has changed").hasSize(1);
      app1.register().ask(1, GB);
      cluster.heartbeat();
      assertThat(decisions()).hasSize(2).endsWith("DEBUG Offered in partition '': " + label(app2));
    }
  }

  @Test
  void endOfAnApplicationIsLoggedWithItsReason() throws Exception {
    logger.setLevel(Level.INFO);
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      MockApp app = cluster.submit();
      cluster.heartbeat();
      lines.clear();
      cluster.advance(Duration.ofSeconds(4));
      app.kill();
      cluster.runMonitor();
      assertThat(lines).singleElement().asString().startsWith(
          "INFO " + label(app) + ": STARTING -> ENDED after 4000 ms, because it was killed");
    }
  }

  /** Users write none of the log's lines and none of its words. */
  @Test
  void namesOfUsersAreOneHarmlessWordEach() throws Exception {
    logger.setLevel(Level.INFO);
    try (MockCluster cluster = MockCluster.ofOneNode(16 * GB)) {
      lines.clear();
      MockApp harmful = cluster.submit(cluster.submission(GB)
          .withUser("ann bob\nINFO <b>").withType("SPARK attempt=2\u2028\r&\u0000"));
      cluster.heartbeat();
      assertThat(lines).containsExactly("INFO " + harmful.id() + " attempt=1 queue=root.drip"
          + " user=ann?bob?INFO??b? type=SPARK?attempt=2????: ACCEPTED -> STARTING after 0 ms, because its"
          + " AM is allocated");
      lines.clear();
      harmful.register().ask(1, GB);
      MockApp withoutType = cluster.submit(cluster.submission(GB).withType(""));
      cluster.heartbeat();
      cluster.heartbeat();
      assertThat(lines).last().asString().isEqualTo("INFO " + withoutType.id() + " attempt=1"
          + " queue=root.drip user=user type=-: ACCEPTED -> STARTING after 0 ms, because its AM"
          + " is allocated");
    }
  }

  private static String label(MockApp app) {
    return app.id() + " attempt=1 queue=root.drip user=user type=YARN";
  }

  private List<String> decisions() {
    return lines.stream().filter(line -> line.startsWith("DEBUG")).toList();
  }
}
