// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.snapshot;

import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.yarn.PendingRequest;
import io.github.dripfeed.yarn.YarnAttempt;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/**
 * One application attempt of a state-aware queue as a round sees it; everything is read once. Used by one
 * thread.
 *
 * @param <S> the applications of the queue
 */
public final class AttemptSnapshot<S> {

  public final S item;
  public final SchedulerApplicationAttempt app;
  public final AttemptView<S> view;
  public final YarnAttempt facts;
  public final State state;
  /** In the order in which the scheduler serves them; without those for more of a container that it has. */
  public final List<PendingRequest> requests;
  /** That of its driver. */
  public final String partition;
  /** Their number; 0 while it is accepted. */
  public final int executors;

  public AttemptSnapshot(S item, AttemptView<S> view) {
    this.item = item;
    this.app = (SchedulerApplicationAttempt) item;
    this.view = view;
    this.facts = (YarnAttempt) view.facts();
    this.state = view.state();
    // Pending requests before live containers: an allocation changes the requests last.
    this.requests = PendingRequest.all(app);
    // A container that is to grow is no executor, and no room elsewhere helps it.
    this.requests.removeIf(PendingRequest::isUpdate);
    String named = facts.partition();
    this.partition = named == null ? "" : named;
    this.executors = state == State.ACCEPTED ? 0 : facts.liveExecutors();
  }

  /** Identifies the application. */
  public ApplicationId application() {
    return app.getApplicationId();
  }

  /** Identifies the attempt; keeps nothing alive. */
  public ApplicationAttemptId id() {
    return app.getApplicationAttemptId();
  }

  public boolean isStarting() {
    return state == State.STARTING;
  }
}
