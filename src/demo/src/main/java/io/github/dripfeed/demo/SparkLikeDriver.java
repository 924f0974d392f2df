// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * An application master that behaves like a Spark driver with a fixed number of executors: it registers,
 * requests its executors, needs each of them to do its share of the work, requests another one if one is
 * preempted, and unregisters. It runs as a separate process in a container.
 */
public final class SparkLikeDriver {

  private static final int HEARTBEAT_MS = 200;
  /** As Spark does by default. */
  private static final int HEARTBEATS_TO_FAIL = 5;

  private SparkLikeDriver() {
  }

  /**
   * @param args the seconds it takes to start up, as a Spark driver sets up its context; the number of
   *     executors, the memory of each in MB, the seconds each works
   */
  public static void main(String[] args) throws Exception {
    int startSeconds = Integer.parseInt(args[0]);
    int executors = Integer.parseInt(args[1]);
    Resource size = Resource.newInstance(Integer.parseInt(args[2]), 1);
    String work = "sleep " + Integer.parseInt(args[3]);

    YarnConfiguration conf = new YarnConfiguration();
    try (AMRMClient<ContainerRequest> scheduler = AMRMClient.createAMRMClient();
        NMClient nodes = NMClient.createNMClient()) {
      scheduler.init(conf);
      scheduler.start();
      nodes.init(conf);
      nodes.start();
      TimeUnit.SECONDS.sleep(startSeconds);
      scheduler.registerApplicationMaster("", 0, "");
      Deque<ContainerRequest> asked = new ArrayDeque<>();
      for (int i = 0; i < executors; i++) {
        ask(scheduler, size, asked);
      }
      Set<ContainerId> working = new HashSet<>();
      int done = 0;
      while (done < executors) {
        AllocateResponse answer = heartbeat(scheduler, (float) done / executors);
        for (Container container : answer.getAllocatedContainers()) {
          if (asked.isEmpty()) {
            // A request states a total, so requests and allocations can cross: one executor too many
            // arrived.
            scheduler.releaseAssignedContainer(container.getId());
          } else {
            scheduler.removeContainerRequest(asked.pop());
            nodes.startContainer(container, launch(work));
            working.add(container.getId());
          }
        }
        for (ContainerStatus ended : answer.getCompletedContainersStatuses()) {
          if (working.remove(ended.getContainerId())) {
            if (ended.getExitStatus() == ContainerExitStatus.SUCCESS) {
              done++;
            } else if (ended.getExitStatus() == ContainerExitStatus.PREEMPTED) {
              ask(scheduler, size, asked);
            } else {
              throw new IllegalStateException("an executor failed: " + ended);
            }
          }
        }
        // The heartbeat of the application master.
        Thread.sleep(HEARTBEAT_MS);
      }
      scheduler.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
    }
  }

  /** A ResourceManager that is just stopping may answer with an exception; the next one does not. */
  private static AllocateResponse heartbeat(AMRMClient<ContainerRequest> scheduler, float progress)
      throws Exception {
    for (int failed = 1; ; failed++) {
      try {
        return scheduler.allocate(progress);
      } catch (YarnException | IOException | RuntimeException e) {
        if (failed == HEARTBEATS_TO_FAIL || e instanceof ApplicationAttemptNotFoundException) {
          throw e;
        }
        System.err.println("heartbeat " + failed + " in a row failed: " + e);
        Thread.sleep(HEARTBEAT_MS);
      }
    }
  }

  private static void ask(
      AMRMClient<ContainerRequest> scheduler, Resource size, Deque<ContainerRequest> asked) {
    asked.add(new ContainerRequest(size, null, null, Priority.newInstance(1)));
    scheduler.addContainerRequest(asked.getLast());
  }

  private static ContainerLaunchContext launch(String command) {
    return ContainerLaunchContext.newInstance(Collections.emptyMap(), Collections.emptyMap(),
        Collections.singletonList(command), null, null, null);
  }
}
