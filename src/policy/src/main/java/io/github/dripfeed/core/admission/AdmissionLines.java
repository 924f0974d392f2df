// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * The {@link AdmissionLine} of each node partition that drivers of one queue are requested in.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class AdmissionLines<T> {

  private final AdmissionLanes<T> lanes;
  private final Lifecycle<T> lifecycle;
  /** Replaced as a whole, and not wrapped, because every decision reads it. */
  private volatile List<AdmissionLine<T>> all = Collections.emptyList();

  AdmissionLines(AdmissionLanes<T> lanes, Lifecycle<T> lifecycle) {
    this.lanes = lanes;
    this.lifecycle = lifecycle;
  }

  /** All lines in the order of {@link AdmissionLanes#partitions}, for a walk without allocation. */
  List<AdmissionLine<T>> all() {
    List<AdmissionLine<T>> present = all;
    return present.size() == lanes.partitions().size() ? present : addMissing();
  }

  /** Partitions are added, and never removed. */
  private synchronized List<AdmissionLine<T>> addMissing() {
    List<AdmissionLine<T>> lines = new ArrayList<>();
    for (PartitionLanes<T> partition : lanes.partitions()) {
      AdmissionLine<T> known = find(all, partition);
      lines.add(known == null ? new AdmissionLine<>(partition, lifecycle) : known);
    }
    all = lines;
    return all;
  }

  private static <T> AdmissionLine<T> find(List<AdmissionLine<T>> lines, PartitionLanes<T> partition) {
    for (AdmissionLine<T> line : lines) {
      if (line.lanes() == partition) {
        return line;
      }
    }
    return null;
  }

  /** The line of the attempt. */
  AdmissionLine<T> of(QueuedAttempt<T> attempt) {
    List<AdmissionLine<T>> lines = all();
    if (lines.size() == 1) {
      return lines.get(0);
    }
    // In this order: by now every partition of an attempt has a line.
    PartitionLanes<T> partition = lanes.of(attempt);
    return find(all(), partition);
  }

  /**
   * Updates every attempt that is not running yet for changes without a callback. A failure in one line
   * leaves the others.
   *
   * @return whether the ordering still manages one of them
   */
  boolean update(long now) {
    boolean manages = false;
    for (PartitionLanes<T> partition : lanes.partitions()) {
      try {
        manages |= update(partition.starting.attempts(), now);
        partition.starting.attempts().forEach(partition.group()::mayLackExecutors);
        manages |= update(partition.waiting.attempts(), now);
        manages |= update(partition.stalled.attempts(), now);
      } catch (RuntimeException | LinkageError e) {
        failed(e);
      }
    }
    return manages;
  }

  private boolean update(Collection<QueuedAttempt<T>> lane, long now) {
    boolean manages = false;
    for (QueuedAttempt<T> attempt : lane) {
      if (attempt.isManaged()) {
        manages = true;
        if (lifecycle.advance(attempt, 0, now) == State.ACCEPTED) {
          lifecycle.updatePartition(attempt, now);
        }
      }
    }
    return manages;
  }

  /** All lines, after an update of their starting attempts. */
  List<AdmissionLine<T>> upToDate(long now) {
    List<AdmissionLine<T>> lines = all();
    for (int i = 0; i < lines.size(); i++) {
      lines.get(i).checkStarting(now);
    }
    // A check may have found a partition that had no line yet.
    return all();
  }

  /** The rule failed. A bug in it must not stop the scheduler. */
  void failed(Throwable failure) {
    lifecycle.failed(failure);
  }

  /** Whether any attempt is offered after all others. */
  boolean isAnyLast() {
    List<AdmissionLine<T>> lines = all();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).hasLast()) {
        return true;
      }
    }
    return false;
  }

  /** Whether no attempt is waiting, stalled or starting. */
  boolean areAllRunning() {
    List<PartitionLanes<T>> partitions = lanes.partitions();
    for (int i = 0; i < partitions.size(); i++) {
      if (!partitions.get(i).isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
