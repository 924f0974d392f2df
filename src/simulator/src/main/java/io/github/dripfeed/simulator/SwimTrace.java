// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A workload in the format of SWIM, the Statistical Workload Injector for MapReduce: a line for each job,
 * with tabs between its name, the second of its submission, the seconds since the job before, and the bytes
 * of its input, of its shuffle and of its output. Further columns are ignored. There are no containers in
 * it, so the replay derives them from the bytes:
 *
 * <ul>
 * <li>The data of a job are all bytes that it reads, shuffles and writes.
 * <li>It is an application of static Spark, with a driver of an assumed size and start-up time.
 * <li>The data are cut into equal tasks, as few as keep each within an assumed size.
 * <li>It requests an executor for each task, up to an assumed number. An executor runs one task at a time.
 * <li>A task takes its data divided by an assumed throughput, and at least an assumed time.
 * </ul>
 */
final class SwimTrace {

  private static final List<String> COLUMNS = List.of("name", "submit second", "seconds since the last",
      "bytes of input", "bytes of shuffle", "bytes of output");
  private static final int NAME = 0;
  private static final int SUBMIT = 1;
  private static final int INPUT = 3;
  private static final int OUTPUT = 5;
  private static final long MOST_BYTES = 1_000_000_000_000_000_000L;

  private final String file;
  private final Trace.Assumptions assumptions;

  /** @param file the name of the input, for people */
  SwimTrace(String file, Trace.Assumptions assumptions) {
    this.file = file;
    this.assumptions = assumptions;
  }

  Trace read(byte[] recording) throws IOException {
    List<Job> jobs = new ArrayList<>();
    int number = 0;
    for (String line : new String(recording, StandardCharsets.UTF_8).lines().toList()) {
      number++;
      if (!line.isBlank()) {
        jobs.add(job(TableRow.of(file + ", line " + number, line, TableRow.Separator.TAB, COLUMNS)));
      }
    }
    return new Trace(Trace.Format.SWIM, jobs, 0, List.of());
  }

  private Job job(TableRow row) throws IOException {
    long submitted = row.whole(SUBMIT, 0, TableRow.MOST_SECONDS);
    long data = 0;
    for (int column = INPUT; column <= OUTPUT; column++) {
      data += row.whole(column, 0, MOST_BYTES);
    }
    return new Job(row.text(NAME), "SPARK", "user", submitted * 1000, 0, assumptions.driverMemory(),
        assumptions.startUpMillis(), new Job.Fate.Well(), program(data));
  }

  private Program program(long data) {
    Trace.DataAssumptions perExecutor = assumptions.data();
    int tasks = (int) Math.min(Integer.MAX_VALUE,
        Math.max(1, (data + perExecutor.bytes() - 1) / perExecutor.bytes()));
    long millis = Math.round(data * 1000.0 / tasks / perExecutor.bytesPerSecond());
    return new Program.Spark(assumptions.executorMemory(), 1, Math.min(tasks, perExecutor.most()), false,
        List.of(new Program.Stage(tasks, Math.max(perExecutor.shortestMillis(), millis))));
  }
}
