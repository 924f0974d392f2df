// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of a process that runs simulations. */
class WorkerProcessTest {

  @ParameterizedTest
  @ValueSource(strings = {"-Xlog:gc", "-Xlog:gc*:file=gc.log", "-Xloggc:gc.log", "-verbose:class",
      "-XX:+PrintGCDetails", "-agentpath:/profiler.so", "-agentlib:jdwp=transport=dt_socket,address=5005",
      "-Xrunjdwp:transport=dt_socket", "-javaagent:coverage.jar", "-XX:StartFlightRecording:filename=a.jfr",
      "-Dcom.sun.management.jmxremote.port=9999"})
  void optionThatOnlyOneProcessCanHaveIsNotCopied(String option) {
    assertThat(WorkerProcess.workerOptions(List.of("-Xmx2g", option, "-Da=b")))
        .containsSubsequence("-Xmx2g", "-Da=b").doesNotContain(option);
  }

  @Test
  void ownOptionsCountMoreThanTheDefaults() {
    assertThat(WorkerProcess.workerOptions(List.of("-XX:MaxInlineLevel=9", "-XX:+UseParallelGC")))
        .containsSubsequence("-XX:MaxInlineLevel=3", "-XX:MaxInlineLevel=9")
        .contains("-XX:+UseParallelGC").doesNotContain("-XX:+UseSerialGC");
    assertThat(WorkerProcess.workerOptions(List.of())).contains("-XX:+UseSerialGC");
  }

  /** The messages are there. */
  @Test
  void javaPrintsNothingOnTheStandardOutput() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(WorkerProcess.workerOptions(List.of("-XX:+PrintGC", "-Xlog:class+load", "-Xint",
        "-XX:+PrintCompilation", "-XX:+PrintFlagsFinal")));
    command.add("-version");
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();

    assertThat(new String(process.getInputStream().readAllBytes())).isEmpty();

    assertThat(process.waitFor()).isZero();
  }
}
