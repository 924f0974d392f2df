// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.config.PolicyConfiguration;
import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.OrderKey;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.wire.Wire.Wait;
import io.github.dripfeed.yarn.QueueCompat;
import io.github.dripfeed.yarn.RmApps;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * What one round of the monitor has found in one queue. Metrics, the live view, diagnostics and the text on
 * the scheduler's page are renderings of it, and so they agree. Immutable, except that what it knows of an
 * attempt is live. Safe for use by any thread.
 *
 * <p>To make one takes locks of YARN for a moment; to read one takes none. Hadoop reads metrics under the
 * lock of its metrics system, for which YARN waits while it holds locks of queues and applications
 * (docs/design.md#metrics-are-read-under-a-lock).
 *
 * @param <S> the applications of the queue
 */
public final class QueueReport<S extends SchedulableEntity> {

  /** The path of the queue; empty if it is not known yet. */
  public final String path;
  public final String policyName;
  public final PolicyConfiguration configuration;
  /** When it was made, on the clock that never goes backwards. */
  public final long now;
  /** The same moment in milliseconds since 1970. */
  public final long wall;
  /** The number of applications in each state. */
  public final Map<State, Integer> counts = new EnumMap<>(State.class);
  /** The number of accepted applications by what the first one of their line waits for. */
  public final Map<Wait, Integer> waiting = new EnumMap<>(Wait.class);
  public final List<AdmissionLineView<S>> lines;
  /** The starting applications, in the order of the queue. */
  public final List<AttemptView<S>> starting = new ArrayList<>();
  /** The number of accepted applications that wait because they were taken back. */
  public final int backingOff;
  /** The number of applications that the AM limit keeps in YARN's list. */
  public final int notActivated;
  /** The starting applications of all queues with which it shares its slots. */
  public final int startingInGroup;
  /** The accepted applications of these queues with a node reserved for their AM. */
  public final int reservedInGroup;
  /**
   * The longest time for which an application, accepted or in YARN's list, has waited for its driver, in
   * milliseconds: from its submission or the end of its previous attempt. 0 if there is none.
   */
  public final long longestWait;
  private final QueueMemory memory;

  /**
   * @param policyName the name of the policy class, for messages
   * @param leaf YARN's queue; null if it is not known yet
   * @param memory what is remembered of the queue; null like the queue
   * @param wall the time of day, in milliseconds since 1970
   */
  public QueueReport(String policyName, PolicyConfiguration configuration, QueueOrder<S> order,
      CSQueue leaf, QueueMemory memory, long now, long wall) {
    this.path = leaf == null ? "" : leaf.getQueuePath();
    this.policyName = policyName;
    this.configuration = configuration;
    this.memory = memory;
    this.now = now;
    this.wall = wall;
    for (State state : State.values()) {
      counts.put(state, 0);
    }
    int away = 0;
    // Places change meanwhile, and a sort needs one answer for each.
    List<Map.Entry<OrderKey, AttemptView<S>>> places = new ArrayList<>();
    Stream.Builder<SchedulableEntity> accepted = Stream.builder();
    for (S item : order.inAnyOrder()) {
      AttemptView<S> attempt = order.view(item);
      if (attempt != null) {
        State state = attempt.state();
        counts.merge(state, 1, Integer::sum);
        if (state == State.ACCEPTED) {
          accepted.add(item);
        } else if (state == State.STARTING) {
          places.add(new AbstractMap.SimpleImmutableEntry<>(attempt.place(), attempt));
        }
        away += attempt.isBackingOff(now) ? 1 : 0;
      }
    }
    this.backingOff = away;
    places.sort(Map.Entry.comparingByKey());
    places.forEach(place -> starting.add(place.getValue()));
    this.lines = order.lines(now);
    lines.forEach(line -> waiting.merge(
        line.waitsFor.code(), line.waiting.size() + line.stalled.size(), Integer::sum));
    List<SchedulerApplicationAttempt> pending = new ArrayList<>(QueueCompat.pendingApplications(leaf));
    this.notActivated = pending.size();
    this.startingInGroup = order.group().starting();
    this.reservedInGroup = order.group().reserved();
    // The time may be in the future, because another ResourceManager has another clock.
    this.longestWait = Stream.concat(accepted.build(), pending.stream())
        .mapToLong(entity -> RmApps.waitsSince((SchedulerApplicationAttempt) entity))
        .filter(since -> since > 0 && since < wall).map(since -> wall - since).max().orElse(0);
  }

  /** Whether the monitor has visited the queue; if not, nothing is known of it. */
  public boolean isKnown() {
    return memory != null;
  }

  /** How many of the accepted applications wait for free resources. */
  public int forRoom() {
    // They were counted one after the other.
    return Math.min(counts.get(State.ACCEPTED), waiting.entrySet().stream()
        .filter(each -> each.getKey().isForRoom()).mapToInt(Map.Entry::getValue).sum());
  }

  /** When applications of the line are expected to start. */
  public StartForecast forecast(AdmissionLineView<S> line) {
    long waited = line.waiting.stream().filter(attempt -> !attempt.isBackingOff(now)).findFirst()
        .map(next -> Math.max(0, next.millisInState(now))).orElse(0L);
    return memory == null ? StartForecast.NONE : memory.starts(line.partition).forecast(waited, now);
  }
}
