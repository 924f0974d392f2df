// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.LiveTables;
import io.github.dripfeed.fixture.MockCluster;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.junit.jupiter.api.Test;

/**
 * What a reader of the live view in a loop costs the scheduler. The tests write the figures side by side to
 * {@code target/live-view-cost*.txt}. With ten thousand waiting applications: {@code ./mvnw test
 * -Dtest=LiveViewCostTest -Dliveview.waiting=10000}.
 */
class LiveViewCostTest {

  private static final int WAITING = Integer.getInteger("liveview.waiting", 300);
  private static final int ROUNDS = 20;
  private static final int HEARTBEATS = 5000;
  private static final List<String> USERS = List.of("ann", "bob", "eve");
  private static final List<String> TABLES = List.of("Queues", "Starting", "Line", "Pending", "Events");
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Reads all tables again and again while it is switched on. */
  private static final class Reader extends Thread {

    private final AtomicBoolean on = new AtomicBoolean();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicLong cpuNanos = new AtomicLong();
    private volatile boolean ended;
    private volatile boolean reading;
    private volatile Exception failure;

    @Override
    public void run() {
      try {
        while (!ended) {
          reading = on.get();
          if (reading) {
            long before = THREADS.getCurrentThreadCpuTime();
            for (String table : TABLES) {
              LiveTables.attribute(table);
            }
            cpuNanos.addAndGet(THREADS.getCurrentThreadCpuTime() - before);
            reads.incrementAndGet();
          } else {
            sleep(1);
          }
        }
      } catch (Exception e) {
        failure = e;
      }
    }
  }

  /**
   * Times on a busy machine prove nothing, so the tests only write them down side by side, and
   * waits for a lock: a reader has the lock of the slots while it copies a line.
   */
  @Test
  void costOfAReaderInALoopIsReported() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("maximum-applications"), "100000",
        CapacitySchedulerConfiguration.PREFIX + "maximum-applications", "100000",
        MockCluster.queueKey("maximum-am-resource-percent"), "1000")) {
      cluster.addNode(100 * GB);
      cluster.submit();
      cluster.heartbeat();
      for (int i = 0; i < WAITING; i++) {
        cluster.submission(GB).withUser("user" + i % 20).submit(cluster.rm());
      }
      report(cluster, "live-view-cost.txt");
    }
  }

  /**
   * Nobody starts, and YARN skips all that wait. To know that, a reader has to ask YARN, which answers
   * under a lock of the queue's users that each heartbeat takes, too.
   */
  @Test
  void costOfAReaderWhereAllUsersAreAtTheirLimitIsReported() throws Exception {
    try (MockCluster cluster = MockCluster.configured(StateAwareOrderingPolicy.class,
        MockCluster.queueKey("maximum-applications"), "100000",
        CapacitySchedulerConfiguration.PREFIX + "maximum-applications", "100000",
        MockCluster.queueKey("maximum-am-resource-percent"), "1000",
        MockCluster.queueKey("user-limit-factor"), "0.25")) {
      cluster.addNode(20 * GB);
      for (String user : USERS) {
        cluster.start(cluster.submission(GB).withUser(user), 20);
      }
      for (int i = 0; i < WAITING; i++) {
        cluster.submission(GB).withUser(USERS.get(i % USERS.size())).submit(cluster.rm());
      }
      // How many wait depends on how long the lock is held, so on the machine: LineViewTest counts what is
      // asked, once for each user.
      report(cluster, "live-view-cost-at-limits.txt");
      assertThat(LiveTables.column("Queues", "starting")).containsExactly(0L);
      assertThat(LiveTables.column("Line", "reason").subList(3, 50))
          .allMatch(reason -> reason.toString().contains("YARN skips it"));
      assertThat(LiveTables.column("Line", "code").subList(0, 50)).containsOnly("USER_LIMIT");
    }
  }

  private static void report(MockCluster cluster, String file) throws Exception {
    Eventually.is("all of them wait", () -> {
      cluster.rm().drainEvents();
      cluster.tick();
      return LiveTables.column("Queues", "accepted").contains((long) WAITING);
    });
    NodeUpdateSchedulerEvent event = new NodeUpdateSchedulerEvent(
        cluster.rm().getRMContext().getRMNodes().get(cluster.node(0).getNodeId()));
    Reader reader = new Reader();
    reader.start();
    double[][] micros = new double[2][ROUNDS];
    double[][] cpuMicros = new double[2][ROUNDS];
    long[] lockWaits = new long[2];
    try {
      // By turns, so that what else the machine does meets both. The first turns warm up.
      for (int round = -ROUNDS; round < ROUNDS; round++) {
        for (int with = 0; with < 2; with++) {
          reader.on.set(with == 1);
          boolean reads = with == 1;
          Eventually.is("it reads, or has stopped", () -> reader.reading == reads);
          long waitsBefore = lockWaits();
          long cpuBegan = THREADS.getCurrentThreadCpuTime();
          long began = System.nanoTime();
          for (int i = 0; i < HEARTBEATS; i++) {
            cluster.scheduler().handle(event);
          }
          micros[with][Math.max(0, round)] = (System.nanoTime() - began) / 1e3 / HEARTBEATS;
          cpuMicros[with][Math.max(0, round)] =
              (THREADS.getCurrentThreadCpuTime() - cpuBegan) / 1e3 / HEARTBEATS;
          lockWaits[with] += lockWaits() - waitsBefore;
        }
      }
    } finally {
      reader.ended = true;
      reader.join();
    }
    assertThat(reader.failure).isNull();
    assertThat(LiveTables.rows("Line")).as("bounded").hasSize(Math.min(WAITING, 1000));
    String report = String.format(Locale.ROOT, "%d waiting: all tables %.1f ms of processor time a read;"
        + " heartbeat of a node without a reader and beside one in a loop (medians): %.1f and %.1f us of"
        + " processor time (%.2f times), %.1f and %.1f us in all (%.2f times); of %d heartbeats each, %d"
        + " and %d waited for a lock; as /jmx writes them, %s and %s", WAITING,
        reader.cpuNanos.get() / 1e6 / reader.reads.get(),
        median(cpuMicros[0]), median(cpuMicros[1]), median(cpuMicros[1]) / median(cpuMicros[0]),
        median(micros[0]), median(micros[1]), median(micros[1]) / median(micros[0]),
        2 * ROUNDS * HEARTBEATS, lockWaits[0], lockWaits[1], size("Line"), size("Events"));
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of("target", file), report + System.lineSeparator());
  }

  /** With the white space that YARN's servlet puts between its words. */
  private static String size(String table) throws Exception {
    List<Map<String, Object>> rows = LiveTables.rows(table);
    return String.format(Locale.ROOT, "a row of %s has %d bytes", table,
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(rows).length / rows.size());
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** How often this thread has waited for a lock. */
  private static long lockWaits() {
    ThreadInfo thread = THREADS.getThreadInfo(Thread.currentThread().getId());
    return thread.getBlockedCount() + thread.getWaitedCount();
  }
}
