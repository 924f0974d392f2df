// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.dripfeed.fixture.Eventually;
import java.nio.file.Files;

/**
 * Four applications of one queue of a pair, which a failover must keep as they are: one runs, one is
 * starting, and two wait.
 */
final class FailoverLine {

  static final String QUEUE = "dripfed";

  private final HaPair pair;
  private final String running;
  private final String starting;
  private final String next;
  private final String last;

  /** Starts two NodeManagers and submits the applications; {@code rm1} has to be active. */
  FailoverLine(HaPair pair) throws Exception {
    this.pair = pair;
    pair.cluster().launchNodes(2, 2048);
    pair.cluster().awaitNodes(pair.rest("rm1"));
    running = submit(pair, "running", 0, 3600);
    awaitStates("rm1", "0 accepted, 0 starting, 1 running");
    starting = submit(pair, "starting", 3600, 1);
    next = submit(pair, "next", 0, 1);
    last = submit(pair, "last", 0, 1);
    awaitStates("rm1", "2 accepted, 1 starting, 1 running");
    // A NodeManager refuses to start what the ResourceManager before allocated.
    Eventually.is("all containers have their processes", () -> pair.rest("rm1").runningProcesses() == 3);
  }

  /** Submits an application of one executor through {@code rm1}. */
  static String submit(HaPair pair, String name, int startSeconds, int workSeconds) throws Exception {
    return pair.rest("rm1").submit(name, QUEUE, ProcessCluster.DRIVER_MEMORY,
        pair.cluster().driver(startSeconds, 1, workSeconds));
  }

  /** The application that runs. */
  String running() {
    return running;
  }

  void assertKept(String active) throws Exception {
    Eventually.is("all states are known, and nobody is offered meanwhile", () -> {
      for (String held : new String[] {next, last}) {
        assertThat(containers(active, held)).as("held as before").isZero();
      }
      return pair.rest(active).page().contains("2 accepted, 1 starting, 1 running");
    }, () -> found(active));
    pair.cluster().awaitNodes(pair.rest(active));
    assertThat(containers(active, running)).isEqualTo(2);
    assertThat(containers(active, starting)).isEqualTo(1);
    for (String application : new String[] {running, starting, next, last}) {
      assertThat(pair.rest(active).attempts(application)).as(application).hasSize(1);
    }
  }

  /** The applications as YARN has them. */
  private String found(String active) throws Exception {
    StringBuilder found = new StringBuilder();
    for (JsonNode application : pair.rest(active).applicationsOf(QUEUE)) {
      found.append('\n').append(application.at("/name").asText()).append(": ")
          .append(application.at("/runningContainers").asInt()).append(" containers, ")
          .append(pair.rest(active).attempts(application.at("/id").asText()).size())
          .append(" attempts, ").append(application.at("/diagnostics").asText());
    }
    return found.toString();
  }

  /** The one that is starting ends; those that wait follow in the order of their submission. */
  void assertMovesOn(String active) throws Exception {
    pair.rest(active).kill(starting);
    for (String held : new String[] {next, last}) {
      // YARN tells a final status before the end.
      Eventually.is("it ends", () ->
          pair.rest(active).application(held).at("/finishedTime").asLong() > 0);
      assertThat(pair.rest(active).application(held).at("/finalStatus").asText()).isEqualTo("SUCCEEDED");
    }
    assertThat(Files.readString(pair.log(active)))
        .containsPattern("(?s)" + getsDriver(next) + ".*" + getsDriver(last));
    awaitStates(active, "0 accepted, 0 starting, 1 running");
  }

  /** The line of the log. */
  private static String getsDriver(String application) {
    return application + " attempt=1 [^\n]*: ACCEPTED -> STARTING";
  }

  private int containers(String active, String application) throws Exception {
    return Math.max(
        0, pair.rest(active).application(application).at("/runningContainers").asInt());
  }

  private void awaitStates(String active, String states) throws Exception {
    Eventually.is(states, () -> pair.rest(active).page().contains(states));
  }
}
