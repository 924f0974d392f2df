// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Recorded applications in one of four formats: the ResourceManager's answer at
 * {@code /ws/v1/cluster/apps}, the input of YARN's scheduler load simulator, that of SWIM, or a table of
 * stages.
 *
 * @param jobs the applications; those of {@link #read} are in order, and the first is submitted at 0
 * @param nodes the number of nodes of the recorded cluster, 0 if unknown
 * @param nodeMemory the memory of each, in MB; 0 if unknown
 * @param leftOut what the replay omits, a sentence for each reason
 * @param remarks sentences about what the replay does otherwise than one might think
 */
record Trace(Format format, List<Job> jobs, int nodes, int nodeMemory, List<String> leftOut,
    List<String> remarks) {

  private static final int HOUR_MILLIS = 3_600_000;

  /** A format, and the options that count for it. */
  enum Format {
    APPLICATIONS("replay-apps", "of YARN's applications"),
    LOAD_SIMULATOR("replay-sls", "of YARN's scheduler load simulator"),
    SWIM("fb-2009", "in the format of SWIM"),
    STAGES("stages", "of stages");

    private final String example;
    private final String title;

    Format(String example, String title) {
      this.example = example;
      this.title = title;
    }

    /** A workload of this format, or what stands for one where none comes with the simulator. */
    String example() {
      return example;
    }

    String title() {
      return title;
    }
  }

  Trace(Format format, List<Job> jobs, int nodes, List<String> leftOut) {
    this(format, jobs, nodes, 0, leftOut, List.of());
  }

  /**
   * Assumptions for what recordings do not contain. Sizes in MB, times in milliseconds.
   *
   * @param executorVcores of each executor where the recording has virtual cores over time, which then tell
   *     how many executors there were, and of which size; 0: all have {@code executorMemory}
   * @param data for recordings that contain only the amounts of data
   */
  record Assumptions(int driverMemory, int executorMemory, int executorVcores, long startUpMillis,
      DataAssumptions data) {

    Assumptions(int driverMemory, int executorMemory, long startUpMillis, DataAssumptions data) {
      this(driverMemory, executorMemory, 0, startUpMillis, data);
    }
  }

  /**
   * How many executors process data, and how fast.
   *
   * @param bytes the data for which one executor is requested
   * @param most the largest number of executors
   * @param bytesPerSecond the throughput of one executor
   * @param shortestMillis the time of a task that has next to no data
   */
  record DataAssumptions(long bytes, int most, long bytesPerSecond, long shortestMillis) {
  }

  /**
   * A part of a recording, by the clock of the recording. In the answer of the ResourceManager it begins
   * at the first submission; the other formats have a clock of their own.
   *
   * @param fromMillis the first time that belongs to it
   * @param toMillis the first time that no longer does
   */
  record Span(long fromMillis, long toMillis) {

    static final Span ALL = new Span(0, Long.MAX_VALUE);

    boolean contains(Job job) {
      return job.submitMillis() >= fromMillis && job.submitMillis() < toMillis;
    }
  }

  /**
   * What is replayed of a recording.
   *
   * @param queue only applications of this queue: its path, or its last part; null for all. Tables have
   *     none
   */
  record Selection(String queue, Span span) {

    static final Selection ALL = new Selection(null, Span.ALL);
  }

  static Trace read(Path file, Selection selection, Assumptions assumptions) throws IOException {
    return read(file.toString(), Files.readAllBytes(file), selection, assumptions);
  }

  /** @param name the name of the input, for people */
  static Trace read(String name, byte[] recording, Selection selection, Assumptions assumptions)
      throws IOException {
    Trace all = isJson(recording) ? readJson(recording, selection.queue(), assumptions)
        : readTable(name, recording, assumptions);
    return select(name, all, selection, assumptions);
  }

  /** The part of a recording, if there is anything in it. */
  static Trace select(String name, Trace all, Selection selection, Assumptions assumptions)
      throws IOException {
    Trace trace = all.within(selection.span()).startingAtZero();
    if (trace.jobs.isEmpty()) {
      throw new IOException(name + " has no application that could be replayed"
          + (selection.queue() == null ? "" : " in queue " + selection.queue()) + " " + trace.leftOut);
    }
    return new Trace(trace.format, trace.jobs, trace.nodes, trace.nodeMemory, trace.leftOut,
        ApplicationsTrace.remarks(trace.jobs, assumptions));
  }

  private static Trace readTable(String name, byte[] recording, Assumptions assumptions)
      throws IOException {
    return StageTrace.isOf(recording) ? new StageTrace(name, assumptions).read(recording)
        : new SwimTrace(name, assumptions).read(recording);
  }

  /** The hours of a table, by its own clock, that have more jobs than that. */
  static SortedMap<Integer, Trace> hours(Path file, Span span, int moreThan, Assumptions assumptions)
      throws IOException {
    byte[] recording = Files.readAllBytes(file);
    if (isJson(recording)) {
      throw new IOException(file + " is neither in the format of SWIM nor of stages");
    }
    Trace all = readTable(file.toString(), recording, assumptions).within(span);
    SortedMap<Integer, Trace> hours = new TreeMap<>();
    all.jobs.stream().collect(Collectors.groupingBy(job -> (int) (job.submitMillis() / HOUR_MILLIS)))
        .forEach((hour, inside) -> {
          if (inside.size() > moreThan) {
            hours.put(hour, new Trace(all.format, inside, 0, List.of()).startingAtZero());
          }
        });
    if (hours.isEmpty()) {
      throw new IOException(file + " has no hour with more than " + moreThan + " jobs");
    }
    return hours;
  }

  private static boolean isJson(byte[] recording) {
    String begin = new String(recording, 0, Math.min(recording.length, 100), StandardCharsets.UTF_8).trim();
    return begin.startsWith("{") || begin.startsWith("[");
  }

  private static Trace readJson(byte[] recording, String queue, Assumptions assumptions)
      throws IOException {
    List<JsonNode> entries = new ArrayList<>();
    try (MappingIterator<JsonNode> all =
        new ObjectMapper().readerFor(JsonNode.class).readValues(recording)) {
      // One format is an object, the other a sequence of objects, or an array.
      while (all.hasNextValue()) {
        entries.add(all.nextValue());
      }
    }
    JsonNode first = entries.isEmpty() ? MissingNode.getInstance() : entries.get(0);
    if (first.has("workloads")) {
      throw new IOException("This is the synthetic input of YARN's load simulator, which has chances of"
          + " jobs and no jobs to replay: allowed are its input with job.tasks, and answers of a"
          + " ResourceManager");
    }
    return entries.size() == 1 && (first.has("apps") || first.has("app"))
        ? new ApplicationsTrace(queue, assumptions).read(first)
        : new LoadSimulatorTrace(queue, assumptions).read(entries);
  }

  /** Whether a recording names the queue under study: by its path, or by its last part. */
  static boolean isOf(String queue, String recorded) {
    return queue == null || recorded.equals(queue)
        || recorded.equals(queue.substring(queue.lastIndexOf('.') + 1));
  }

  private Trace within(Span span) {
    return only(span::contains, "applications submitted before or after the part");
  }

  /** The jobs that pass, and how many others were left out for which reason. */
  Trace only(Predicate<Job> passes, String otherwise) {
    List<Job> inside = jobs.stream().filter(passes).toList();
    if (inside.size() == jobs.size()) {
      return this;
    }
    List<String> reasons = new ArrayList<>(leftOut);
    reasons.add(jobs.size() - inside.size() + " " + otherwise);
    return new Trace(format, inside, nodes, nodeMemory, reasons, remarks);
  }

  /** The same in order, with the first submission at 0. */
  Trace startingAtZero() {
    long first = jobs.stream().mapToLong(Job::submitMillis).min().orElse(0);
    List<Job> shifted = new ArrayList<>();
    for (Job job : jobs) {
      shifted.add(job.at(job.submitMillis() - first));
    }
    shifted.sort(Comparator.comparingLong(Job::submitMillis));
    return new Trace(format, shifted, nodes, nodeMemory, leftOut, remarks);
  }
}
