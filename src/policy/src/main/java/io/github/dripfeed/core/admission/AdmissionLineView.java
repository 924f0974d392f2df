// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.plan.WaitReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The attempts that compete for the starting slots of one partition, for diagnostics. Lists are
 * snapshots; the waiting and stalled attempts are live views.
 *
 * @param <T> the type that represents an application attempt
 */
public final class AdmissionLineView<T> {

  /** A starting attempt. */
  public static final class Starting<T> {
    public final T item;
    /** How long it has been starting, in milliseconds. */
    public final long millis;
    /** The limit on that time, in milliseconds. */
    public final long atMost;

    Starting(T item, long millis, long atMost) {
      this.item = item;
      this.millis = millis;
      this.atMost = atMost;
    }
  }

  private final PartitionLanes<T> lanes;
  private final List<Starting<T>> starting;
  private final List<T> reservedBeside = new ArrayList<>();
  private final WaitReason waitsFor;
  private final Predicate<T> skipped;

  AdmissionLineView(
      AdmissionLine<T> line, List<Starting<T>> starting, Predicate<T> skipped, long now) {
    this.lanes = line.lanes();
    this.starting = starting;
    line.reservedBeside().forEach(attempt -> reservedBeside.add(attempt.item));
    this.waitsFor = line.waitsFor(now);
    this.skipped = skipped;
  }

  /**
   * Whether the scheduler skips a waiting attempt because of its user limit; it then holds back no
   * other attempt.
   */
  public boolean isSkipped(AttemptView<T> attempt) {
    return skipped.test(attempt.item());
  }

  /** The name of the partition; empty for the default partition. */
  public String partition() {
    return lanes.partition();
  }

  /** The group of queues that share the slots; null if the queue is in none. */
  public String group() {
    return lanes.group().name();
  }

  /** The starting attempts that compete for the slots: of all queues of the group, if there is one. */
  public List<Starting<T>> starting() {
    return starting;
  }

  /** The attempts of other queues of the group that hold a slot because their drivers are reserved. */
  public List<T> reservedBeside() {
    return reservedBeside;
  }

  /** The attempts of this queue that hold a slot because their drivers are reserved. */
  public Set<T> reserved() {
    Set<T> reserved = new HashSet<>();
    for (QueuedAttempt<T> attempt : lanes.reserved.attempts()) {
      if (!attempt.isExhausted()) {
        reserved.add(attempt.item);
      }
    }
    return reserved;
  }

  /** The attempts that wait for their turn, in order. */
  public Iterable<AttemptView<T>> waiting() {
    return views(lanes.waiting);
  }

  /** The stalled attempts, which come last. */
  public Iterable<AttemptView<T>> stalled() {
    return views(lanes.stalled);
  }

  /** Why the next attempt waits, and with it all attempts behind it. */
  public WaitReason waitsFor() {
    return waitsFor;
  }

  private static <T> Iterable<AttemptView<T>> views(AttemptLane<T> lane) {
    return Collections.<AttemptView<T>>unmodifiableCollection(lane.attempts());
  }
}
