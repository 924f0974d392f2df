// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The JSON input of YARN's scheduler load simulator (hadoop-sls): jobs with their tasks. Each task is a
 * container with a duration. Maps come before reduces; other tasks start together. Values may be numbers
 * or strings, as in the original.
 */
final class LoadSimulatorTrace {

  /** The defaults of that simulator, in MB. */
  private static final int CONTAINER_MEMORY = 1024;

  private final String queue;
  private final Trace.Assumptions assumptions;
  private final Set<String> hosts = new HashSet<>();
  private int nodes;
  private int tasksWithoutDuration;

  LoadSimulatorTrace(String queue, Trace.Assumptions assumptions) {
    this.queue = queue;
    this.assumptions = assumptions;
  }

  Trace read(List<JsonNode> entries) throws IOException {
    List<Job> jobs = new ArrayList<>();
    for (JsonNode entry : entries) {
      // Manual files often wrap the sequence in an array.
      for (JsonNode job : entry.isArray() ? entry : List.of(entry)) {
        nodes += (int) number(job, "num.nodes", 0);
        if (job.has("job.tasks")
            && Trace.isOf(queue, job.path("job.queue.name").asText("default"))) {
          addTo(jobs, job);
        }
      }
    }
    List<String> leftOut = tasksWithoutDuration == 0 ? List.of()
        : List.of(tasksWithoutDuration + " tasks without a duration");
    return new Trace(
        Trace.Format.LOAD_SIMULATOR, jobs, nodes > 0 ? nodes : hosts.size(), leftOut);
  }

  private void addTo(List<Job> jobs, JsonNode job) throws IOException {
    List<Program.Task> first = new ArrayList<>();
    List<Program.Task> then = new ArrayList<>();
    for (JsonNode task : job.path("job.tasks")) {
      if (task.has("container.host")) {
        hosts.add(task.path("container.host").asText());
      }
      List<Program.Task> wave =
          task.path("container.type").asText().equals("reduce") ? then : first;
      long millis = number(task, "container.duration.ms", number(task, "duration.ms",
          number(task, "container.end.ms", 0) - number(task, "container.start.ms", 0)));
      long count = Math.max(1, number(task, "count", 1));
      if (millis <= 0) {
        tasksWithoutDuration += (int) count;
        continue;
      }
      for (int i = 0; i < count; i++) {
        wave.add(new Program.Task(memory(task, "container.memory"), millis));
      }
    }
    long count = Math.max(1, number(job, "job.count", 1));
    String name = job.path("job.id").asText("job_" + (jobs.size() + 1));
    long submitted = number(job, "job.start.ms", 0);
    if (submitted < 0) {
      throw new IOException(name + ": job.start.ms = '" + submitted + "'; allowed is 0 or more");
    }
    for (int i = 0; i < count; i++) {
      jobs.add(new Job(count > 1 ? name + "_" + i : name,
          job.path("am.type").asText("mapreduce").toUpperCase(Locale.ROOT),
          job.path("job.user").asText("default"), submitted, 0, memory(job, "am.memory"),
          assumptions.startUpMillis(), new Job.Fate.Well(), new Program.Tasks(List.of(first, then))));
    }
  }

  /** In MB; both names of the field are in use. */
  private static int memory(JsonNode node, String field) throws IOException {
    long memory = number(node, field + "-mb", number(node, field, CONTAINER_MEMORY));
    if (memory <= 0 || memory > Integer.MAX_VALUE) {
      throw new IOException(
          field + " = '" + memory + "'; allowed is 1 to " + Integer.MAX_VALUE + ", in MB");
    }
    return (int) memory;
  }

  private static long number(JsonNode node, String field, long otherwise) throws IOException {
    JsonNode value = node.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    try {
      return Long.parseLong(value.asText());
    } catch (NumberFormatException e) {
      throw new IOException(field + " = '" + value.asText() + "' is not a whole number");
    }
  }
}
