// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Submits many Spark-like applications at once, as any client of the cluster can. */
public final class Burst implements AutoCloseable {

  /**
   * The applications of the burst, which are the same for every queue.
   *
   * @param startSeconds how long a driver takes before it requests its executors
   * @param workSeconds how long an executor works
   */
  public record Shape(int applications, int driverMb, int startSeconds, int executors,
      int executorMb, int workSeconds) {
  }

  private final DemoCluster cluster;
  private final Shape shape;
  private final YarnClient client = YarnClient.createYarnClient();
  private final ExecutorService clients = Executors.newCachedThreadPool();

  public Burst(DemoCluster cluster, Shape shape) {
    this.cluster = cluster;
    this.shape = shape;
    client.init(cluster.configuration());
    client.start();
  }

  /**
   * @param queues in turn, one for each application
   * @return the applications in the order of submission, named App1 and so on
   */
  public List<ApplicationId> submitTo(String... queues) throws IOException, YarnException {
    List<ApplicationSubmissionContext> applications = new ArrayList<>();
    for (int i = 1; i <= shape.applications(); i++) {
      applications.add(application("App" + i, queues[(i - 1) % queues.length]));
    }
    // In parallel, as many users do: a client waits until its application is accepted.
    CompletableFuture.allOf(applications.stream()
        .map(application -> CompletableFuture.runAsync(() -> submit(application), clients))
        .toArray(CompletableFuture[]::new)).join();
    return applications.stream().map(ApplicationSubmissionContext::getApplicationId).toList();
  }

  /** Submits one application with this name and priority. */
  public ApplicationId submitTo(String queue, String name, int priority)
      throws IOException, YarnException {
    ApplicationSubmissionContext application = application(name, queue);
    application.setPriority(Priority.newInstance(priority));
    submit(application);
    return application.getApplicationId();
  }

  private ApplicationSubmissionContext application(String name, String queue)
      throws IOException, YarnException {
    ApplicationSubmissionContext application =
        client.createApplication().getApplicationSubmissionContext();
    application.setApplicationName(name);
    application.setApplicationType("SPARK-LIKE");
    application.setQueue(queue);
    application.setResource(Resource.newInstance(shape.driverMb(), 1));
    application.setMaxAppAttempts(1);
    String command = DriverCommand.of(shape, cluster.folder(), cluster.clientConfiguration());
    application.setAMContainerSpec(ContainerLaunchContext.newInstance(Collections.emptyMap(),
        Collections.emptyMap(), Collections.singletonList(command), null, null, null));
    return application;
  }

  private void submit(ApplicationSubmissionContext application) {
    try {
      client.submitApplication(application);
    } catch (IOException | YarnException e) {
      throw new IllegalStateException(application.getApplicationName() + " was not accepted", e);
    }
  }

  public void kill(List<ApplicationId> applications) throws IOException, YarnException {
    for (ApplicationId application : applications) {
      client.killApplication(application);
    }
  }

  @Override
  public void close() {
    clients.shutdown();
    client.stop();
  }
}
