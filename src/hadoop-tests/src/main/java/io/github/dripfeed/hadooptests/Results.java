// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of one test class in one run. */
final class Results {

  /** Stands for a class that exceeds its timeout or ends its process. */
  private static final String END = "(the end of the class)";

  private final Map<String, String> outcomes = new LinkedHashMap<>();
  private final Map<String, String> traces = new LinkedHashMap<>();
  private int applications;

  private Results() {
  }

  /** @param file as {@link OneClass} writes it; missing if the process failed earlier */
  static Results read(Path file) throws IOException {
    Results results = new Results();
    boolean ended = false;
    for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      String[] cells = line.split("\t", 3);
      if (cells[0].equals(OneClass.ENDED)) {
        ended = true;
        results.applications = Integer.parseInt(cells[2]);
      } else {
        results.outcomes.put(cells[1], cells[0]);
        results.traces.put(cells[1], cells[0] + " " + cells[2].replace(" | ", "\n"));
      }
    }
    if (!ended) {
      results.outcomes.put(END, OneClass.FAILED);
    }
    return results;
  }

  List<String> tests() {
    return new ArrayList<>(outcomes.keySet());
  }

  boolean passed(String test) {
    // A class that reached its end has no entry for END.
    return OneClass.PASSED.equals(outcomes.getOrDefault(test, test.equals(END) ? OneClass.PASSED : ""));
  }

  boolean skipped(String test) {
    return OneClass.SKIPPED.equals(outcomes.get(test));
  }

  String trace(String test) {
    return traces.getOrDefault(test, "not reached, or not by its end");
  }

  /** The number of applications that our policies received. */
  int applications() {
    return applications;
  }
}
