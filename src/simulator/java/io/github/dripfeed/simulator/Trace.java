/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Recorded applications in one of two formats: the input of YARN's scheduler load simulator, or the
 * ResourceManager's answer at {@code /ws/v1/cluster/apps}.
 *
 * @param jobs by submission time, which begins at 0
 * @param nodes the number of nodes of the recorded cluster, 0 if unknown
 * @param leftOut what the replay omits, a sentence for each reason
 */
record Trace(List<Job> jobs, int nodes, List<String> leftOut) {

  /** Assumptions for what recordings do not contain. Sizes in MB, times in milliseconds. */
  record Assumptions(int driverMemory, int executorMemory, long startUpMillis) {
  }

  /** @param queue counts only applications of this queue: its path, or its last part; null for all */
  static Trace read(Path file, String queue, Assumptions assumptions) throws IOException {
    return read(file.toString(), Files.readAllBytes(file), queue, assumptions);
  }

  /** @param name the name of the input, for people */
  static Trace read(String name, byte[] recording, String queue, Assumptions assumptions)
      throws IOException {
    List<JsonNode> entries = new ArrayList<>();
    try (MappingIterator<JsonNode> all =
        new ObjectMapper().readerFor(JsonNode.class).readValues(recording)) {
      // One format is an object, the other a sequence of objects, or an array.
      while (all.hasNextValue()) {
        entries.add(all.nextValue());
      }
    }
    Trace trace = entries.size() == 1 && entries.get(0).has("apps")
        ? new ApplicationsTrace(queue, assumptions).read(entries.get(0))
        : new LoadSimulatorTrace(queue, assumptions).read(entries);
    if (trace.jobs.isEmpty()) {
      throw new IOException(name + " has no application that could be replayed"
          + (queue == null ? "" : " in queue " + queue) + " " + trace.leftOut);
    }
    return trace;
  }

  /** Whether a recording names the queue under study: by its path, or by its last part. */
  static boolean isOf(String queue, String recorded) {
    return queue == null || recorded.equals(queue)
        || recorded.equals(queue.substring(queue.lastIndexOf('.') + 1));
  }

  /** The same, starting with its first submission, in order. */
  static Trace of(List<Job> jobs, int nodes, List<String> leftOut) {
    long first = jobs.stream().mapToLong(Job::submitMillis).min().orElse(0);
    List<Job> shifted = new ArrayList<>();
    for (Job job : jobs) {
      shifted.add(new Job(job.name(), job.type(), job.user(), job.submitMillis() - first,
          job.priority(), job.driverMemory(), job.startUpMillis(), job.fate(), job.program()));
    }
    shifted.sort(Comparator.comparingLong(Job::submitMillis));
    return new Trace(shifted, nodes, leftOut);
  }
}
