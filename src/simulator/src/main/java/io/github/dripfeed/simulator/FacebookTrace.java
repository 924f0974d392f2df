// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * A part of a public trace of Facebook's clusters that comes with the simulator, and a cluster for it.
 *
 * @param name of the workload and, with {@code .tsv}, of its file
 * @param nodeMemory of each node, in MB
 */
record FacebookTrace(String name, String title, int nodes, int nodeMemory) {

  private static final List<FacebookTrace> ALL = List.of(
      new FacebookTrace("fb-2009", "An hour of Facebook's cluster in 2009", 4, 16 * 1024),
      new FacebookTrace("fb-2009-last", "Another hour of Facebook's cluster in 2009", 4, 16 * 1024),
      new FacebookTrace("fb-2010", "A quarter of an hour of Facebook's cluster in 2010", 16, 64 * 1024));

  static Optional<FacebookTrace> of(String name) {
    return ALL.stream().filter(trace -> trace.name.equals(name)).findFirst();
  }

  Workload workload(Trace.Span span, Trace.Assumptions assumptions) throws IOException {
    try (InputStream rows = FacebookTrace.class.getResourceAsStream("traces/" + name + ".tsv")) {
      if (rows == null) {
        throw new FileNotFoundException("traces/" + name + ".tsv");
      }
      List<Job> jobs =
          Trace.read(name, rows.readAllBytes(), new Trace.Selection(null, span), assumptions).jobs();
      return new Workload(name, title + ": " + jobs.size() + " jobs", jobs, nodeMemory,
          List.of(new Workload.Size(0, nodes)));
    }
  }
}
