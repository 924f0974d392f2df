// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;

/** What a run of the check found. Its fields are public since it is also written as JSON. */
@JsonPropertyOrder({"file", "errors", "advice", "queues", "yarn", "exitCode", "hadoop"})
final class CheckResult {

  public final String file;
  /** The errors that are not of one queue. */
  public final List<String> errors = new ArrayList<>();
  /** The advice that is not on one queue. */
  public final List<String> advice = new ArrayList<>();
  public final List<QueueReport> queues = new ArrayList<>();
  /** What YARN's own validation says: {@code accepts}, {@code refuses}, or {@code not run}. */
  public String yarn = "not run";
  /** The version of Hadoop whose YARN validated the files. */
  public final String hadoop = VersionInfo.getVersion();

  /** What was read. */
  SchedulerFiles files;

  CheckResult(String file) {
    this.file = file;
  }

  /** 0 without errors and advice, 1 with advice only, 2 with errors. */
  public int getExitCode() {
    return countErrors() > 0 ? 2 : countAdvice() > 0 ? 1 : 0;
  }

  long countErrors() {
    return errors.size() + queues.stream().mapToLong(report -> report.errors.size()).sum();
  }

  long countAdvice() {
    return advice.size() + queues.stream().mapToLong(report -> report.advice.size()).sum();
  }
}
