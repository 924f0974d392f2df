// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.dripfeed.demo.Burst;
import io.github.dripfeed.fixture.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A burst of applications that are all accepted before any of them gets a container, in a queue that has
 * room for fewer drivers than there are applications.
 */
final class ProcessBurst {

  /** Submits the applications of a burst in separate client processes. */
  interface Client {

    /** Starts the clients that submit so many applications to the queue. */
    List<Process> submitAll(String queue, int count) throws IOException;
  }

  /**
   * How large a burst is.
   *
   * @param applications how many are submitted
   * @param containers how many the queue has room for
   */
  record Size(int applications, int containers) {
  }

  /** The memory of each driver and each executor, in MB. */
  static final int MEMORY = 1024;
  static final Path FIGURES = Path.of(System.getProperty("processes.folder"), "applications.txt");
  static final int APPLICATIONS = 6;
  static final int DRIVERS_THAT_FIT = 4;
  private static final int STILL_SECONDS = 30;
  private static final Size SMALL = new Size(APPLICATIONS, DRIVERS_THAT_FIT);

  private final ProcessCluster cluster;
  private final String kind;
  private final String queue;
  private final Size size;
  private final Set<String> before;
  private String filler;
  private final Set<String> ids = new TreeSet<>();
  private long startedAt;

  /** Starts the clients. */
  private ProcessBurst(ProcessCluster cluster, String kind, String queue, Size size, Client client)
      throws IOException {
    this.cluster = cluster;
    this.kind = kind;
    this.queue = queue;
    this.size = size;
    this.before = idsIn(cluster, queue);
    cluster.endAtClose(client.submitAll(queue, size.applications));
  }

  /**
   * Fills the queues with one application each, submits a burst to each, and empties all queues at the
   * same moment.
   *
   * @return the bursts, in the order of the queues
   */
  static List<ProcessBurst> submit(ProcessCluster cluster, String kind, Client client, String... queues)
      throws Exception {
    return submit(cluster, kind, SMALL, client, queues);
  }

  /** The same with bursts of this size. */
  static List<ProcessBurst> submit(
      ProcessCluster cluster, String kind, Size size, Client client, String... queues) throws Exception {
    List<String> fillers = new ArrayList<>();
    for (String queue : queues) {
      fillers.add(cluster.submit(
          "filler", queue, new Burst.Shape(1, MEMORY, 0, size.containers - 1, MEMORY, 3600)));
    }
    for (int i = 0; i < queues.length; i++) {
      String filler = fillers.get(i);
      Eventually.is("the queue is full", () ->
          cluster.rest().application(filler).at("/runningContainers").asInt() == size.containers);
    }
    List<ProcessBurst> bursts = new ArrayList<>();
    for (String queue : queues) {
      bursts.add(new ProcessBurst(cluster, kind, queue, size, client));
    }
    for (int i = 0; i < queues.length; i++) {
      bursts.get(i).filler = fillers.get(i);
      bursts.get(i).awaitAccepted();
    }
    for (String filler : fillers) {
      cluster.rest().kill(filler);
    }
    bursts.forEach(burst -> burst.startedAt = System.currentTimeMillis());
    return bursts;
  }

  /** Submits all applications to a queue without room and waits until the last one is accepted. */
  static ProcessBurst submitAll(ProcessCluster cluster, String kind, String queue, Client client)
      throws Exception {
    ProcessBurst burst = new ProcessBurst(cluster, kind, queue, SMALL, client);
    burst.awaitAccepted();
    burst.startedAt = System.currentTimeMillis();
    return burst;
  }

  private void awaitAccepted() throws Exception {
    long deadline = deadline();
    while (ids.size() < size.applications) {
      check(deadline, kind + ": only " + ids.size() + " were submitted");
      TimeUnit.MILLISECONDS.sleep(500);
      ids.clear();
      for (JsonNode app : cluster.rest().applicationsOf(queue)) {
        if (app.at("/state").asText().equals("ACCEPTED") && !before.contains(app.at("/id").asText())) {
          ids.add(app.at("/id").asText());
        }
      }
    }
  }

  private static Set<String> idsIn(ProcessCluster cluster, String queue) throws IOException {
    Set<String> ids = new HashSet<>();
    cluster.rest().applicationsOf(queue).forEach(app -> ids.add(app.at("/id").asText()));
    return ids;
  }

  /** Drivers fill the queue, no application has an executor, and nothing changes any more. */
  void deadlocks() throws Exception {
    long deadline = deadline();
    int still = 0;
    while (still < STILL_SECONDS) {
      check(deadline, kind + ": it does not come to a standstill");
      TimeUnit.SECONDS.sleep(1);
      List<Integer> containers = new ArrayList<>();
      for (String id : ids) {
        containers.add(containers(id));
      }
      long drivers = containers.stream().filter(count -> count == 1).count();
      boolean full = drivers == size.containers
          && containers.stream().allMatch(count -> count <= 1);
      still = full ? still + 1 : 0;
    }
    JsonNode used = cluster.rest().queue(queue).at("/resourcesUsed/memory");
    assertThat(used.asInt()).isEqualTo(size.containers * MEMORY);
    assertThat(ids).as("succeeded").noneMatch(id -> hasEnded(id));
    tell("deadlock: %d drivers, 0 executors, %d MB of %d MB used, unchanged for %d s",
        size.containers, used.asInt(), size.containers * MEMORY, STILL_SECONDS);
    for (String id : ids) {
      cluster.rest().kill(id);
    }
    Eventually.is("the queue is empty",
        () -> cluster.rest().queue(queue).at("/resourcesUsed/memory").asInt() == 0);
  }

  /**
   * Waits until all succeed, and checks that no more are starting than this number.
   *
   * @return the highest observed number of starting applications
   */
  int succeeds(int mostStarting) throws Exception {
    long deadline = deadline();
    Set<String> hadExecutor = new HashSet<>();
    Set<String> haveDriver = new HashSet<>();
    Set<String> ended = new HashSet<>();
    int most = 0;
    while (ended.size() < size.applications) {
      check(deadline, kind + ": " + ended.size() + " ended of " + ids);
      TimeUnit.MILLISECONDS.sleep(200);
      haveDriver.clear();
      for (String id : ids) {
        int containers = containers(id);
        if (containers > 1) {
          hadExecutor.add(id);
        } else if (containers == 1 && !hadExecutor.contains(id)) {
          haveDriver.add(id);
        }
        if (hasEnded(id)) {
          ended.add(id);
        }
      }
      int starting = haveDriver.size();
      if (starting > mostStarting) {
        // They were counted one after the other, and some run by now; these were starting in between.
        starting = 0;
        for (String id : haveDriver) {
          starting += containers(id) == 1 ? 1 : 0;
        }
      }
      most = Math.max(most, starting);
      assertThat(starting).as("starting at once").isLessThanOrEqualTo(mostStarting);
    }
    assertThat(ids).allMatch(id -> finalStatus(id).equals("SUCCEEDED"));
    assertThat(hadExecutor).as("seen with an executor").isNotEmpty();
    long last = 0;
    for (String id : ids) {
      last = Math.max(last, cluster.rest().application(id).at("/finishedTime").asLong());
    }
    tell("%d of %d succeeded in %.0f s, at most %d starting at once",
        ended.size(), size.applications, (last - startedAt) / 1000.0, most);
    return most;
  }

  /** The applications. */
  Set<String> ids() {
    return ids;
  }

  /** The application that filled the queue before; null if there was none. */
  String filler() {
    return filler;
  }

  private int containers(String id) throws IOException {
    return Math.max(0, cluster.rest().application(id).at("/runningContainers").asInt());
  }

  /** Its final status is known before. */
  private boolean hasEnded(String id) {
    return application(id).at("/finishedTime").asLong() > 0;
  }

  private String finalStatus(String id) {
    return application(id).at("/finalStatus").asText();
  }

  private JsonNode application(String id) {
    try {
      return cluster.rest().application(id);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void tell(String format, Object... values) throws IOException {
    synchronized (ProcessBurst.class) {
      append(format, values);
    }
  }

  private void append(String format, Object... values) throws IOException {
    String line = String.format(Locale.ROOT, "%-30s %-8s ", kind, queue)
        + String.format(Locale.ROOT, format, values) + System.lineSeparator();
    System.out.print(line);
    Files.writeString(FIGURES, line, StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private long deadline() {
    return System.nanoTime() + TimeUnit.MINUTES.toNanos(2 * size.applications);
  }

  private static void check(long deadline, String what) {
    if (System.nanoTime() > deadline) {
      throw new AssertionError(what);
    }
  }
}
