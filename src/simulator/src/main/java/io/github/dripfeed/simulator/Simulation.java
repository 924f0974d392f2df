// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import io.github.dripfeed.fixture.Submission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.RMAppManagerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.RMAppManagerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptContainerFinishedEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;

/** One workload under one variant, from the first submission to the last end. Used by one thread. */
final class Simulation implements AutoCloseable {

  /** Longer than the timeouts of a variant: an application without progress by then will never make any. */
  private static final long LEAST_QUIET_MILLIS = 16 * 60_000;
  /** Of the time in which there is no application, more is skipped: a recording may span years. */
  private static final long MOST_EMPTY_MILLIS = 60 * 60_000;
  /** Several time limits may pass, one after the other, before anything can be seen. */
  private static final int TIMEOUTS_IN_A_ROW = 3;
  /** Longer than any back-off: evictions that go on without progress by then will go on for ever. */
  private static final long VAIN_MILLIS = 24 * 3_600_000L;
  private static final int LOOK_MILLIS = 1000;

  private final Workload workload;
  private final QueueSetup queue;
  private final VirtualTime time = new VirtualTime();
  private final VirtualSchedule agenda = new VirtualSchedule(time);
  private final Usage usage = new Usage();
  private final VirtualResourceManager rm;
  private final Cluster cluster;
  private final Map<ApplicationId, Application> applications = new LinkedHashMap<>();
  /** Null if everything goes to the scheduler at once. */
  private final AdmissionController controller;
  private final ForecastQuestions questions;
  private final long askMillis;
  private final long quietMillis;
  private SimulationListener listener;
  private int toSubmit;
  private int alive;
  private int ended;
  private long lastChange;
  private long lastProgress;
  private boolean evictedSinceProgress;

  private Simulation(SimulationTask task) {
    this.workload = task.workload();
    this.queue = task.queue();
    this.askMillis = task.askMillis();
    this.controller = task.setting().admission() == null ? null
        : new AdmissionController(task.setting().admission(), this);
    Configuration properties = queue.on(workload.nodes()).with(task.setting());
    try {
      rm = new VirtualResourceManager(properties, this::launch, this::observe);
    } catch (RuntimeException | Error e) {
      time.close();
      throw e;
    }
    quietMillis = Math.max(LEAST_QUIET_MILLIS,
        TIMEOUTS_IN_A_ROW * queue.longestTimeoutMillis(properties) + 60_000);
    questions = askMillis == 0 ? null
        : new ForecastQuestions(Submission.queue(rm.scheduler(), queue.pathOf("")));
    cluster = new Cluster(rm, agenda, usage, workload.nodes());
  }

  static Outcome run(Workload workload, QueueSetup queue, SchedulerVariant setting) throws Exception {
    return run(new SimulationTask(workload, queue, setting), (virtualMillis, ended) -> { });
  }

  static Outcome run(SimulationTask task, SimulationListener listener) throws Exception {
    try (Simulation simulation = new Simulation(task)) {
      simulation.listener = listener;
      return simulation.run(task.setting());
    }
  }

  VirtualResourceManager rm() {
    return rm;
  }

  VirtualSchedule agenda() {
    return agenda;
  }

  Cluster cluster() {
    return cluster;
  }

  Usage usage() {
    return usage;
  }

  private Outcome run(SchedulerVariant setting) throws Exception {
    for (Workload.Size size : workload.sizes()) {
      if (size.fromMillis() == 0) {
        cluster.resize(size.nodes());
      } else {
        agenda.after(size.fromMillis(), () -> resize(size.nodes()));
      }
    }
    for (Job job : workload.jobs()) {
      toSubmit++;
      agenda.after(job.submitMillis(), () -> {
        toSubmit--;
        submit(job, () -> { });
      });
    }
    agenda.routine(LOOK_MILLIS, this::look);
    while ((toSubmit > 0 || alive > 0) && !isStuck()) {
      agenda.next();
    }
    if (time.failures() > 0) {
      throw new IllegalStateException("Dripfeed failed inside, see the log");
    }
    List<ApplicationTimes> courses = new ArrayList<>();
    applications.values().stream().filter(application -> !application.isEvicted())
        .forEach(application -> courses.add(application.course()));
    if (controller != null) {
      controller.waiting().forEach(courses::add);
    }
    return new Outcome(workload.name(), setting, courses,
        alive > 0 || toSubmit > 0 ? lastChange : Application.NEVER, usage.utilisation(),
        usage.usefulUtilisation(), usage.stuckShare(), agenda.now(),
        questions == null ? List.of() : questions.end());
  }

  /** No event is scheduled, and the scheduler has had time to act; or evictions lead nowhere. */
  private boolean isStuck() {
    return !agenda.hasPlans()
        && agenda.now() - Math.max(lastChange, agenda.lastPlannedAt()) > quietMillis
        || evictedSinceProgress && agenda.now() - lastProgress > VAIN_MILLIS;
  }

  private void look() {
    if (alive == 0) {
      agenda.skipQuiet(MOST_EMPTY_MILLIS);
    }
    time.runMonitor();
    if (questions != null && agenda.now() % askMillis == 0) {
      questions.ask(agenda.now());
    }
    listener.reached(agenda.now(), ended);
    agenda.routine(LOOK_MILLIS, this::look);
  }

  private void resize(int nodes) {
    try {
      changed();
      cluster.resize(nodes);
    } catch (Exception e) {
      throw new IllegalStateException("Resizing the cluster to " + nodes, e);
    }
  }

  /** @param whenEnded runs after the end, successful or not */
  void submit(Job job, Runnable whenEnded) {
    alive++;
    lastChange = agenda.now();
    progressed();
    Runnable end = () -> {
      alive--;
      ended++;
      progressed();
      whenEnded.run();
    };
    if (controller == null) {
      start(job, 1, agenda.now(), end);
    } else {
      controller.submit(job, end);
    }
  }

  /** An application was submitted, became ready, or ended. One that is ready is not evicted any more. */
  void progressed() {
    lastProgress = agenda.now();
    evictedSinceProgress = false;
  }

  /** An application was evicted, and comes again. */
  void evicted() {
    evictedSinceProgress = true;
  }

  /** Whether YARN says that the application did its work. */
  boolean succeeded(ApplicationId id) {
    return rm.getRMContext().getRMApps().get(id).getState() == RMAppState.FINISHED;
  }

  /**
   * Hands an application over to the scheduler.
   *
   * @param readyWith how many containers make it ready, with its driver
   */
  Application start(Job job, int readyWith, long submittedAt, Runnable whenEnded) {
    try {
      ApplicationId id = Submission.newId(rm);
      Application application = new Application(this, job, readyWith, id, submittedAt, whenEnded);
      applications.put(id, application);
      new Submission(job.name(), queue.pathOf(job.user()), job.driverMemory())
          .withType(job.type()).withUser(job.user()).withPriority(job.priority())
          .withMaxAttempts(job.attempts()).withDriverLabel(job.labels().driver()).submit(rm, id);
      rm.drain();
      return application;
    } catch (Exception e) {
      throw new IllegalStateException("Submitting " + job.name(), e);
    }
  }

  void kill(ApplicationId id) {
    try {
      rm.killApp(id);
      rm.drain();
    } catch (Exception e) {
      throw new IllegalStateException("Killing " + id, e);
    }
  }

  /** What the queue may have at most. */
  AdmissionRule.Room room() {
    long capacity = Math.round(cluster.memory() * (double) Submission.queue(
        rm.scheduler(), queue.pathOf("")).getAbsoluteMaximumCapacity());
    return new AdmissionRule.Room(capacity, cluster.size(), workload.nodeMemory());
  }

  /** The memory of a container for which so much is requested, in MB: YARN rounds up. */
  long rounded(long memory) {
    long least = rm.scheduler().getMinimumResourceCapability().getMemorySize();
    return ResourceCalculator.roundUp(memory, least);
  }

  /** The scheduler's view of it, or null once the application has ended. */
  SchedulerApplicationAttempt attempt(ApplicationId id) {
    SchedulerApplication<?> known = rm.scheduler().getSchedulerApplications().get(id);
    return known == null ? null : known.getCurrentAppAttempt();
  }

  private void launch(RMAppAttempt attempt) {
    ApplicationId id = attempt.getAppAttemptId().getApplicationId();
    if (questions != null) {
      questions.started(id, agenda.now());
    }
    applications.get(id).launch(attempt);
  }

  private void observe(Event<?> event) {
    if (event.getType() == RMAppAttemptEventType.CONTAINER_ALLOCATED) {
      changed();
      ApplicationAttemptId attempt = ((RMAppAttemptEvent) event).getApplicationAttemptId();
      application(attempt).allocated(attempt);
    } else if (event instanceof RMAppAttemptContainerFinishedEvent finished) {
      changed();
      application(finished.getApplicationAttemptId())
          .lost(finished.getContainerStatus());
    } else if (event.getType() == RMAppManagerEventType.APP_COMPLETED) {
      changed();
      applications.get(((RMAppManagerEvent) event).getApplicationId()).ended();
    }
  }

  private Application application(ApplicationAttemptId attempt) {
    return applications.get(attempt.getApplicationId());
  }

  private void changed() {
    usage.passUntil(agenda.now());
    lastChange = agenda.now();
    if (controller != null) {
      controller.look();
    }
  }

  @Override
  public void close() {
    try {
      rm.stop();
    } finally {
      time.close();
    }
  }
}
