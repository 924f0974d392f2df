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
 * Measured times, as a table with a line for each stage of an application. The stages of an application run
 * one after the other, in the order of their lines. Each task has a container of its own. The driver has an
 * assumed size and start-up time.
 */
final class StageTrace {

  private static final List<String> COLUMNS =
      List.of("application", "submit second", "tasks", "seconds", "memory");
  private static final int APPLICATION = 0;
  private static final int SUBMIT = 1;
  private static final int TASKS = 2;
  private static final int SECONDS = 3;
  private static final int MEMORY = 4;
  /** The first line, by which the format is recognised. */
  private static final String HEADER = "application,submit,tasks,seconds,memory";
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
    int number = 0;
    for (String line : new String(recording, StandardCharsets.UTF_8).lines().toList()) {
      number++;
      if (number > 1 && !line.isBlank()) {
        add(TableRow.of(file + ", line " + number, line, TableRow.Separator.COMMA, COLUMNS));
      }
    }
    return new Trace(Trace.Format.STAGES, List.copyOf(jobs.values()), 0, List.of());
  }

  private void add(TableRow row) throws IOException {
    String name = row.text(APPLICATION);
    long submitted = row.millis(SUBMIT);
    Job known = jobs.get(name);
    if (known != null && known.submitMillis() != submitted) {
      throw new IOException(row.where() + ": submit second = '" + row.text(SUBMIT) + "'; allowed is '"
          + known.submitMillis() / 1000.0 + "', as in the first line of application " + name);
    }
    int memory = (int) row.whole(MEMORY, 1, Integer.MAX_VALUE);
    List<List<Program.Task>> waves =
        known == null ? new ArrayList<>() : new ArrayList<>(((Program.Tasks) known.program()).waves());
    waves.add(Collections.nCopies((int) row.whole(TASKS, 1, MOST_TASKS),
        new Program.Task(memory, row.millis(SECONDS))));
    jobs.put(name, new Job(name, "STAGES", "user", submitted, 0, assumptions.driverMemory(),
        assumptions.startUpMillis(), new Job.Fate.Well(), new Program.Tasks(waves)));
  }
}
