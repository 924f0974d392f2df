// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measured times, as a table with a line for each stage of an application. The stages of an application
 * run one after the other, in the order of their lines. Each task has a container of its own. Where the
 * table has a column for executors, applications are static Spark with so many, each of which runs one task
 * at a time. The driver has an assumed size and start-up time.
 */
final class StageTrace {

  private static final List<String> COLUMNS =
      List.of("application", "submit second", "tasks", "seconds", "memory", "executors");
  private static final int APPLICATION = 0;
  private static final int SUBMIT = 1;
  private static final int TASKS = 2;
  private static final int SECONDS = 3;
  private static final int MEMORY = 4;
  private static final int EXECUTORS = 5;
  /** The first line, by which the format is recognised. */
  private static final String HEADER = "application,submit,tasks,seconds,memory";
  private static final String OF_SPARK = HEADER + ",executors";
  private static final int MOST_TASKS = 1_000_000;

  private final String file;
  private final Trace.Assumptions assumptions;
  private final Map<String, Job> jobs = new LinkedHashMap<>();

  /** @param file the name of the input, for people */
  StageTrace(String file, Trace.Assumptions assumptions) {
    this.file = file;
    this.assumptions = assumptions;
  }

  static boolean isOf(byte[] recording) {
    return new String(recording, 0, Math.min(recording.length, HEADER.length()), StandardCharsets.UTF_8)
        .equals(HEADER);
  }

  Trace read(byte[] recording) throws IOException {
    List<String> lines = new String(recording, StandardCharsets.UTF_8).lines().toList();
    boolean spark = lines.get(0).startsWith(OF_SPARK);
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        add(TableRow.of(file + ", line " + (i + 1), lines.get(i), TableRow.Separator.COMMA,
            spark ? COLUMNS : COLUMNS.subList(0, EXECUTORS)), spark);
      }
    }
    return new Trace(Trace.Format.STAGES, List.copyOf(jobs.values()), 0, List.of());
  }

  private void add(TableRow row, boolean spark) throws IOException {
    String name = row.text(APPLICATION);
    long submitted = row.millis(SUBMIT);
    Job known = jobs.get(name);
    if (known != null && known.submitMillis() != submitted) {
      throw row.refused(SUBMIT, "'" + known.submitMillis() / 1000.0 + "', as in its first line");
    }
    jobs.put(name, new Job(name, "STAGES", "user", submitted, 0, assumptions.driverMemory(),
        assumptions.startUpMillis(), new Job.Fate.Well(), spark
            ? inExecutors(row, known == null ? null : (Program.Spark) known.program())
            : inContainers(row, known == null ? null : (Program.Tasks) known.program())));
  }

  private static Program.Tasks inContainers(TableRow row, Program.Tasks before) throws IOException {
    List<List<Program.Task>> waves = before == null ? new ArrayList<>() : new ArrayList<>(before.waves());
    waves.add(Collections.nCopies(tasks(row), new Program.Task(memory(row), row.millis(SECONDS))));
    return new Program.Tasks(waves);
  }

  private static Program.Spark inExecutors(TableRow row, Program.Spark before) throws IOException {
    List<Program.Stage> stages = before == null ? new ArrayList<>() : new ArrayList<>(before.stages());
    stages.add(new Program.Stage(tasks(row), row.millis(SECONDS)));
    Program.Spark all = new Program.Spark(
        memory(row), 1, (int) row.whole(EXECUTORS, 1, MOST_TASKS), false, stages);
    if (before != null && all.executorMemory() != before.executorMemory()) {
      throw row.refused(MEMORY, "'" + before.executorMemory() + "', as in its first line");
    }
    if (before != null && all.executors() != before.executors()) {
      throw row.refused(EXECUTORS, "'" + before.executors() + "', as in its first line");
    }
    return all;
  }

  private static int tasks(TableRow row) throws IOException {
    return (int) row.whole(TASKS, 1, MOST_TASKS);
  }

  private static int memory(TableRow row) throws IOException {
    return (int) row.whole(MEMORY, 1, Integer.MAX_VALUE);
  }
}
