// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.yarn.RmApps;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * An attempt as log lines and events name it: its id, and its queue, user and type when the label was
 * made. Immutable; holds nothing of YARN alive but the id. Takes no lock.
 */
public final class AttemptLabel {

  private static final String UNKNOWN = "unknown";

  private final ApplicationAttemptId id;
  private final String queue;
  private final String user;
  private final String type;

  private AttemptLabel(ApplicationAttemptId id, String queue, String user, String type) {
    this.id = id;
    this.queue = queue;
    this.user = user;
    this.type = type;
  }

  /** The label of the attempt; what cannot be read is "unknown". */
  public static AttemptLabel of(SchedulerApplicationAttempt app) {
    try {
      RMApp application = RmApps.of(app);
      return new AttemptLabel(app.getApplicationAttemptId(), queueOf(app), app.getUser(),
          application == null ? UNKNOWN : application.getApplicationType());
    } catch (RuntimeException | LinkageError e) {
      return new AttemptLabel(app.getApplicationAttemptId(), UNKNOWN, UNKNOWN, UNKNOWN);
    }
  }

  private static String queueOf(SchedulerApplicationAttempt app) {
    Queue queue = app.getQueue();
    return queue instanceof CSQueue ? ((CSQueue) queue).getQueuePath() : app.getQueueName();
  }

  /** The full path of its queue; "unknown" if it cannot be read. */
  public String queue() {
    return queue;
  }

  ApplicationAttemptId id() {
    return id;
  }

  /** The full path of its queue, the ids of its application and of itself, its user and its type. */
  public List<String> columns() {
    return Arrays.asList(queue, id.getApplicationId().toString(), id.toString(), UserText.plain(user),
        UserText.plain(type));
  }

  /** The beginning of every line of the state log that is about an attempt. */
  @Override
  public String toString() {
    return id.getApplicationId() + " attempt=" + id.getAttemptId() + " queue=" + queue
        + " user=" + UserText.word(user) + " type=" + UserText.word(type);
  }
}
