// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import io.github.dripfeed.yarn.QueueCompat;
import java.security.PrivilegedExceptionAction;
import java.util.Collections;
import java.util.Set;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.Records;

/**
 * An application as its client submits it, through the protocol that all versions of Hadoop share; the test
 * helpers of YARN differ between versions.
 */
public final class Submission {

  private final ApplicationSubmissionContext context =
      Records.newRecord(ApplicationSubmissionContext.class);
  private final ResourceRequest driver;
  private String user = "user";

  /**
   * @param queue its path
   * @param driverMemory in MB; the driver has one virtual core
   */
  public Submission(String name, String queue, int driverMemory) {
    context.setApplicationName(name);
    context.setQueue(queue);
    context.setMaxAppAttempts(1);
    context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
    driver = ResourceRequest.newInstance(Priority.newInstance(0), ResourceRequest.ANY,
        Resource.newInstance(driverMemory, 1), 1);
    context.setAMContainerResourceRequests(Collections.singletonList(driver));
  }

  public String name() {
    return context.getApplicationName();
  }

  public Submission withName(String name) {
    context.setApplicationName(name);
    return this;
  }

  public Submission withUser(String name) {
    user = name;
    return this;
  }

  public Submission withQueue(String path) {
    context.setQueue(path);
    return this;
  }

  public Submission withType(String type) {
    context.setApplicationType(type);
    return this;
  }

  public Submission withPriority(int priority) {
    context.setPriority(Priority.newInstance(priority));
    return this;
  }

  public Submission withTags(String... tags) {
    context.setApplicationTags(Set.of(tags));
    return this;
  }

  /** @param label of the nodes on which the driver may run */
  public Submission withDriverLabel(String label) {
    driver.setNodeLabelExpression(label);
    return this;
  }

  /** The driver requests this much of another resource type, too. */
  public Submission withDriverResource(String type, long amount) {
    driver.getCapability().setResourceValue(type, amount);
    return this;
  }

  public Submission withMaxAttempts(int attempts) {
    context.setMaxAppAttempts(attempts);
    return this;
  }

  /** The driver runs outside the cluster. */
  public Submission unmanaged() {
    context.setUnmanagedAM(true);
    return this;
  }

  /** The next attempt keeps the running containers of the last one. */
  public Submission keepingContainers() {
    context.setKeepContainersAcrossApplicationAttempts(true);
    return this;
  }

  /** A new application id. */
  public static ApplicationId newId(MockRM rm) throws Exception {
    return rm.getClientRMService().getNewApplication(
        Records.newRecord(GetNewApplicationRequest.class)).getApplicationId();
  }

  public RMApp submit(MockRM rm) throws Exception {
    return submit(rm, newId(rm));
  }

  public RMApp submit(MockRM rm, ApplicationId id) throws Exception {
    context.setApplicationId(id);
    CapacityScheduler scheduler = (CapacityScheduler) rm.getResourceScheduler();
    CSQueue queue = QueueCompat.find(scheduler, context.getQueue());
    // YARN creates some queues only later.
    if (queue != null) {
      context.setQueue(QueueCompat.nameOf(scheduler, queue));
    }
    UserGroupInformation.createUserForTesting(user, new String[] {"users"}).doAs(
        (PrivilegedExceptionAction<?>) () -> rm.getClientRMService().submitApplication(
            SubmitApplicationRequest.newInstance(context)));
    return rm.getRMContext().getRMApps().get(id);
  }
}
