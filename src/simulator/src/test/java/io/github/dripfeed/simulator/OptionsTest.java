// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.StateAwareOrderingPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Mistakes on the command line end it with a line that says what is allowed, before anything runs. */
class OptionsTest {

  @TempDir
  private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int simulate(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--processes", "1", "--progress", "none"));
    if (!all.contains("--out")) {
      all.addAll(List.of("--out", folder.toString()));
    }
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
        .execute(all.toArray(new String[0]));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "--rounds 0 | --rounds = '0'",
      "--workload fb-2009 --from 99999 | --workload: fb-2009 has no application",
      "--workload replay-apps --queue x | --workload: replay-apps has no application",
      "--workload replay-sls --scheduler none.xml --queue root.batch | --scheduler: none.xml: there is no",
      "--workload replay-sls --scheduler BAD --queue root.batch | --scheduler: BAD cannot be read",
      "--workload replay-sls --scheduler GOOD --queue root.batch | GOOD has no queue root.batch",
      "--workload replay-sls --nodes 6x1000 | wants a container of",
      "--workload fb-2010 --driver-memory 70000 | wants a container of 70000 MB, and a node has 65536 MB",
      "--workload fb-2009 --executor-memory 17000 | wants a container of 17000 MB, and a node has 16384 MB",
      "--workload replay-apps --scheduler SMALL --queue root.batch | wants a container of 4096 MB, and"
          + " root.batch allows 4000 MB (maximum-allocation-mb)",
      "--workload replay-sls --scheduler UNEQUAL --queue root.batch | --scheduler: UNEQUAL: YARN refuses"
          + " it, as configured: Illegal capacity",
      "--workload replay-sls --scheduler UNKNOWN --queue root.batch | --scheduler: UNKNOWN: YARN refuses"
          + " it, as configured: java.lang.ClassNotFoundException: com.acme.Order",
      "--workload replay-sls --scheduler NONE --queue root.batch | max-starting = '0'",
      "--workload replay-sls --scheduler BROKEN --queue root.a.batch | BROKEN has no queue root.a",
      "--workload replay-sls --to 10 --out GOOD | --out = 'GOOD': GOOD is no folder",
      "--workload replay-sls --to 10 --out GOOD/below | --out = 'GOOD/below': GOOD is no folder",
      "--forecast-accuracy --workload burst --rounds 1 --out GOOD | --out = 'GOOD': GOOD is no folder",
      "--workload burst --scheduler GOOD | --scheduler does nothing for burst",
      "--workload burst,short --nodes 6x16384 | --nodes does nothing for burst, short",
      "--workload fb-2009 --queue root.drip | --queue does nothing for fb-2009",
      "--workload fb-2009,replay-sls,idle,scale --rounds 2 | --rounds does nothing for fb-2009, replay-sls",
      "--workload fb-2010,idle --seed 7 | --seed does nothing for fb-2010, idle",
      "--trace ROWS --rounds 1 | --rounds does nothing for --trace",
      "--trace ROWS --seed 7 | --seed does nothing for --trace",
      "--workload idle --settings auto | --settings does nothing for idle",
      "--workload profiles,idle --dominant | --dominant does nothing for profiles, idle",
      "--trace STAGES --executor-memory 1024 | --executor-memory does nothing for a trace of stages",
      "--trace STAGES --nodes 6x256 --driver-memory 256 | one wants a container of 512 MB",
      "--trace ROWS --executor-vcores 1 | --executor-vcores does nothing for a trace in the format of SWIM",
      "--trace ROWS --queue root.batch | --queue does nothing for a trace in the format of SWIM",
      "--trace LOAD --executor-memory 1024 | --executor-memory does nothing for a trace of YARN's sched",
      "--trace LOAD --driver-memory 1024 | --driver-memory does nothing for a trace of YARN's scheduler",
      "--trace APPS --throughput 9 | --throughput does nothing for a trace of YARN's applications",
      "--workload burst --trace GOOD | --trace replays recorded applications instead of --workload",
      "--workload burst --ask-every 5 | --ask-every does nothing without --forecast-accuracy",
      "--workload idle --forecast-accuracy | workloads idle, tenants, steady-200, scale"
          + " cannot be asked",
      "--workload burst,scale --forecast-accuracy | workloads idle, tenants, steady-200, scale"
          + " cannot be asked",
      "--workload burst --settings gang,none | no setting has 'none'"})
  void mistakeIsNamedInALine(String arguments, String message) throws Exception {
    String good = file("good.xml", "<configuration><property><name>yarn.scheduler.capacity.root.queues"
        + "</name><value>drip</value></property></configuration>");
    String bad = file("bad.xml", "<configuration><property>");
    Map<String, String> files = new HashMap<>(Map.of("GOOD", good, "BAD", bad,
        "SMALL", withBatch("small", "root.batch.maximum-allocation-mb", "4000"),
        "ROWS", file("jobs.tsv", "job\t1\t1\t1\t1\t1\n"),
        "LOAD", file("jobs.json", "{\"job.tasks\":[{\"duration.ms\":1000}]}"),
        "APPS", file("apps.json", "{\"apps\":{\"app\":[{\"startedTime\":1,\"finishedTime\":90000,"
            + "\"memorySeconds\":900000}]}}"),
        "BROKEN", withBatch("broken", "root.a.queues", "batch", "root.a.batch.capacity", "100"),
        "UNEQUAL", withBatch("unequal", "root.batch.capacity", "50"),
        "UNKNOWN", withBatch("unknown", "root.batch.ordering-policy", "com.acme.Order"),
        "NONE", withBatch("none", "root.batch.ordering-policy", StateAwareOrderingPolicy.class.getName(),
            "root.batch.ordering-policy.state-aware.max-starting", "0")));
    files.put("STAGES",
        file("jobs.csv", "application,submit,tasks,seconds,memory\none,0,2,9.5,512\n"));
    String typed = arguments;
    String named = message;
    for (Map.Entry<String, String> file : files.entrySet()) {
      typed = typed.replace(file.getKey(), file.getValue());
      named = named.replace(file.getKey(), file.getValue());
    }

    assertThat(simulate(typed.split(" "))).as(err.toString()).isEqualTo(CommandLine.ExitCode.USAGE);

    assertThat(err.toString().lines().findFirst().orElseThrow()).contains(named);
    assertThat(err.toString()).doesNotContain("\tat ");
    assertThat(out.toString()).isEmpty();
  }

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  /** A file with the queue root.batch and these properties. */
  private String withBatch(String name, String... properties) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(Map.of("root.queues", "batch",
        "root.batch.capacity", "100"));
    for (int i = 0; i < properties.length; i += 2) {
      all.put(properties[i], properties[i + 1]);
    }
    StringBuilder xml = new StringBuilder("<configuration>");
    all.forEach((key, value) -> xml.append("<property><name>yarn.scheduler.capacity.").append(key)
        .append("</name><value>").append(value).append("</value></property>"));
    return file(name + ".xml", xml + "</configuration>");
  }

  @Test
  void commaOfASettingsNameBelongsToIt() {
    assertThat(simulate("--workload", "replay-sls", "--to", "10", "--settings",
        "gang, first executor,Dripfeed, fair")).as(err.toString()).isZero();

    assertThat(out.toString().lines().filter(line -> line.contains(", round 1, "))).hasSize(2)
        .anyMatch(line -> line.startsWith("replay-sls, round 1, gang, first executor: "))
        .anyMatch(line -> line.startsWith("replay-sls, round 1, Dripfeed, fair: "));
  }
}
