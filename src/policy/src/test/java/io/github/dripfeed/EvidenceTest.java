// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tables that people read first are those of {@code docs/evidence/ratios.csv}. */
class EvidenceTest {

  private static final String AUTO = "max-starting = auto";
  private static final String DEFAULTS = "fifo";
  private static final String LIMIT = "fifo, AM limit 0.30";
  private static final String FAIR = "fair, AM limit 0.30";
  private static final int MAKESPAN = 0;
  private static final int MEAN_WAIT = 1;
  private static final int MEAN_TURNAROUND = 3;

  /** By setting and workload: makespan, mean and 95% wait, mean and 95% turnaround. */
  private static final Map<String, Map<String, double[]>> RATIOS = new LinkedHashMap<>();

  @BeforeAll
  static void read() throws IOException {
    RATIOS.putAll(ratios("ratios.csv"));
    RATIOS.values().forEach(each -> each.keySet().removeIf(workload -> workload.startsWith("tenants")));
    RATIOS.values().removeIf(Map::isEmpty);
  }

  private static Map<String, Map<String, double[]>> ratios(String file) throws IOException {
    Map<String, Map<String, double[]>> ratios = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of("docs", "evidence", file))) {
      String[] cells = line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
      if (!cells[0].equals("workload")) {
        ratios.computeIfAbsent(cells[2].replace("\"", ""), setting -> new LinkedHashMap<>()).put(cells[0],
            Stream.of(cells).skip(3)
                .mapToDouble(cell -> cell.isEmpty() ? Double.NaN : Double.parseDouble(cell)).toArray());
      }
    }
    return ratios;
  }

  @Test
  void readmeComparesWithWhatPeopleHave() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int measure : new int[] {MAKESPAN, MEAN_WAIT, MEAN_TURNAROUND}) {
      expected.add("1.00 | " + Stream.of(LIMIT, FAIR, AUTO)
          .map(setting -> meanAndWorst(againstDefaults(setting), measure))
          .collect(Collectors.joining(" | ")));
    }
    assertThat(tableRows(Path.of("README.md"))).containsSubsequence(expected);
  }

  @Test
  void evidenceHasTheMeanAndTheWorstOfEachSetting() throws IOException {
    assertThat(tableRows(Path.of("docs", "evidence.md"))).containsSubsequence(
        Stream.of(AUTO, "auto, narrow", "auto, fair", "auto, AM limit 0.1", "max-starting = 4", "Dripfeed",
            "Dripfeed, AM limit 0.1", DEFAULTS, LIMIT, "fifo, AM limit 0.50", FAIR)
            .map(setting -> IntStream.range(0, 5).mapToObj(measure -> meanAndWorst(setting, measure))
                .collect(Collectors.joining(" | "))).toList());
  }

  @Test
  void evidenceHasEachWorkload() throws IOException {
    assertThat(tableRows(Path.of("docs", "evidence.md"))).containsSubsequence(
        RATIOS.get(AUTO).keySet().stream().map(workload -> Stream.of(AUTO, DEFAULTS, LIMIT, FAIR)
            .map(setting -> RATIOS.get(setting).get(workload)).map(ratios -> DoubleStream.of(ratios)
                .limit(MEAN_TURNAROUND + 1).mapToObj(EvidenceTest::text).collect(Collectors.joining(", ")))
            .collect(Collectors.joining(" | "))).toList());
  }

  @Test
  void appendixHasWhatIsBesideABatch() throws IOException {
    Map<String, Map<String, double[]>> beside = ratios("beside.csv");

    assertThat(tableRows(Path.of("docs", "evidence", "appendix.md"))).containsSubsequence(
        beside.get(AUTO).keySet().stream().map(workload -> Stream.of(AUTO, DEFAULTS, "Dripfeed")
            .map(setting -> beside.get(setting).get(workload)).map(ratios -> Double.isNaN(ratios[MAKESPAN])
                ? "never" : text(ratios[MAKESPAN]) + ", " + text(ratios[MEAN_WAIT]))
            .collect(Collectors.joining(" | "))).toList());
    beside.get(AUTO).values().forEach(ratios -> {
      assertThat(ratios[MAKESPAN]).isLessThanOrEqualTo(1.05);
      assertThat(ratios[MEAN_WAIT]).isLessThanOrEqualTo(1.10);
    });
  }

  @Test
  void appendixHasTheMeansWhereVirtualCoresCount() throws IOException {
    Map<String, Map<String, double[]>> dominant = ratios("dominant.csv");

    assertThat(tableRows(Path.of("docs", "evidence", "appendix.md"))).containsSubsequence(
        Stream.of(AUTO, DEFAULTS, "fifo, AM limit 0.50", "Dripfeed").map(setting -> IntStream.range(0, 5)
            .mapToObj(measure -> meanAndWorst(dominant.get(setting), measure))
            .collect(Collectors.joining(" | "))).toList());
  }

  @Test
  void appendixHasMeasuredTimes() throws IOException {
    Map<String, Map<String, double[]>> measured = ratios("measured.csv");

    assertThat(tableRows(Path.of("docs", "evidence", "appendix.md"))).containsSubsequence(
        Stream.of(AUTO, DEFAULTS, "fifo, AM limit 0.50", "Dripfeed").map(setting -> Stream
            .of("alibaba", "tpch").map(trace -> measured.get(setting).get(trace))
            .map(ratios -> text(ratios[MAKESPAN]) + ", " + text(ratios[MEAN_WAIT]) + ", "
                + text(ratios[MEAN_TURNAROUND]))
            .collect(Collectors.joining(" | "))).toList());
  }

  @Test
  void appendixHasSteadyArrivalsOverQueues() throws IOException {
    Map<String, Map<String, double[]>> steady = ratios("steady-200.csv");

    assertThat(tableRows(Path.of("docs", "evidence", "appendix.md"))).containsSubsequence(
        Stream.of("fifo, 8 at once in all", "fifo, 10 at once in all", "fifo, 12 at once in all",
            "fifo, 32 at once in all",
            "Dripfeed, a group", "auto, all queues").map(setting ->
                DoubleStream.of(steady.get(setting).get("steady-200")).mapToObj(EvidenceTest::text)
                    .collect(Collectors.joining(" | "))).toList());
  }

  /** The rows of all tables, without their first column and without bold. */
  private static List<String> tableRows(Path document) throws IOException {
    return Files.readAllLines(document).stream().filter(line -> line.startsWith("| "))
        .map(line -> line.replace("**", "").replaceFirst("^\\| [^|]* \\| (.*) \\|$", "$1")).toList();
  }

  private static Map<String, double[]> againstDefaults(String setting) {
    Map<String, double[]> ratios = new LinkedHashMap<>();
    RATIOS.get(setting).forEach((workload, row) -> ratios.put(workload, IntStream.range(0, row.length)
        .mapToDouble(measure -> row[measure] / RATIOS.get(DEFAULTS).get(workload)[measure]).toArray()));
    return ratios;
  }

  private static String meanAndWorst(String setting, int measure) {
    return meanAndWorst(RATIOS.get(setting), measure);
  }

  private static String meanAndWorst(Map<String, double[]> byWorkload, int measure) {
    DoubleSummaryStatistics ratios = ratiosOf(byWorkload, measure).summaryStatistics();
    assertThat(ratios.getCount()).isEqualTo(14);
    double mean = Math.exp(ratiosOf(byWorkload, measure).map(Math::log).average().orElseThrow());
    return text(mean) + " (" + text(ratios.getMax()) + ")";
  }

  private static DoubleStream ratiosOf(Map<String, double[]> byWorkload, int measure) {
    return byWorkload.values().stream().mapToDouble(row -> row[measure]);
  }

  private static String text(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }
}
