// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A process that runs one simulation after the other. Used by one thread; {@link #kill} by any. */
final class WorkerProcess {

  private static final int KEPT_LINES = 30;
  private static final Predicate<String> COLLECTOR =
      Pattern.compile("-XX:\\+Use.*GC").asMatchPredicate();
  /**
   * Inlining less makes each method faster to compile. Each process compiles all of YARN for a few minutes
   * of simulations, on a processor that another process needs (docs/simulator.md).
   */
  private static final List<String> LESS_INLINING = List.of("-XX:+IgnoreUnrecognizedVMOptions",
      "-XX:InlineSmallCode=300", "-XX:MaxInlineLevel=3", "-XX:FreqInlineSize=100");

  /** Debuggers, agents, ports and recordings of which there can be one, and what prints where it would. */
  private static final Predicate<String> OF_ONE_PROCESS = Pattern.compile(
      "-(javaagent|agentlib|agentpath|Xrunjdwp|Xlog|verbose|XX:\\+PrintGC|XX:StartFlightRecording"
          + "|Dcom\\.sun\\.management\\.jmxremote).*").asMatchPredicate();
  /** Its standard output is for messages alone. */
  private static final List<String> QUIET =
      List.of("-Xlog:disable", "-Xlog:all=warning:stderr", "-XX:+DisplayVMOutputToStderr");
  /** Java adds the options that these have, also those that must not be copied; they are among ours. */
  private static final List<String> VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private final Process process;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Thread lines;
  private ObjectOutputStream out;
  private ObjectInputStream in;

  /**
   * A process like this one: the same Java, options and class path. Its garbage collector has one thread,
   * unless an option chooses another one: a simulation has one, and the other processors have others. Its
   * compiler inlines less, unless an option says how much.
   */
  WorkerProcess() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(workerOptions(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    // Where this process is an executable jar, its manifest has opened it.
    command.addAll(List.of("--add-opens=java.base/java.lang=ALL-UNNAMED",
        "-classpath", System.getProperty("java.class.path"), Worker.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeAll(VARIABLES);
    process = builder.start();
    lines = new Thread(this::readLines, "output of " + process.pid());
    lines.setDaemon(true);
    lines.start();
  }

  /** @param own the options of this process */
  static List<String> workerOptions(List<String> own) {
    List<String> options = new ArrayList<>();
    if (own.stream().noneMatch(COLLECTOR)) {
      options.add("-XX:+UseSerialGC");
    }
    // Of two equal options the later one counts.
    options.addAll(LESS_INLINING);
    own.stream().filter(OF_ONE_PROCESS.negate()).forEach(options::add);
    options.addAll(QUIET);
    return options;
  }

  /** Keeps what the process printed last, warnings of YARN for example: it may say why one fails. */
  private void readLines() {
    try (BufferedReader reader = new BufferedReader(
        new InputStreamReader(process.getErrorStream(), Charset.defaultCharset()))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (lastLines) {
          lastLines.add(line);
          if (lastLines.size() > KEPT_LINES) {
            lastLines.remove();
          }
        }
      }
    } catch (IOException e) {
      // The process has ended.
    }
  }

  /** @throws SimulationFailed if the simulation fails or the process ends */
  SimulationResult run(SimulationTask task, SimulationListener listener) throws SimulationFailed {
    try {
      if (out == null) {
        out = new ObjectOutputStream(process.getOutputStream());
        in = new ObjectInputStream(process.getInputStream());
      }
      out.writeObject(task);
      out.flush();
      out.reset();
      while (true) {
        Object message = in.readObject();
        if (message instanceof WorkerMessage.Finished finished) {
          return finished.result();
        } else if (message instanceof WorkerMessage.Failed failed) {
          throw failed(task, failed);
        } else if (message instanceof WorkerMessage.Reached reached) {
          listener.reached(reached.virtualMillis(), reached.ended());
        }
      }
    } catch (IOException | ClassNotFoundException e) {
      throw new SimulationFailed(task, ending(), output());
    }
  }

  /** With what the process printed, all of which is there once it has ended. */
  private SimulationFailed failed(SimulationTask task, WorkerMessage.Failed failed) throws IOException {
    out.close();
    ending();
    return new SimulationFailed(task, failed.message(), failed.stackTrace() + output());
  }

  private String ending() {
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        return "its process " + process.pid() + " does not answer";
      }
      lines.join(1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "its process " + process.pid() + " ended"
        + (process.isAlive() ? "" : " with the exit code " + process.exitValue());
  }

  private String output() {
    synchronized (lastLines) {
      return lastLines.isEmpty() ? "" : "Its last output:\n" + String.join("\n", lastLines);
    }
  }

  long pid() {
    return process.pid();
  }

  void kill() {
    process.destroyForcibly();
  }
}
