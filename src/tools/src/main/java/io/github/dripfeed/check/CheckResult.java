// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;

/** What a run of the check found. It has getters because it is also written as JSON. */
final class CheckResult {

  static final int FINE = 0;
  static final int ADVICE = 1;
  static final int ERRORS = 2;

  private final String file;
  private final List<String> errors = new ArrayList<>();
  private final List<String> advice = new ArrayList<>();
  private final List<QueueReport> queues = new ArrayList<>();
  private String yarn = "not run";

  CheckResult(String file) {
    this.file = file;
  }

  public String getFile() {
    return file;
  }

  /** 0 without errors and advice, 1 with advice only, 2 with errors. */
  public int getExitCode() {
    return countErrors() > 0 ? ERRORS : countAdvice() > 0 ? ADVICE : FINE;
  }

  /** The version of Hadoop whose YARN validated the files. */
  public String getHadoop() {
    return VersionInfo.getVersion();
  }

  /** What YARN's own validation says: {@code accepts}, {@code refuses}, or {@code not run}. */
  public String getYarn() {
    return yarn;
  }

  void setYarn(String yarn) {
    this.yarn = yarn;
  }

  /** The errors that are not of one queue. */
  public List<String> getErrors() {
    return errors;
  }

  /** The advice that is not on one queue. */
  public List<String> getAdvice() {
    return advice;
  }

  public List<QueueReport> getQueues() {
    return queues;
  }

  long countErrors() {
    return errors.size() + queues.stream().mapToLong(report -> report.getErrors().size()).sum();
  }

  long countAdvice() {
    return advice.size() + queues.stream().mapToLong(report -> report.getAdvice().size()).sum();
  }
}
