// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.github.dripfeed.tool.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.util.VersionInfo;

/** What a run of the check found. Its fields are public since it is also written as JSON. */
@JsonPropertyOrder({"file", "errors", "advice", "queues", "yarn", "exitCode", "hadoop"})
final class CheckResult {

  public final String file;
  /** The errors that are not of one queue. */
  public final List<String> errors = new ArrayList<>();
  /** The advice that is not on one queue. */
  public final List<String> advice = new ArrayList<>();
  /** What YARN's own validation says: {@code accepts}, {@code refuses}, or {@code not run}. */
  public String yarn = "not run";
  /** The version of Hadoop whose YARN validated the files. */
  public final String hadoop = VersionInfo.getVersion();

  /** What was read. */
  SchedulerFiles files;
  final Map<String, QueueReport> byPath = new LinkedHashMap<>();

  CheckResult(String file) {
    this.file = file;
  }

  public Collection<QueueReport> getQueues() {
    return byPath.values();
  }

  /** The report on this path, which is made if there is none yet. */
  QueueReport report(String path, String orderingPolicy) {
    return byPath.computeIfAbsent(path, any -> new QueueReport(path, orderingPolicy));
  }

  /** 0 without errors and advice, 1 with advice only, 2 with errors. */
  public int getExitCode() {
    return countErrors() > 0 ? 2 : countAdvice() > 0 ? 1 : 0;
  }

  private long countErrors() {
    return errors.size() + getQueues().stream().mapToLong(report -> report.errors.size()).sum();
  }

  private long countAdvice() {
    return advice.size() + getQueues().stream().mapToLong(report -> report.advice.size()).sum();
  }

  /**
   * The lines for a terminal, which nothing of the files controls: once for all queues that are alike.
   *
   * @param all whether also properties are shown that have the default
   */
  List<String> lines(boolean all) {
    List<String> lines = new ArrayList<>();
    getQueues().stream().collect(Collectors.groupingBy(report -> Arrays.asList(report.orderingPolicy,
        report.properties, report.errors, report.advice), LinkedHashMap::new, Collectors.toList()))
        .values().forEach(alike -> {
          QueueReport last = alike.get(alike.size() - 1);
          alike.forEach(report ->
              lines.add(report.queue + (report == last ? ": " + report.orderingPolicy : "")));
          last.addTo(lines, all);
        });
    lines.add("YARN " + hadoop + ": " + yarn + (!yarn.equals("accepts") ? "" : countErrors() == 0
        ? " the files, in its own validation"
        : " all but what is an ERROR here: a ResourceManager refuses these files"));
    QueueReport.add(errors, advice, lines);
    long stateAware = getQueues().stream().filter(report -> !report.properties.isEmpty()).count();
    lines.add("Queues: " + byPath.size() + ", state-aware: " + stateAware + ", errors: " + countErrors()
        + ", advice: " + countAdvice());
    lines.replaceAll(Text::safe);
    return lines;
  }
}
