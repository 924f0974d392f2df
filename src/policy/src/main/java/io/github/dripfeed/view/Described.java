// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import io.github.dripfeed.observe.Sentences;
import io.github.dripfeed.observe.UserText;
import io.github.dripfeed.wire.Wire.Wait;
import io.github.dripfeed.yarn.RmApps;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/** What YARN knows of an application, as texts and numbers. Used by one thread. */
final class Described {

  private static final long UNKNOWN = -1;

  private final SchedulerApplicationAttempt attempt;
  /** Null if YARN does not know it any more. */
  private final RMApp application;
  /** What its driver asks for; null if it is unknown. */
  private final Resource driver;

  Described(SchedulerApplicationAttempt attempt) {
    this.attempt = attempt;
    this.application = RmApps.of(attempt);
    List<ResourceRequest> requests = application == null ? null : application.getAMResourceRequests();
    this.driver = requests == null || requests.isEmpty() ? null : requests.get(0).getCapability();
  }

  String id() {
    return attempt.getApplicationId().toString();
  }

  String attempt() {
    return attempt.getApplicationAttemptId().toString();
  }

  String user() {
    return UserText.plain(attempt.getUser());
  }

  String name() {
    return application == null ? "" : UserText.plain(application.getName());
  }

  String type() {
    return application == null ? "" : UserText.plain(application.getApplicationType());
  }

  long priority() {
    Priority priority = attempt.getPriority();
    return priority == null ? UNKNOWN : priority.getPriority();
  }

  /** When it began to wait for its driver, in milliseconds since 1970; -1 if that is unknown. */
  long waitsSince() {
    long since = RmApps.waitsSince(attempt);
    return since <= 0 ? UNKNOWN : since;
  }

  long secondsSince(long time, long wall) {
    return time < 0 ? UNKNOWN : Math.max(0, TimeUnit.MILLISECONDS.toSeconds(wall - time));
  }

  long driverMemory() {
    return driver == null ? UNKNOWN : driver.getMemorySize();
  }

  long driverVcores() {
    return driver == null ? UNKNOWN : driver.getVirtualCores();
  }

  /** The other types of resources that the driver asks for. */
  String driverResources() {
    StringBuilder others = new StringBuilder();
    ResourceInformation[] all = driver == null ? new ResourceInformation[0] : driver.getResources();
    for (ResourceInformation type : all) {
      if (type.getValue() > 0 && !type.getName().equals(ResourceInformation.MEMORY_URI)
          && !type.getName().equals(ResourceInformation.VCORES_URI)) {
        others.append(others.length() == 0 ? "" : ", ").append(type.getName()).append(" = ")
            .append(type.getValue()).append(type.getUnits());
      }
    }
    return others.toString();
  }

  /** What YARN itself says of the attempt; where it says nothing, the sentence of this code. */
  String diagnostics(Wait code) {
    RMAppAttempt known =
        application == null ? null : application.getRMAppAttempt(attempt.getApplicationAttemptId());
    String diagnostics = known == null ? null : known.getDiagnostics();
    return diagnostics == null || diagnostics.trim().isEmpty() ? Sentences.of(code)
        : UserText.plain(diagnostics.trim());
  }
}
