// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The answer of {@code /ws/v1/cluster/apps}, or that for one application. It contains when an application
 * arrived, when its driver was launched, when it ended, and its memory over time, but not the sizes of its
 * containers. The replay uses a driver and executors of assumed sizes that hold the same memory for as long
 * as the application ran, or, if the virtual cores of an executor are given, the same memory and the same
 * virtual cores.
 */
final class ApplicationsTrace {

  /** Divides the work into tasks, so that fewer executors take longer. */
  private static final long TASK_MILLIS = 60_000;

  private final String queue;
  private final Trace.Assumptions assumptions;

  ApplicationsTrace(String queue, Trace.Assumptions assumptions) {
    this.queue = queue;
    this.assumptions = assumptions;
  }

  Trace read(JsonNode answer) throws IOException {
    List<Job> jobs = new ArrayList<>();
    int unfinished = 0;
    int unlaunched = 0;
    int contradictory = 0;
    for (JsonNode app : elements(answer.has("app") ? answer.path("app") : answer.at("/apps/app"))) {
      if (!Trace.isOf(queue, app.path("queue").asText())) {
        continue;
      }
      if (app.path("finishedTime").asLong() <= 0) {
        unfinished++;
      } else if (app.path("memorySeconds").asLong() <= 0) {
        unlaunched++;
      } else {
        Optional<Job> job = job(app);
        job.ifPresent(jobs::add);
        contradictory += job.isPresent() ? 0 : 1;
      }
    }
    List<String> leftOut = new ArrayList<>();
    if (unfinished > 0) {
      leftOut.add(unfinished + " applications that had not ended");
    }
    if (unlaunched > 0) {
      leftOut.add(unlaunched + " applications that never had a container");
    }
    if (contradictory > 0) {
      leftOut.add(contradictory + " applications that had virtual cores for executors, but no memory for"
          + " them beyond the assumed AM of " + assumptions.driverMemory()
          + " MB: is --driver-memory too large?");
    }
    return new Trace(Trace.Format.APPLICATIONS, jobs, 0, leftOut).startingAtZero();
  }

  /** Some programs that turn XML into JSON write one element where others write a list of one. */
  static Iterable<JsonNode> elements(JsonNode list) {
    return list.isObject() ? List.of(list) : list;
  }

  /** What the assumptions made of applications without a word. */
  static List<String> remarks(List<Job> replayed, Trace.Assumptions assumptions) {
    long alone = replayed.stream().filter(job -> job.program() instanceof Program.DriverOnly).count();
    if (alone == 0) {
      return List.of();
    }
    String of = alone + " of " + replayed.size() + " applications had no ";
    String then = ", and are replayed as AMs alone: is ";
    return List.of(assumptions.executorVcores() > 0
        ? of + "virtual cores for an executor of " + assumptions.executorVcores()
            + " beyond the one of the AM" + then + "--executor-vcores too large?"
        : of + "memory for an executor of " + assumptions.executorMemory()
            + " MB beyond the assumed AM of " + assumptions.driverMemory() + " MB" + then
            + "--driver-memory or --executor-memory too large?");
  }

  /** Nothing if its virtual cores and its memory contradict each other. */
  private Optional<Job> job(JsonNode app) throws IOException {
    long started = required(app, "startedTime");
    // Versions before 3.1 do not contain the launch time.
    long launched = Math.max(started, app.path("launchTime").asLong());
    long ran = Math.max(1000, required(app, "finishedTime") - launched);
    long startUp = Math.min(assumptions.startUpMillis(), ran / 2);
    long worked = ran - startUp;
    double memorySeconds = required(app, "memorySeconds") - assumptions.driverMemory() * (ran / 1000.0);
    int memory = assumptions.executorMemory();
    double executorSeconds = memorySeconds / memory;
    if (assumptions.executorVcores() > 0) {
      // A driver has one.
      executorSeconds = Math.max(0,
          (required(app, "vcoreSeconds") - ran / 1000.0) / assumptions.executorVcores());
      memory = (int) Math.min(Integer.MAX_VALUE, Math.max(0, Math.round(memorySeconds / executorSeconds)));
    }
    int executors = (int) Math.round(executorSeconds / (worked / 1000.0));
    if (executors > 0 && memory == 0) {
      return Optional.empty();
    }
    String type = app.path("applicationType").asText("YARN");
    return Optional.of(new Job(app.path("id").asText(), type, app.path("user").asText("user"), started,
        Math.max(0, app.path("priority").asInt()), assumptions.driverMemory(), startUp,
        new Job.Fate.Well(), program(type, executors, memory, worked)));
  }

  private static Program program(String type, int executors, int memory, long worked) {
    if (executors <= 0) {
      return new Program.DriverOnly(worked);
    }
    int rounds = (int) Math.max(1, Math.round((double) worked / TASK_MILLIS));
    if (type.equals("MAPREDUCE")) {
      List<Program.Task> wave = Collections.nCopies(
          executors, new Program.Task(memory, worked / rounds));
      return new Program.Tasks(Stream.generate(() -> wave).limit(rounds).toList());
    }
    return new Program.Spark(memory, 1, executors, false,
        List.of(new Program.Stage(executors * rounds, worked / rounds)));
  }

  private static long required(JsonNode app, String field) throws IOException {
    if (!app.path(field).asText().matches("-?\\d+")) {
      throw new IOException("Application " + app.path("id").asText() + " has no number " + field);
    }
    return app.path(field).asLong();
  }
}
