// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.fixture.FreePorts;
import io.github.dripfeed.fixture.Submission;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {

  private static final Trace.Assumptions ASSUMPTIONS = new Trace.Assumptions(2048, 4096, 15_000,
      new Trace.DataAssumptions(2_000_000_000, 40, 60_000_000, 20_000));
  private static final Trace.Selection BATCH = new Trace.Selection("root.batch", Trace.Span.ALL);

  @TempDir
  private Path folder;

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("trace.json"), content);
  }

  private static String app(String id, String queue, String more) {
    return "{\"id\":\"" + id + "\",\"queue\":\"" + queue + "\",\"user\":\"ann\","
        + "\"applicationType\":\"SPARK\",\"priority\":3," + more + "}";
  }

  @Test
  void replayedApplicationHoldsTheRecordedResources() throws Exception {
    // 300 s with a driver of 2 GB, of which 285 s with three executors of 4 GB.
    long memorySeconds = 2048 * 300 + 3 * 4096 * 285;
    Trace trace = Trace.read(file("{\"apps\":{\"app\":["
        + app("late", "batch", "\"startedTime\":90000,\"launchTime\":95000,\"finishedTime\":395000,"
            + "\"memorySeconds\":" + memorySeconds) + ","
        + app("driver", "root.batch", "\"startedTime\":50000,\"launchTime\":50000,"
            + "\"finishedTime\":110000,\"memorySeconds\":" + 2048 * 60) + ","
        + app("other", "other", "\"startedTime\":1,\"finishedTime\":2,\"memorySeconds\":5") + ","
        + app("running", "batch", "\"startedTime\":1,\"finishedTime\":0,\"memorySeconds\":5") + ","
        + app("refused", "batch", "\"startedTime\":1,\"finishedTime\":2,\"memorySeconds\":0")
        + "]}}"), BATCH, ASSUMPTIONS);

    assertThat(trace.jobs()).extracting(Job::name).containsExactly("driver", "late");
    assertThat(trace.jobs()).extracting(Job::submitMillis).containsExactly(0L, 40_000L);
    assertThat(trace.jobs().get(0).program()).isEqualTo(new Program.DriverOnly(45_000));
    Job late = trace.jobs().get(1);
    assertThat(late.priority()).isEqualTo(3);
    assertThat(late.user()).isEqualTo("ann");
    assertThat(late.startUpMillis()).isEqualTo(15_000);
    assertThat(late.program()).isEqualTo(new Program.Spark(
        4096, 1, 3, false, List.of(new Program.Stage(15, 57_000))));
    assertThat(trace.leftOut()).containsExactly(
        "1 applications that had not ended", "1 applications that never had a container");
  }

  /** 100 s of two executors of 1 GB, whose driver of 1 GB is smaller than the assumed one. */
  @Test
  void applicationsThatAreTooSmallForTheAssumedSizesAreNamed() throws Exception {
    long memorySeconds = 1024 * 100 + 2 * 1024 * 85;
    String small = "\"startedTime\":0,\"launchTime\":0,\"finishedTime\":100000,\"memorySeconds\":"
        + memorySeconds;
    String large = small.replace(String.valueOf(memorySeconds), String.valueOf(100 * memorySeconds));
    Path apps = file("{\"apps\":{\"app\":[" + app("small", "batch", small) + ","
        + app("large", "batch", large) + "]}}");

    Trace trace = Trace.read(apps, BATCH, ASSUMPTIONS);

    assertThat(trace.jobs().get(0).program()).isInstanceOf(Program.DriverOnly.class);
    assertThat(trace.remarks()).containsExactly("1 of 2 applications had no memory for an executor of"
        + " 4096 MB beyond the assumed AM of 2048 MB, and are replayed as AMs alone:"
        + " is --driver-memory or --executor-memory too large?");
    assertThat(Trace.read(apps, BATCH, new Trace.Assumptions(1024, 1024, 15_000, null)).remarks())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "270 | 276480 | 1 | | 1 applications that had virtual cores for executors, but no memory",
      "270 | 276480 | 8 | 1 of 2 applications had no virtual cores for an executor of 8 beyond | ",
      "270 | 379000 | 1 | | "})
  void virtualCoresWithoutMemoryAreLeftOut(int vcoreSeconds, long memorySeconds, int executorVcores,
      String remark, String leftOut) throws Exception {
    String times = "\"startedTime\":0,\"launchTime\":0,\"finishedTime\":100000,";
    Trace trace = Trace.read(file("{\"apps\":{\"app\":["
        + app("one", "batch", times + "\"memorySeconds\":" + memorySeconds + ",\"vcoreSeconds\":"
            + vcoreSeconds) + ","
        + app("other", "batch", times + "\"memorySeconds\":9000000,\"vcoreSeconds\":9000")
        + "]}}"), BATCH, new Trace.Assumptions(3072, 4096, executorVcores, 15_000, null));

    assertThat(String.join("; ", trace.remarks())).startsWith(remark == null ? "" : remark);
    assertThat(trace.remarks()).hasSize(remark == null ? 0 : 1);
    assertThat(String.join("; ", trace.leftOut())).startsWith(leftOut == null ? "" : leftOut);
    assertThat(trace.leftOut()).hasSize(leftOut == null ? 0 : 1);
    assertThat(trace.jobs()).hasSize(leftOut == null ? 2 : 1);
  }

  @Test
  void loadSimulatorTraceIsRead() throws Exception {
    Trace trace = Trace.read(file("""
        {"num.nodes": 3, "num.racks": 1}
        {"am.type": "mapreduce", "job.start.ms": "7000", "job.user": "bob", "job.id": "job_1",
         "job.queue.name": "batch", "am.memory-mb": 512, "job.tasks": [
          {"container.type": "map", "container.start.ms": "1000", "container.end.ms": "31000"},
          {"container.type": "map", "duration.ms": 20000, "count": 2, "container.memory-mb": 2048},
          {"container.type": "map", "container.priority": 20},
          {"container.type": "reduce", "container.duration.ms": 40000}]}
        {"job.start.ms": 1000, "job.count": 2, "job.tasks": [{"duration.ms": 5000}]}
        """), Trace.Selection.ALL, ASSUMPTIONS);

    assertThat(trace.nodes()).isEqualTo(3);
    assertThat(trace.jobs()).extracting(Job::name).containsExactly("job_2_0", "job_2_1", "job_1");
    Job job = trace.jobs().get(2);
    assertThat(job.submitMillis()).isEqualTo(6000);
    assertThat(job.driverMemory()).isEqualTo(512);
    assertThat(job.type()).isEqualTo("MAPREDUCE");
    Program.Task large = new Program.Task(2048, 20_000);
    assertThat(job.program()).isEqualTo(new Program.Tasks(List.of(
        List.of(new Program.Task(1024, 30_000), large, large),
        List.of(new Program.Task(1024, 40_000)))));
    assertThat(trace.leftOut()).containsExactly("1 tasks without a duration");
  }

  private static Trace swim(String rows) throws IOException {
    return Trace.read("jobs.tsv", rows.getBytes(StandardCharsets.UTF_8), Trace.Selection.ALL,
        ASSUMPTIONS);
  }

  @Test
  void bytesOfSwimBecomeExecutorsAndSeconds() throws Exception {
    // Almost nothing; 1 + 2 + 1.5 GB; 122 GB.
    Trace trace = swim("""
        small\t100\t100\t5\t0\t7
        middle\t160\t60\t1000000000\t2000000000\t1500000000\t/more/columns

        large\t160\t0\t122000000000\t0\t0
        """);

    assertThat(trace.nodes()).isZero();
    assertThat(trace.leftOut()).isEmpty();
    assertThat(trace.jobs()).extracting(Job::name).containsExactly("small", "middle", "large");
    assertThat(trace.jobs()).extracting(Job::submitMillis).containsExactly(0L, 60_000L, 60_000L);
    assertThat(trace.jobs()).allSatisfy(job -> {
      assertThat(job.driverMemory()).isEqualTo(2048);
      assertThat(job.startUpMillis()).isEqualTo(15_000);
      assertThat(job.type()).isEqualTo("SPARK");
    });
    assertThat(trace.jobs()).extracting(Job::program).containsExactly(
        new Program.Spark(4096, 1, 1, false, List.of(new Program.Stage(1, 20_000))),
        new Program.Spark(4096, 1, 3, false, List.of(new Program.Stage(3, 25_000))),
        new Program.Spark(4096, 1, 40, false, List.of(new Program.Stage(61, 33_333))));
  }

  @Test
  void aPartOfATraceBeginsWithItsFirstSubmission() throws Exception {
    Trace.Selection part = new Trace.Selection(null, new Trace.Span(10_000, 20_000));
    String bytes = "\t0\t1\t1\t1\n";
    String rows = "a\t9" + bytes + "b\t10" + bytes + "c\t19" + bytes + "d\t20" + bytes;
    Trace trace = Trace.read("jobs.tsv", rows.getBytes(StandardCharsets.UTF_8), part, ASSUMPTIONS);

    assertThat(trace.jobs()).extracting(Job::name).containsExactly("b", "c");
    assertThat(trace.jobs()).extracting(Job::submitMillis).containsExactly(0L, 9_000L);
    assertThat(trace.leftOut()).containsExactly("2 applications submitted before or after the part");
    assertThatThrownBy(() -> Trace.read("jobs.tsv",
        ("a\t9" + bytes).getBytes(StandardCharsets.UTF_8), part, ASSUMPTIONS))
        .hasMessageContaining("jobs.tsv").hasMessageContaining("before or after the part");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "job0 49 49 1 2 3            | 1 columns    | 6 or more",
      "job0<49<49<1<2              | 5 columns    | 6 or more",
      "job0<soon<49<1<2<3          | submit second = 'soon' | from 0 to 1000000000",
      "job0<-1<49<1<2<3            | submit second = '-1'   | from 0 to 1000000000",
      "job0<1.5<49<1<2<3           | submit second = '1.5'  | a whole number",
      "job0<49<49<many<2<3         | bytes of input = 'many' | a whole number",
      "job0<49<49<1<-2<3           | bytes of shuffle = '-2' | from 0 to 1000000000000000000",
      "job0<49<49<1<2<9e9          | bytes of output = '9e9' | a whole number",
      "job0<49<49<1<2<             | bytes of output = ''    | a whole number"})
  void badLineOfSwimIsNamedWithWhatIsAllowed(String line, String what, String allowed) {
    assertThatThrownBy(() -> swim("good\t1\t1\t1\t1\t1\n\n" + line.replace('<', '\t') + "\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("jobs.tsv, line 3: ").hasMessageContaining(what)
        .hasMessageContaining("allowed").hasMessageContaining(allowed);
  }

  @Test
  void stagesRunOneAfterTheOther() throws Exception {
    Trace trace = stages("""
        one,100,3,12.5,1024
        two,160.5,1,2,512,more columns
        one,100,2,0.1,4096

        """);

    assertThat(trace.jobs()).extracting(Job::name).containsExactly("one", "two");
    assertThat(trace.jobs()).extracting(Job::submitMillis).containsExactly(0L, 60_500L);
    assertThat(trace.jobs()).extracting(Job::driverMemory).containsOnly(2048);
    assertThat(trace.jobs()).extracting(Job::startUpMillis).containsOnly(15_000L);
    Program.Task first = new Program.Task(1024, 12_500);
    Program.Task then = new Program.Task(4096, 100);
    assertThat(trace.jobs()).extracting(Job::program).containsExactly(
        new Program.Tasks(List.of(List.of(first, first, first), List.of(then, then))),
        new Program.Tasks(List.of(List.of(new Program.Task(512, 2000)))));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "one,1,2,3         | 4 columns               | 5 or more, with commas between them",
      "one,1,0,3,512     | tasks = '0'             | a whole number from 1 to 1000000",
      "one,1,2,soon,512  | seconds = 'soon'        | a number from 0 to 1000000000",
      "one,1,2,NaN,512   | seconds = 'NaN'         | a number from 0",
      "one,-1,2,3,512    | submit second = '-1'    | a number from 0",
      "one,1,2,3,1.5     | memory = '1.5'          | a whole number from 1",
      "good,2,2,3,512    | submit second = '2'     | '1.0', as in its first line"})
  void badLineOfStagesIsNamedWithWhatIsAllowed(String line, String what, String allowed) {
    assertThatThrownBy(() -> stages("good,1,1,1,1\n" + line + "\n")).isInstanceOf(IOException.class)
        .hasMessageContaining("jobs.csv, line 3: ").hasMessageContaining(what)
        .hasMessageContaining("allowed").hasMessageContaining(allowed);
  }

  @Test
  void stagesOfSparkRunInItsExecutors() throws Exception {
    Trace trace = stagesOfSpark("one,0,30,1.5,4096,10\none,0,2,60,4096,10\n");

    assertThat(trace.jobs()).extracting(Job::program).containsExactly(new Program.Spark(4096, 1, 10, false,
        List.of(new Program.Stage(30, 1500), new Program.Stage(2, 60_000))));
    assertThatThrownBy(() -> stagesOfSpark("one,0,30,1.5,4096,10\none,0,2,60,4096,9\n"))
        .hasMessageContaining("jobs.csv, line 3: executors = '9'; allowed is '10', as in its first line");
    assertThatThrownBy(() -> stagesOfSpark("one,0,30,1.5,4096,10\none,0,2,60,512,10\n"))
        .hasMessageContaining("memory = '512'; allowed is '4096'");
    assertThatThrownBy(() -> stagesOfSpark("one,0,30,1.5,4096\n")).hasMessageContaining("6 or more");
  }

  private static Trace stagesOfSpark(String rows) throws IOException {
    return table("application,submit,tasks,seconds,memory,executors\n" + rows);
  }

  private static Trace stages(String rows) throws IOException {
    return table("application,submit,tasks,seconds,memory\n" + rows);
  }

  private static Trace table(String content) throws IOException {
    return Trace.read("jobs.csv", content.getBytes(StandardCharsets.UTF_8), Trace.Selection.ALL,
        ASSUMPTIONS);
  }

  @Test
  void anEmptyTraceIsNamed() {
    assertThatThrownBy(() -> swim("\n\n")).isInstanceOf(IOException.class)
        .hasMessageContaining("jobs.tsv").hasMessageContaining("no application");
  }

  @ParameterizedTest
  @CsvSource({"fb-2009, 2009, 554, 4, 16384", "fb-2009-last, 2009, 539, 4, 16384",
      "fb-2010, 2010, 213, 16, 65536"})
  void partsOfPublicTracesComeWithTheSimulator(String name, String year, int jobs, int nodes, int memory)
      throws Exception {
    Workload workload = FacebookTrace.of(name).orElseThrow().workload(Trace.Span.ALL, ASSUMPTIONS);

    assertThat(workload.jobs()).hasSize(jobs);
    assertThat(workload.title()).contains(year, jobs + " jobs");
    assertThat(workload.nodeMemory()).isEqualTo(memory);
    assertThat(workload.sizes()).containsExactly(new Workload.Size(0, nodes));
  }

  @Test
  void unreadableTraceIsNamed() throws Exception {
    assertThatThrownBy(() -> Trace.read(file("{\"apps\":null}"), BATCH, ASSUMPTIONS))
        .isInstanceOf(IOException.class).hasMessageContaining("no application")
        .hasMessageContaining("root.batch");
    assertThatThrownBy(() -> Trace.read(file("{\"job.start.ms\": \"soon\", \"job.tasks\": []}"),
        Trace.Selection.ALL, ASSUMPTIONS))
        .hasMessageContaining("job.start.ms").hasMessageContaining("soon");
    for (String job : List.of("\"am.memory-mb\": 0", "\"am.memory\": -1", "\"job.start.ms\": -5")) {
      assertThatThrownBy(() -> Trace.read(file("{" + job + ", \"job.tasks\": []}"), Trace.Selection.ALL,
          ASSUMPTIONS)).isInstanceOf(IOException.class).hasMessageContaining("allowed is");
    }
    assertThatThrownBy(() -> Trace.read(file("{\"apps\":{\"app\":["
        + app("broken", "batch", "\"finishedTime\":9,\"memorySeconds\":5") + "]}}"),
        Trace.Selection.ALL, ASSUMPTIONS))
        .hasMessageContaining("broken").hasMessageContaining("startedTime");
    assertThatThrownBy(() -> Trace.read(file("{\"apps\":"), Trace.Selection.ALL, ASSUMPTIONS))
        .isInstanceOf(IOException.class);
  }

  /** As other programs than a ResourceManager write it: a single application, and numbers as strings. */
  @ParameterizedTest
  @ValueSource(strings =
      {"{\"app\":%s}", "{\"apps\":{\"app\":%s}}", "{\"apps\":{\"app\":[%s]}}"})
  void singleApplicationAndNumbersAsStringsAreRead(String answer) throws Exception {
    String app = app("one", "batch", "\"startedTime\":\"90000\",\"launchTime\":\"95000\","
        + "\"finishedTime\":\"395000\",\"memorySeconds\":\"" + (2048 * 300 + 3 * 4096 * 285) + "\"");
    Trace trace = Trace.read(file(String.format(answer, app)), BATCH, ASSUMPTIONS);
    assertThat(trace.jobs()).singleElement().satisfies(job -> assertThat(job.program())
        .isEqualTo(new Program.Spark(4096, 1, 3, false, List.of(new Program.Stage(15, 57_000)))));
    assertThatThrownBy(() -> Trace.read(file(String.format(answer, app.replace("90000", "soon"))), BATCH,
        ASSUMPTIONS)).isInstanceOf(IOException.class).hasMessageContaining("one has no number startedTime");
  }

  @Test
  void syntheticInputOfTheLoadSimulatorIsNamed() {
    assertThatThrownBy(() -> Trace.read(file("{\"num_jobs\":10,\"workloads\":[{\"job_classes\":[]}]}"),
        Trace.Selection.ALL, ASSUMPTIONS)).isInstanceOf(IOException.class)
        .hasMessageContaining("synthetic input of YARN's load simulator")
        .hasMessageContaining("allowed are its input with job.tasks");
  }

  @Test
  void resourceManagerAnswerIsRead() throws Exception {
    String address = "127.0.0.1:" + FreePorts.next();
    Configuration conf = QueueSetup.wholeCluster().with(SchedulerVariants.fifo());
    conf.setBoolean("mockrm.webapp.enabled", true);
    conf.set(YarnConfiguration.RM_WEBAPP_ADDRESS, address);
    conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
    VirtualResourceManager rm = new VirtualResourceManager(conf, attempt -> { }, event -> { });
    try {
      MockNM node = rm.registerNode("127.0.0.1:1234", 8192);
      NodeId labelled = rm.registerNode("127.0.0.2:1234", 4096).getNodeId();
      rm.drain();
      RMNodeLabelsManager labels = rm.getRMContext().getNodeLabelManager();
      labels.addToCluserNodeLabels(Set.of(NodeLabel.newInstance("gpu", true)));
      labels.replaceLabelsOnNode(Map.of(labelled, Set.of("gpu")));
      rm.drain();
      // Later YARN fails at it, since the heartbeats of these nodes do not say what is used.
      String nodes = get("http://" + address + "/ws/v1/cluster/nodes?states=RUNNING");
      RMApp app =
          new Submission("app", "root.batch", 1024).withUser("ann").withType("SPARK").submit(rm);
      rm.drain();
      node.nodeHeartbeat(true);
      rm.drain();
      end(rm, node, app);

      String answer = get("http://" + address + "/ws/v1/cluster/apps");

      // It held its driver for less than a second, which the ResourceManager reports as zero.
      Files.writeString(folder.resolve("apps.json"),
          answer.replaceAll("\"memorySeconds\":\\d+", "\"memorySeconds\":1024"));
      Trace trace = Trace.read(folder.resolve("apps.json"), BATCH, ASSUMPTIONS);
      assertThat(trace.jobs()).singleElement().satisfies(job -> {
        assertThat(job.name()).isEqualTo(app.getApplicationId().toString());
        assertThat(job.type()).isEqualTo("SPARK");
        assertThat(job.user()).isEqualTo("ann");
      });
      Trace live = LiveTrace.on(new ObjectMapper().readTree(nodes), address, trace);
      assertThat(live.nodes()).isEqualTo(1);
      assertThat(live.nodeMemory()).isEqualTo(8192);
      assertThat(live.leftOut()).containsExactly("1 nodes with labels");
    } finally {
      rm.stop();
    }
  }

  private static void end(VirtualResourceManager rm, MockNM node, RMApp app) throws Exception {
    ApplicationId id = app.getApplicationId();
    MockAM master = new MockAM(rm.getRMContext(), rm.getApplicationMasterService(),
        app.getCurrentAppAttempt().getAppAttemptId());
    master.registerAppAttempt(false);
    rm.drain();
    master.unregisterAppAttempt(false);
    rm.drain();
    node.nodeHeartbeat(master.getApplicationAttemptId(), 1, ContainerState.COMPLETE);
    rm.drain();
    assertThat(rm.getRMContext().getRMApps().get(id).getFinishTime()).isPositive();
  }

  private static String get(String address) throws IOException {
    try (InputStream in = URI.create(address).toURL().openStream()) {
      return new String(in.readAllBytes());
    }
  }
}
