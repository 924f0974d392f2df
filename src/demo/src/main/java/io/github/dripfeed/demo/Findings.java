// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of a demo.
 *
 * @param introduction what the demo did, in a sentence or two
 * @param rows figures, each with a value for each queue
 */
record Findings(String headline, String introduction, List<? extends QueueRun> parts, List<Row> rows,
    List<Expectation> claims) {

  /** A figure of every queue, as text. */
  record Row(String what, List<String> values) {
  }

  boolean isObserved() {
    return claims.stream().allMatch(Expectation::observed);
  }

  /** For a terminal of 80 columns. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (parts.size() > 1) {
      lines.add(line("", parts.stream().map(QueueRun::title).toList()));
    }
    rows.forEach(row -> lines.add(line(row.what(), row.values())));
    lines.add("");
    claims.forEach(claim -> lines.add(claim.toString()));
    return lines;
  }

  private static String line(String what, List<String> values) {
    StringBuilder line = new StringBuilder(String.format("%-44s", what));
    values.forEach(value -> line.append(String.format(" %14s", value)));
    return line.toString();
  }
}
