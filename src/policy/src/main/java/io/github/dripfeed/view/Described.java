// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import io.github.dripfeed.observe.UserText;
import io.github.dripfeed.wire.Wire.Wait;
import io.github.dripfeed.yarn.RmApps;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  /** The id and name of the application, the id of the attempt, the user and the type. */
  List<String> identity() {
    return Arrays.asList(attempt.getApplicationId().toString(),
        application == null ? "" : UserText.plain(application.getName()),
        attempt.getApplicationAttemptId().toString(), UserText.plain(attempt.getUser()),
        application == null ? "" : UserText.plain(application.getApplicationType()));
  }

  long priority() {
    Priority priority = attempt.getPriority();
    return priority == null ? UNKNOWN : priority.getPriority();
  }

  /** When it began to wait for its driver, in milliseconds since 1970, and how many seconds ago that is. */
  List<Long> waits(long wall) {
    long since = RmApps.waitsSince(attempt);
    return since <= 0 ? Arrays.asList(UNKNOWN, UNKNOWN)
        : Arrays.asList(since, Math.max(0, TimeUnit.MILLISECONDS.toSeconds(wall - since)));
  }

  /** What its driver asks for: memory, cores, and the other types of resources. */
  List<Object> driver() {
    return driver == null ? Arrays.asList(UNKNOWN, UNKNOWN, "")
        : Arrays.asList(driver.getMemorySize(), driver.getVirtualCores(), others(driver));
  }

  private static String others(Resource driver) {
    return Stream.of(driver.getResources())
        .filter(type -> type.getValue() > 0 && !type.getName().equals(ResourceInformation.MEMORY_URI)
            && !type.getName().equals(ResourceInformation.VCORES_URI))
        .map(type -> type.getName() + " = " + type.getValue() + type.getUnits())
        .collect(Collectors.joining(", "));
  }

  /** What YARN itself says of the attempt; where it says nothing, the sentence of this code. */
  String diagnostics(Wait code) {
    RMAppAttempt known =
        application == null ? null : application.getRMAppAttempt(attempt.getApplicationAttemptId());
    String diagnostics = known == null ? null : known.getDiagnostics();
    return diagnostics == null || diagnostics.trim().isEmpty() ? code.sentence
        : UserText.plain(diagnostics.trim());
  }
}
