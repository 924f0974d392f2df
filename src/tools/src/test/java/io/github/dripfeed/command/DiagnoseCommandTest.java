// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.command.remote.Row;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a recorded cluster would be found to have, were a few of its numbers others. */
class DiagnoseCommandTest extends CommandFixture {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Predicate<JsonNode> WITH_DRIVER = app -> app.path("runningContainers").asInt() == 1;

  @BeforeEach
  void record() throws Exception {
    rm.record("3.5.0");
  }

  private void applications(String queue, Predicate<JsonNode> which, Consumer<ObjectNode> change)
      throws Exception {
    JsonNode answer = JSON.readTree(rm.recorded.get("apps"));
    for (JsonNode each : answer.at("/apps/app")) {
      if (each.path("queue").asText().equals(queue) && which.test(each)) {
        change.accept((ObjectNode) each);
      }
    }
    rm.recorded.put("apps", answer.toString());
  }

  private void queue(String name, Consumer<ObjectNode> change) throws Exception {
    JsonNode answer = JSON.readTree(rm.recorded.get("scheduler"));
    for (JsonNode each : answer.at("/scheduler/schedulerInfo/queues/queue")) {
      if (each.path("queueName").asText().equals(name)) {
        change.accept((ObjectNode) each);
      }
    }
    rm.recorded.put("scheduler", answer.toString());
  }

  private JsonNode diagnosed(String queue, int exitCode) throws Exception {
    Output output = run("diagnose", "--queue", queue, "--json");
    assertThat(output.exitCode()).as(output.out() + output.err()).isEqualTo(exitCode);
    return output.json().at("/queues/0");
  }

  @Test
  void sentencesOfYarnDecideNothing() throws Exception {
    String before = run("diagnose").out();
    for (String queue : new String[] {"root.stuck", "root.limited", "root.dev.users"}) {
      applications(queue, app -> true, app -> app.put("diagnostics", "§ AM resource limit exceeded"));
    }
    assertThat(run("diagnose").out()).isEqualTo(before);
  }

  @Test
  void queueWithAnExecutorMovesAgainWhenThatEnds() throws Exception {
    boolean[] done = {false};
    applications("root.stuck", WITH_DRIVER.and(app -> !done[0]), app -> {
      done[0] = true;
      app.put("runningContainers", 2);
    });
    JsonNode found = diagnosed("stuck", 1);
    assertThat(found.path("code").asText()).isEqualTo("AMS_WAIT");
    assertThat(found.path("withExecutors").asInt()).isEqualTo(1);
    assertThat(found.path("amOnlyMb").asInt()).isEqualTo(3 * 512);
    assertThat(found.path("sentences").toString()).contains("its 512 MB are room for 1 executor");
  }

  @Test
  void whatHasRoomIsOnlyStarting() throws Exception {
    applications("root.stuck", WITH_DRIVER, app ->
        ((ObjectNode) app.at("/resourceRequests/0/capability")).put("memory", 256));
    assertThat(diagnosed("stuck", 1).path("code").asText()).isEqualTo("AM_LIMIT_HIGH");
    rm.recorded.put("nodes", "{\"nodes\":null}");
    assertThat(diagnosed("stuck", 1).path("code").asText()).as("no node has room, others have executors")
        .isEqualTo("AMS_WAIT");
  }

  private void use(String queue, int memory) throws Exception {
    queue(queue, leaf ->
        ((ObjectNode) leaf.at("/resources/resourceUsagesByPartition/0/used")).put("memory", memory));
  }

  /** Leaves one driver in the queue, which requests executors. */
  private void keepOneDriver() throws Exception {
    int[] kept = {0};
    applications("root.stuck", WITH_DRIVER.and(app -> kept[0]++ > 0), app -> app.put("queue", "root.gone"));
    use("stuck", 512);
  }

  @Test
  void oneThatWaitsForTheExecutorsOfAnotherQueueMovesAgainWhenTheyEnd() throws Exception {
    keepOneDriver();
    use("limited", 7168);
    assertThat(diagnosed("stuck", 1).path("code").asText()).isEqualTo("AM_LIMIT_HIGH");
    applications("root.limited", app -> true, app -> app.put("startedTime", 0).put("runningContainers", 0));
    assertThat(diagnosed("stuck", 1).path("code").asText()).as("they may have executors")
        .isEqualTo("AM_LIMIT_HIGH");
    applications("root.limited", app -> true, app -> app.put("startedTime", 1).put("runningContainers", 1));
    assertThat(diagnosed("stuck", 6).path("code").asText()).isEqualTo("STANDS_STILL");
  }

  /** Though each of the queues has room for more. */
  @Test
  void queuesWhoseDriversFillAParentTogetherAreNamed() throws Exception {
    keepOneDriver();
    applications("root.limited", app -> app.path("runningContainers").asInt() == 3,
        app -> app.put("runningContainers", 1));
    use("limited", 7168);
    assertThat(diagnosed("stuck", 6).path("sentences").toString()).contains("auto in these queues: "
        + "root.dev.users, root.gone, root.limited, root.stuck (7 AMs hold 4096 MB); within a minute",
        "Or end one application: its 512 MB are room for 1 executor").doesNotContain("too small");
  }

  /** What is reserved is used, and held by no application. */
  @Test
  void queueAtItsOwnMaximumStandsStillWhateverRunsElsewhere() throws Exception {
    use("stuck", 2457);
    assertThat(diagnosed("stuck", 6).path("code").asText()).isEqualTo("STANDS_STILL");
  }

  @Test
  void oneWhoseExecutorsTheQueueCannotHoldIsNamedAsThat() throws Exception {
    keepOneDriver();
    applications("root.stuck", WITH_DRIVER, app ->
        ((ObjectNode) app.at("/resourceRequests/0/capability")).put("memory", 3000));
    JsonNode found = diagnosed("stuck", 6);
    assertThat(found.path("sentences").toString()).contains("too small for this AM and an executor");
  }

  @Test
  void applicationsAtTheLimitOfTheirUserWaitForThat() throws Exception {
    queue("stuck", leaf -> leaf.at("/users/user").forEach(user -> {
      ((ObjectNode) user).put("numPendingApplications", 0);
      ((ObjectNode) user.path("userResourceLimit")).put("memory", 1024);
    }));
    queue("stuck", leaf -> leaf.put("numPendingApplications", 0));
    JsonNode found = diagnosed("stuck", 6);
    assertThat(found.path("atUserLimit").asInt()).isEqualTo(3);
    assertThat(found.path("forRoom").asInt() + found.path("atAmLimit").asInt()).isZero();
  }

  @Test
  void queueUnderDripfeedIsItsOwnBusiness() throws Exception {
    queue("stuck", leaf -> leaf.put("orderingPolicyInfo",
        "io.github.dripfeed.StateAwareOrderingPolicy: 1 accepted"));
    JsonNode found = diagnosed("stuck", 6);
    assertThat(found.path("sentences").toString()).contains("1 for Dripfeed (see status)",
        "The status command says").doesNotContain("ordering-policy =", "maximum-am-resource-percent");
  }

  @Test
  void applicationsThatTheCallerMayNotViewAreCounted() throws Exception {
    applications("root.stuck", app -> true, app -> app.put("startedTime", 0).put("runningContainers", 0));
    JsonNode found = diagnosed("stuck", 1);
    assertThat(found.path("notShown").asInt()).isEqualTo(7);
    assertThat(found.path("sentences").toString()).contains("7 more are not counted");
  }

  /** Where YARN does not say since when it has a driver, or it has held more. */
  @Test
  void timesAreThoseSinceItWasFirstSeenSo() throws Exception {
    applications("root.stuck", WITH_DRIVER, app -> app.put("memorySeconds", 90_000));
    assertThat(diagnosed("stuck", 6).path("atLeastSeconds").asInt()).isZero();
    applications("root.stuck", WITH_DRIVER, app -> app.put("memorySeconds", 20_480).remove("launchTime"));
    assertThat(diagnosed("stuck", 6).path("atLeastSeconds").asInt()).isZero();
    DiagnoseCommand command = new DiagnoseCommand();
    Row app = new Row(
        JSON.createObjectNode().put("id", "application_1_0001"));
    assertThat(command.aloneSeconds(app, Map.of(), 10_000)).isZero();
    assertThat(command.aloneSeconds(app, Map.of("application_1_0001", 10_000L), 70_000))
        .isEqualTo(60);
  }

  @Test
  void clusterWithoutApplicationsHasNothingWrong() throws Exception {
    rm.recorded.put("apps", "{\"apps\":null}");
    assertThat(diagnosed("limited", 0).path("code").asText()).isEqualTo("FINE");
    assertThat(oneLine("diagnose --queue limited")).contains("Nothing is wrong in root.limited");
  }
}
