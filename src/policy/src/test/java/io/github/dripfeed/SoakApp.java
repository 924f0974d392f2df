// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;

import io.github.dripfeed.fixture.MockApp;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;

/** An application of a {@link Soak}: its actions, second by second. */
final class SoakApp {

  enum Kind {
    /** Starts, gets executors, works, and ends. */
    PLAIN,
    /** The same, but releases all its executors for a while. */
    IDLING,
    /** Needs no executor. */
    DRIVER_ONLY,
    /** Requests nothing. Its owner kills it after a while. */
    HANGING,
    /** Its driver fails once while it is starting. */
    FAILING,
    /** Its owner kills it while it waits. */
    IMPATIENT
  }

  private static final int HANGS_FOR = 60;
  private static final int PATIENCE = 20;

  private final MockApp app;
  private final Kind kind;
  private final int startSeconds;
  private final int executors;
  private final int workSeconds;
  private final int submittedAt;
  private ApplicationAttemptId attempt;
  private int launchedAt = -1;
  private int workingSince = -1;
  private boolean registered;
  private boolean hasFailed;
  private boolean hasIdled;
  private int firstDriverAt = -1;
  private int now;

  SoakApp(MockApp app, Kind kind, Random random, int submittedAt) {
    this.app = app;
    this.kind = kind;
    this.startSeconds = 1 + random.nextInt(5);
    this.executors = 1 + random.nextInt(4);
    this.workSeconds = 5 + random.nextInt(40);
    this.submittedAt = submittedAt;
    this.attempt = app.attemptId();
  }

  MockApp app() {
    return app;
  }

  boolean hasEnded() {
    RMAppState state = app.rmApp() == null ? RMAppState.FINISHED : app.rmApp().getState();
    return state == RMAppState.FINISHED || state == RMAppState.KILLED || state == RMAppState.FAILED;
  }

  /** How many seconds it waited for its first driver, or until its end. */
  int waited() {
    return (firstDriverAt < 0 ? now : firstDriverAt) - submittedAt;
  }

  void kill() throws Exception {
    if (!hasEnded()) {
      app.kill();
    }
  }

  void findResourceManager() throws Exception {
    if (!hasEnded() && registered && attempt.equals(app.attemptId())) {
      app.registerAgain();
      if (workingSince < 0 && kind != Kind.DRIVER_ONLY) {
        app.ask(executors, GB);
      }
    }
  }

  void act(int second) throws Exception {
    now = second;
    if (hasEnded()) {
      return;
    }
    if (!app.attemptId().equals(attempt)) {
      startAnew();
    }
    if (launchedAt < 0) {
      if (app.rmApp().getCurrentAppAttempt().getAppAttemptState() == RMAppAttemptState.ALLOCATED) {
        app.launch();
        launchedAt = second;
        firstDriverAt = firstDriverAt < 0 ? second : firstDriverAt;
      } else if (kind == Kind.IMPATIENT && second - submittedAt > PATIENCE) {
        kill();
      }
    } else if (!registered) {
      startUp(second);
    } else {
      work(second);
    }
  }

  private void startAnew() {
    attempt = app.attemptId();
    launchedAt = -1;
    workingSince = -1;
    registered = false;
  }

  private void startUp(int second) throws Exception {
    if (kind == Kind.HANGING) {
      if (second - launchedAt > HANGS_FOR) {
        kill();
      }
    } else if (second - launchedAt >= startSeconds) {
      if (kind == Kind.FAILING && !hasFailed) {
        hasFailed = true;
        app.failDriver();
      } else {
        app.registerLaunched();
        registered = true;
        if (kind == Kind.DRIVER_ONLY) {
          workingSince = second;
        } else {
          app.ask(executors, GB);
        }
      }
    }
  }

  private void work(int second) throws Exception {
    app.heartbeat();
    if (workingSince < 0) {
      if (!app.executors().isEmpty()) {
        workingSince = second;
      }
    } else if (kind == Kind.IDLING && !hasIdled && second - workingSince > workSeconds / 2) {
      hasIdled = true;
      app.ask(0, GB);
      app.release(app.executors());
    } else if (second - workingSince > workSeconds) {
      app.release(app.executors());
      app.finish();
    }
  }
}
