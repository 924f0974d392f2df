// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Applications that arrive in one queue one after the other, observed until a condition holds. */
public final class SteppedRun implements QueueRun, AutoCloseable {

  private static final int SAMPLING_MS = 150;

  private final String title;
  private final String queue;
  private final DemoCluster cluster;
  private final Screen screen;
  private final Recording recording = new Recording();
  private final List<ApplicationId> applications = new ArrayList<>();
  private final List<Burst> clients = new ArrayList<>();
  private String verdict = "";
  private boolean good;

  /** @param queue the path of the queue */
  public SteppedRun(String title, String queue, DemoCluster cluster, Screen screen) {
    this.title = title;
    this.queue = queue;
    this.cluster = cluster;
    this.screen = screen;
  }

  /** Submits another application. */
  public void submit(String name, int priority, Burst.Shape shape) throws Exception {
    Burst client = new Burst(cluster, shape);
    clients.add(client);
    applications.add(client.submitTo(queue, name, priority));
  }

  /** Kills the application, as its owner can. */
  public void kill(int index) throws IOException, YarnException {
    clients.get(index).kill(applications.subList(index, index + 1));
  }

  /**
   * Observes until the applications hold these numbers of containers, drivers included, for this
   * time.
   *
   * @return whether they did before the limit
   */
  public boolean runUntilHeld(List<Integer> containers, Duration stable, Duration limit)
      throws InterruptedException {
    return runUntil(() -> held().equals(containers), stable, limit);
  }

  /**
   * Observes until the application is reported as succeeded, which happens after its last container has
   * ended.
   *
   * @return whether it was before the limit
   */
  boolean runUntilSucceeded(int index, Duration limit) throws InterruptedException {
    return runUntil(() -> recording.tracks().get(index).phase() == Phase.SUCCEEDED, Duration.ZERO,
        limit);
  }

  /** Observes until all have ended, and returns whether they did before the limit. */
  boolean runToTheEnd(Duration limit) throws InterruptedException {
    return runUntil(recording::isOver, Duration.ZERO, limit);
  }

  private boolean runUntil(BooleanSupplier isSo, Duration stable, Duration limit)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    long since = System.nanoTime();
    while (System.nanoTime() < deadline) {
      look();
      if (!isSo.getAsBoolean()) {
        since = System.nanoTime();
      } else if (System.nanoTime() - since >= stable.toNanos()) {
        return true;
      }
    }
    return false;
  }

  private void look() throws InterruptedException {
    Thread.sleep(SAMPLING_MS);
    recording.add(new Probe(cluster.resourceManager(), queue, applications).sample());
    screen.show(title, recording);
  }

  /** The number of containers of each application, in the order of arrival. */
  public List<Integer> held() {
    return recording.tracks().stream().map(ApplicationTrack::liveContainers).toList();
  }

  /** The same in words. */
  String heldInWords() {
    return recording.tracks().stream().map(track -> track.name() + " " + track.liveContainers())
        .collect(Collectors.joining(", "));
  }

  /** The number of drivers that each application has had. */
  public List<Long> drivers() {
    return recording.tracks().stream()
        .map(track -> track.bars().stream().filter(ApplicationTrack.Bar::driver).count()).toList();
  }

  /** The number of executors of this application that ended early. */
  public long endedBefore(int index, Duration time) {
    return recording.tracks().get(index).bars().stream().filter(bar -> !bar.driver()
        && bar.to() != 0 && bar.to() - bar.from() < time.toMillis()).count();
  }

  /** Whether all have succeeded. */
  boolean allSucceeded() {
    return Outcome.of(recording, false).allSucceeded();
  }

  void end(boolean isGood, String inWords) {
    good = isGood;
    verdict = inWords;
    screen.endOfBurst();
    screen.say(inWords);
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String verdict() {
    return verdict;
  }

  @Override
  public boolean isGood() {
    return good;
  }

  @Override
  public Recording recording() {
    return recording;
  }

  /** Kills every application that still runs. */
  @Override
  public void close() throws IOException, YarnException {
    for (int i = 0; i < clients.size(); i++) {
      kill(i);
      clients.get(i).close();
    }
  }
}
