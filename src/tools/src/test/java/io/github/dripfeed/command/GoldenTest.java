// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.observe.UserText;
import io.github.dripfeed.tool.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each command prints in a situation, byte for byte. A file has the situation and the width of the
 * terminal (or {@code pipe}) in its first line, the call in its second, and then what is expected; with
 * {@code -Dgolden.write=true} that is written anew.
 */
class GoldenTest extends CommandFixture {

  private static final Path FOLDER = Path.of("src/tools/src/test/resources/golden");
  private static final List<String> ASKING =
      List.of("diagnose", "status", "events", "explain", "view", "off");
  private final TimeZone zone = TimeZone.getDefault();

  @BeforeEach
  void setZone() {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
  }

  @AfterEach
  void resetZone() {
    TimeZone.setDefault(zone);
  }

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void outputIsThatOfTheFile(Path file) throws Exception {
    List<String> lines = Files.readAllLines(file);
    String[] situation = lines.get(0).split(" ");
    situate(situation[0]);
    String call = lines.get(1).substring("$".length()).trim();
    String found = lines.get(0) + "\n" + lines.get(1) + "\n" + normal(run(situation[1], call));
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(file, found);
    }
    assertThat(found).isEqualTo(Files.readString(file));
  }

  private String run(String terminal, String call) {
    String[] words = call.isEmpty() ? new String[0] : call.split(" ");
    boolean isAsking = words.length > 0 && ASKING.contains(words[0]);
    String[] all = isAsking && !call.contains("--rm") ? rm.call(words) : words;
    Output output = terminal.equals("pipe") ? Output.of(all)
        : Output.of(true, Integer.parseInt(terminal), all);
    return text(output.exitCode(), output.out(), output.err());
  }

  private static String text(int exitCode, String out, String err) {
    return out + (err.isEmpty() ? "" : "--- standard error:\n" + err) + "--- exit code " + exitCode + "\n";
  }

  /** Ports, of five digits, and the version are others each time; a slow machine has a progress line. */
  private static String normal(String text) {
    return text.replaceAll("(\rAsking [^\r]*)+\r *\r", "")
        .replaceAll("(127\\.0\\.0\\.1):\\d{5}", "$1:PORT_").replace(Version.line(), "Dripfeed 0.1.0")
        .replace(FakeResourceManager.VERSION, "0.1.0").replace("\u001b", "<ESC>").replace("\r", "<CR>");
  }

  private void situate(String situation) throws IOException {
    switch (situation) {
      case "empty":
        break;
      case "busy":
        rm.busy();
        rm.scheduler(20_000, 5000);
        break;
      case "trap":
        rm.busy();
        rm.record("3.1.4");
        break;
      case "many":
        many();
        break;
      case "labels":
        labels();
        break;
      case "hostile":
        rm.queue("root.batch", 1, 0, 0);
        rm.waiting("root.batch", 1, "eve\u001b]0;owned\u0007\u009b31m", 5)
            .put("name", "\u202egpj.exe\nroot.batch: 0 starting \u4e2d\u6587")
            .put("reason", "\u001b[2Jgone").put("resources", "yarn.io/gpu = 2");
        rm.event(5, 1, "eve\u001b[31m", "NEW STARTING 10", "\u009b31m");
        break;
      case "yarn":
        rm.busy();
        yarn();
        break;
      case "3.1.4":
      case "3.5.0":
        rm.record(situation);
        break;
      case "fair":
        rm.scheduler = "{\"scheduler\":{\"schedulerInfo\":{\"type\":\"fairScheduler\",\"rootQueue\":{}}}}";
        break;
      case "before-the-first":
        rm.hasDripfeed = false;
        rm.scheduler(20_000, 5000);
        break;
      case "empty-queue":
        rm.queue("root.batch", 0, 0, 1);
        rm.scheduler(20_000, 5000);
        break;
      case "deadlocked":
        deadlocked();
        break;
      case "created":
        created();
        break;
      case "rows":
        rows();
        break;
      case "no-dripfeed":
        rm.hasDripfeed = false;
        break;
      case "no-json":
        rm.everything = "<html><script>x</script>Welcome to the\n gateway</html>";
        break;
      case "standby":
        rm.haState = "STANDBY";
        break;
      case "initializing":
        rm.haState = "INITIALIZING";
        break;
      default:
        rm.status = Integer.parseInt(situation);
        rm.challenge = rm.status == 401 ? "Basic realm=\"x\"" : null;
        rm.everything = "an answer";
    }
  }

  /** Of each kind of queue one, beside more idle ones than are shown. */
  private void many() {
    for (int i = 0; i < 11; i++) {
      rm.queue("root.idle" + i, 0, 0, 1);
    }
    rm.queue("root.line", 1500, 0, 0).put("group", "all").put("maxStarting", "auto")
        .put("waitingForRoom", 3).put("takenBack", 1).put("startIntervalLowSeconds", 0)
        .put("startIntervalHighSeconds", 0);
    rm.waiting("root.line", 21, "bob", 100).put("place", -1).put("priority", -1)
        .put("startsInLowSeconds", -1);
    rm.waiting("root.line", 22, "a-user-with-a-very-long-name-from-a-directory", 90_000).put("priority", 5)
        .put("memoryMb", 1500).put("vcores", 2).put("resources", "yarn.io/gpu = 2");
    rm.queue("root.starting", 0, 1500, 0).put("startsCounted", 1);
    rm.starting("root.starting", 23, "alice", 400).put("lacks", "").put("atMostSeconds", -1);
    rm.queue("root.pending", 0, 0, 0).put("pendingActivation", 3).put("changedSettings", "")
        .put("startsCounted", 0);
  }

  /** One that asks for nothing blocks nobody, and the only one that asks may be new. */
  private void deadlocked() {
    rm.queue("root.batch", 0, 3, 0);
    rm.starting("root.batch", 100, "alice", 400);
    rm.starting("root.batch", 101, "bob", 300);
    rm.starting("root.batch", 102, "bob", 20).put("lacks", "1 executor, not requested")
        .put("requests", "no");
    rm.queue("root.new", 0, 2, 0);
    rm.starting("root.new", 110, "alice", 400);
    rm.starting("root.new", 111, "bob", 119);
    rm.queue("root.one", 0, 1, 0);
    rm.starting("root.one", 120, "alice", 400);
  }

  /** Queues that YARN has created, with a label, and one that holds nobody. */
  private void created() {
    String queue = "{\"queueName\":\"%s\",\"%s\":%s,\"capacities\":{\"queueCapacitiesByPartition\":["
        + "{\"partitionName\":\"\",\"maxAMLimitPercentage\":100.0,\"effectiveMaxResource\":%s},"
        + "{\"partitionName\":\"gpu\",\"maxAMLimitPercentage\":100.0,\"effectiveMaxResource\":%s},"
        + "{\"partitionName\":\"low\",\"maxAMLimitPercentage\":10.0}]},"
        + "\"resources\":{\"resourceUsagesByPartition\":[]}%s}";
    String most = "{\"memory\":5000,\"vCores\":50}";
    String old = String.format(queue, "old", "isAutoCreatedLeafQueue", "true", most, most, "");
    String flexible =
        String.format(queue, "new", "creationMethod", "\"dynamicFlexible\"", most, most, "");
    rm.scheduler = "{\"scheduler\":{\"schedulerInfo\":" + String.format(queue, "root", "type", "0", most,
        most, ",\"queues\":{\"queue\":[" + old + "," + flexible + "]}") + "}}";
    rm.queue("root.old", 2, 0, 0).put("changedSettings", "max-starting = auto; exempt-types = TEZ,FLINK");
    rm.waiting("root.old", 13, "bob", 100);
    rm.waiting("root.old", "gpu", 14, "bob", 90).put("memoryMb", 6144);
    rm.queue("root.new", 2, 0, 0).put("maxStarting", "").put("changedSettings", "enforce = false");
  }

  /** More applications than are shown, and reasons that are longer than the tables keep. */
  private void rows() {
    rm.queue("root.batch", 0, 21, 0).put("pendingActivation", 2);
    for (int i = 0; i < 21; i++) {
      rm.starting("root.batch", 100 + i, "alice", 300 + i);
    }
    String reason = "Application is added to the scheduler and is not yet activated. ".repeat(5);
    rm.pending("root.batch", 200, "bob", 30).put("reason", UserText.plain(reason));
    rm.pending("root.batch", 201, "bob", 30).put("reason", "x".repeat(300));
  }

  private void labels() {
    rm.queue("root.batch", 3, 1, 0).put("waitingForSlot", 3);
    rm.starting("root.batch", 12, "alice", 36).put("partition", "gpu");
    rm.waiting("root.batch", 13, "bob", 100);
    rm.waiting("root.batch", "gpu", 14, "bob", 90);
    rm.waiting("root.batch", "gpu", 15, "carol", 80);
  }

  private void yarn() {
    String yarn = "{\"queue\":\"%s\",\"state\":\"%s\",\"user\":\"eve\",\"name\":\"x\",\"applicationType\":"
        + "\"TEZ\",\"startedTime\":" + (FakeResourceManager.NOW - 60_000) + ",\"runningContainers\":%d,"
        + "\"finishedTime\":%d,\"finalStatus\":\"KILLED\",\"diagnostics\":\"%s\"}";
    rm.applications.put(FakeResourceManager.id(31),
        String.format(yarn, "default", "ACCEPTED", -1, 0, ""));
    rm.applications.put(FakeResourceManager.id(32), String.format(yarn, "batch", "RUNNING", 3, 0, ""));
    rm.applications.put(FakeResourceManager.id(33), String.format(yarn, "batch", "ACCEPTED", -1, 0,
        "Waiting for something"));
    rm.applications.put(FakeResourceManager.id(34), String.format(yarn, "batch", "KILLED", -1,
        FakeResourceManager.NOW - 5000, "Killed by eve"));
    rm.queue("root.long", 7, 0, 0);
    rm.applications.put(FakeResourceManager.id(35), String.format(yarn, "long", "ACCEPTED", -1, 0,
        "Application is Activated. Held by StateAwareOrderingPolicy: More than 50 applications are before"
            + " it in line; the next waits for a starting slot. Details : AM Partition = x ; "));
  }
}
